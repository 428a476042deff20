import KVCore

/// The composition of several changes of a collection to one change.
package enum ToManyParts {
  /// Returns one change of the same kind, or `nil` if there is none.
  static func composed(_ parts: [KeyChange]) -> KeyChange? {
    guard let kind = parts.first?.kind, parts.allSatisfy({ $0.kind == kind }) else { return nil }
    if parts.allSatisfy({ $0.indexes == nil }) { return composedMembers(parts, kind) }
    guard kind != .setting, parts.allSatisfy({ $0.indexes != nil }) else { return nil }
    let whole = edit(parts[...])
    return KeyChange(
      parts[0].key, kind, at: whole.indexes, old: kind.removes ? whole.removed : nil,
      new: kind.adds ? whole.added : nil, hasOld: parts[0].hasOld, hasNew: true)
  }

  /// Returns the edit that changes of an array make one after the other.
  private static func edit(_ parts: ArraySlice<KeyChange>) -> IndexedEdit<Any> {
    .composed(parts.lazy.map { IndexedEdit($0.kind, at: $0.indexes ?? [], from: $0.old, to: $0.new) })
  }

  /// Composes the changes of a set, whose members are either inserted or removed.
  ///
  /// A member that was added twice was removed in between, so that the changes are not of one kind.
  private static func composedMembers(_ parts: [KeyChange], _ kind: KVChange.Kind) -> KeyChange? {
    guard kind == .insertion || kind == .removal else { return nil }
    var composed = parts[0]
    composed.old = kind.removes ? parts.flatMap { DynamicCollection.list($0.old) } : nil
    composed.new = kind.adds ? parts.flatMap { DynamicCollection.list($0.new) } : nil
    return composed
  }

  /// Returns the collection before the changes, computed from the current one.
  package static func undone(_ parts: [KeyChange], from current: Any?) -> Any? {
    if parts.first?.kind == .setting { return parts.first?.old }
    if parts.first?.isFromNil == true { return nil }
    // A setting hides the changes after it.
    let changes = parts.prefix { $0.kind != .setting }
    let value = changes.count < parts.count ? parts[changes.count].old : current
    let isSet = parts.contains { $0.kind != .setting && $0.indexes == nil }
    return isSet ? undoneMembers(changes, from: value) : undoneElements(changes, from: DynamicCollection.list(value))
  }

  /// Returns the elements of an array before changes of elements.
  ///
  /// An index that the array does not have, since a handler has changed it, makes no error: the elements are those of an
  /// insertion of all that are there, which the reverse of the changes follows.
  ///
  /// - Complexity: O(*n* + *k* log *k*) in the number of elements and of changed ones.
  private static func undoneElements(_ changes: ArraySlice<KeyChange>, from current: [Any]) -> [Any] {
    let edit = edit(changes)
    if edit.isEmpty { return current }
    return IndexedEdit(.insertion, at: Array(current.indices), added: current).composed(with: edit.reversed).added ?? []
  }

  /// Returns the members of a set before changes of members.
  ///
  /// - Complexity: O(*n*) in the number of members of the set and of the changes, if all are hashable.
  private static func undoneMembers(_ changes: ArraySlice<KeyChange>, from current: Any?) -> Any? {
    var members = DynamicCollection.list(current)
    if let set = undoneHashable(changes, from: members) { return set }
    for change in changes.reversed() {
      let came = DynamicCollection.list(change.new)
      members.removeAll { member in came.contains { Equality.areEqual($0, member) } }
      members += DynamicCollection.list(change.old)
    }
    return Reader.hashableSet(members) ?? members
  }

  private static func undoneHashable(_ changes: ArraySlice<KeyChange>, from current: [Any]) -> Set<AnyHashable>? {
    guard var members = Reader.hashableSet(current) else { return nil }
    for change in changes.reversed() {
      guard let new = Reader.hashableSet(DynamicCollection.list(change.new)),
        let old = Reader.hashableSet(DynamicCollection.list(change.old))
      else { return nil }
      for member in new { members.remove(member) }
      members.formUnion(old)
    }
    return members
  }
}
