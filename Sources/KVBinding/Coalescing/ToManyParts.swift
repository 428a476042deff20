import KVCore

/// The composition of several changes of a collection to one change.
enum ToManyParts {
  typealias Part = PendingRecord.Part

  /// Returns one change of the same kind, or `nil` if there is none.
  static func composed(_ parts: [Part]) -> Part? {
    guard let kind = parts.first?.kind, parts.allSatisfy({ $0.kind == kind }) else { return nil }
    if parts.allSatisfy({ $0.indexes == nil }) { return composedMembers(parts, kind) }
    guard parts.allSatisfy({ $0.indexes != nil }) else { return nil }
    switch kind {
    case .setting: return nil
    case .insertion: return composedInsertions(parts)
    case .removal: return composedRemovals(parts)
    case .replacement: return composedReplacements(parts)
    }
  }

  /// Composes the changes of a set, whose members are either inserted or removed.
  ///
  /// A member that was added twice was removed in between, so that the changes are not of one kind.
  private static func composedMembers(_ parts: [Part], _ kind: KVChange.Kind) -> Part? {
    switch kind {
    case .insertion: Part(kind: kind, indexes: nil, old: nil, new: parts.flatMap { Elements.list($0.new) })
    case .removal: Part(kind: kind, indexes: nil, old: parts.flatMap { Elements.list($0.old) }, new: nil)
    case .setting, .replacement: nil
    }
  }

  /// Composes insertions: the final index of an element leaves space for elements that were inserted later.
  private static func composedInsertions(_ parts: [Part]) -> Part {
    let placed = placed(parts[...], \.new) { earlier, later in merged(earlier, into: later) }
    return Part(kind: .insertion, indexes: placed.map(\.index), old: nil, new: placed.map(\.element))
  }

  /// Composes removals: the original index of an element is counted without those that were removed earlier.
  private static func composedRemovals(_ parts: [Part]) -> Part {
    let placed = placed(parts[...], \.old) { earlier, later in merged(later, into: earlier) }
    return Part(kind: .removal, indexes: placed.map(\.index), old: placed.map(\.element), new: nil)
  }

  /// Elements with their indexes, which ascend.
  private typealias Placed = [(index: Int, element: Any)]

  /// Returns the elements of parts with their common indexes: those of both halves, composed by a function.
  ///
  /// - Complexity: O(*n* log *n*) in the number of elements.
  private static func placed(
    _ parts: ArraySlice<Part>, _ values: (Part) -> Any?, _ compose: (Placed, Placed) -> Placed
  ) -> Placed {
    if parts.count > 1 {
      let middle = parts.startIndex + parts.count / 2
      return compose(placed(parts[..<middle], values, compose), placed(parts[middle...], values, compose))
    }
    guard let part = parts.first else { return [] }
    let placed = Placed(zip(part.indexes ?? [], Elements.list(values(part))).map { ($0, $1) })
    // Those of a manual change may be in any order.
    let isSorted = zip(placed, placed.dropFirst()).allSatisfy { $0.index < $1.index }
    return isSorted ? placed : placed.ordered { $0.index }
  }

  /// Merges elements whose indexes count only the places that other elements leave free.
  private static func merged(_ counted: Placed, into others: Placed) -> Placed {
    var result = Placed()
    result.reserveCapacity(counted.count + others.count)
    var passed = 0
    for (index, element) in counted {
      while passed < others.count, others[passed].index <= index + passed {
        result.append(others[passed])
        passed += 1
      }
      result.append((index + passed, element))
    }
    return result + others[passed...]
  }

  private static func composedReplacements(_ parts: [Part]) -> Part {
    var replaced: [Int: (old: Any, new: Any)] = [:]
    for part in parts {
      let pairs = zip(Elements.list(part.old), Elements.list(part.new))
      for (index, (old, new)) in zip(part.indexes ?? [], pairs) {
        replaced[index] = (replaced[index]?.old ?? old, new)
      }
    }
    let indexes = replaced.keys.sorted()
    return Part(
      kind: .replacement, indexes: indexes, old: indexes.compactMap { replaced[$0]?.old },
      new: indexes.compactMap { replaced[$0]?.new })
  }

  /// Returns the collection before the changes, computed from the current one.
  static func undone(_ parts: [Part], from current: Any?) -> Any? {
    if parts.first?.kind == .setting { return parts.first?.old }
    if parts.first?.isFromNil == true { return nil }
    let isSet = parts.contains { $0.kind != .setting && $0.indexes == nil }
    if isSet, let members = undoneMembers(parts, from: current) { return members }
    var members = Elements.list(current)
    for part in parts.reversed() {
      if part.kind == .setting {
        members = Elements.list(part.old)
      } else if isSet {
        let came = Elements.list(part.new)
        members.removeAll { member in came.contains { Equality.areEqual($0, member) } }
        members += Elements.list(part.old)
      } else {
        undo(part, in: &members)
      }
    }
    return isSet ? Reader.hashableSet(members) ?? members : members
  }

  /// Returns the members of a set before the changes; `nil` if some value is not hashable.
  ///
  /// - Complexity: O(*n*) in the number of members of the set and of the changes.
  private static func undoneMembers(_ parts: [Part], from current: Any?) -> Set<AnyHashable>? {
    guard var members = Reader.hashableSet(Elements.list(current)) else { return nil }
    for part in parts.reversed() {
      guard let new = Reader.hashableSet(Elements.list(part.new)), let old = Reader.hashableSet(Elements.list(part.old))
      else { return nil }
      if part.kind == .setting { members = old } else { for member in new { members.remove(member) } }
      members.formUnion(old)
    }
    return members
  }

  private static func undo(_ part: Part, in members: inout [Any]) {
    let indexes = part.indexes ?? []
    switch part.kind {
    case .setting: break
    case .insertion: for index in indexes.reversed() where index < members.count { members.remove(at: index) }
    case .removal:
      for (index, element) in zip(indexes, Elements.list(part.old)) where index <= members.count {
        members.insert(element, at: index)
      }
    case .replacement:
      for (index, element) in zip(indexes, Elements.list(part.old)) where index < members.count {
        members[index] = element
      }
    }
  }
}
