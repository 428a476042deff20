import KVCore

/// Makes one change of several changes of a collection.
enum ToManyParts {
  typealias Part = PendingRecord.Part

  /// Returns one change of the same kind, or nil if there is none.
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

  /// Members of sets come or go; what came twice had gone between, so that is no single change.
  private static func composedMembers(_ parts: [Part], _ kind: KVChange.Kind) -> Part? {
    switch kind {
    case .insertion: Part(kind: kind, indexes: nil, old: nil, new: parts.flatMap { elements($0.new) })
    case .removal: Part(kind: kind, indexes: nil, old: parts.flatMap { elements($0.old) }, new: nil)
    case .setting, .replacement: nil
    }
  }

  /// Each insertion moves what was inserted before it at or behind its indexes.
  private static func composedInsertions(_ parts: [Part]) -> Part {
    var inserted: [(index: Int, element: Any)] = []
    for part in parts {
      for (index, element) in zip(part.indexes ?? [], elements(part.new)) {
        for place in inserted.indices where inserted[place].index >= index { inserted[place].index += 1 }
        inserted.append((index, element))
      }
    }
    inserted.sort { $0.index < $1.index }
    return Part(kind: .insertion, indexes: inserted.map(\.index), old: nil, new: inserted.map(\.element))
  }

  /// Indexes of later removals are counted as they were before the first.
  private static func composedRemovals(_ parts: [Part]) -> Part {
    var removed: [(index: Int, element: Any)] = []
    for part in parts {
      let earlier = removed.map(\.index)
      for (index, element) in zip(part.indexes ?? [], elements(part.old)) {
        var original = index
        for other in earlier where other <= original { original += 1 }
        removed.append((original, element))
      }
      removed.sort { $0.index < $1.index }
    }
    return Part(kind: .removal, indexes: removed.map(\.index), old: removed.map(\.element), new: nil)
  }

  private static func composedReplacements(_ parts: [Part]) -> Part {
    var replaced: [Int: (old: Any, new: Any)] = [:]
    for part in parts {
      let pairs = zip(elements(part.old), elements(part.new))
      for (index, (old, new)) in zip(part.indexes ?? [], pairs) {
        replaced[index] = (replaced[index]?.old ?? old, new)
      }
    }
    let indexes = replaced.keys.sorted()
    return Part(
      kind: .replacement, indexes: indexes, old: indexes.compactMap { replaced[$0]?.old },
      new: indexes.compactMap { replaced[$0]?.new })
  }

  /// Returns the collection as it was before the changes, given what it has become.
  static func undone(_ parts: [Part], from current: Any?) -> Any? {
    if parts.first?.kind == .setting { return parts.first?.old }
    let isSet = parts.contains { $0.kind != .setting && $0.indexes == nil }
    var members = elements(current)
    for part in parts.reversed() {
      if part.kind == .setting {
        members = elements(part.old)
      } else if isSet {
        let came = elements(part.new)
        members.removeAll { member in came.contains { Equality.areEqual($0, member) } }
        members += elements(part.old)
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
      for (index, element) in zip(indexes, elements(part.old)) where index <= members.count {
        members.insert(element, at: index)
      }
    case .replacement:
      for (index, element) in zip(indexes, elements(part.old)) where index < members.count { members[index] = element }
    }
  }

  private static func elements(_ value: Any?) -> [Any] {
    Elements.list(value)
  }
}
