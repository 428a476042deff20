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
    let (indexes, elements) = positioned(parts.reversed(), \.new)
    return Part(kind: .insertion, indexes: indexes, old: nil, new: elements)
  }

  /// Composes removals: the original index of an element is counted without those that were removed earlier.
  private static func composedRemovals(_ parts: [Part]) -> Part {
    let (indexes, elements) = positioned(parts, \.old)
    return Part(kind: .removal, indexes: indexes, old: elements, new: nil)
  }

  /// Assigns indexes to the elements of the parts, in order; each part fills the gaps between the elements before it.
  private static func positioned(
    _ parts: some Sequence<Part>, _ values: (Part) -> Any?
  ) -> (indexes: [Int], elements: [Any]) {
    var occupied = OccupiedIndexes()
    var positioned: [(index: Int, element: Any)] = []
    for part in parts {
      // Backwards, so that no element moves another one of the same part.
      for (index, element) in zip(part.indexes ?? [], Elements.list(values(part))).reversed() {
        positioned.append((occupied.occupy(index), element))
      }
    }
    positioned.sort { $0.index < $1.index }
    return (positioned.map(\.index), positioned.map(\.element))
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
    let isSet = parts.contains { $0.kind != .setting && $0.indexes == nil }
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
