import KVCore

extension BindingCore {
  /// Applies an edit of one endpoint's collection to the other: inserts, removes or replaces at the same indexes, with
  /// transformed elements (BND.7).
  ///
  /// - Returns: Whether that was possible; otherwise the whole collection has to be propagated.
  func mirror(_ content: BindingPayload.Content, from side: BindingSide) throws(KVError) -> Bool {
    let receiver = endpoint(side.other)
    guard
      options.skipsEqual, !options.validates, !appliesToWhole, receiver.usesAccessors,
      let root = receiver.object as? any KeyValueCoding & AnyObject
    else { return false }
    try KVC.checkPolicy(receiver.path, of: root, writing: true)
    guard case .edit(let edit) = content else { return try mirrorSet(root, receiver.path, side) }
    guard let mirrored = try mirrored(edit, side) else { return false }
    let array = try root.mutableArray(forKeyPath: receiver.path)
    trace { "\(side.other): \(edit.kind) at \(edit.indexes)" }
    try apply(mirrored, to: array, at: side.other)
    try checkMirrored(mirrored, from: side)
    return true
  }

  private func apply(_ edit: IndexedEdit<Any>, to array: KVMutableArray, at side: BindingSide) throws(KVError) {
    try setting(side) { () throws(KVError) in try edit.apply(to: array) }
  }

  /// Checks whether the receiver or one of its observers has changed the new elements.
  private func checkMirrored(_ edit: IndexedEdit<Any>, from side: BindingSide) throws(KVError) {
    if side == .target, case .value(let current) = try source.read() {
      let count = DynamicCollection.countOfArray(current) ?? 0
      let isAccepted = zip(edit.addedIndexes, edit.added ?? []).allSatisfy { index, element in
        index < count && Equality.areEqual(DynamicCollection.element(index, of: current), element)
      }
      if !isAccepted, let whole = try outgoing(from: .source) {
        run.selfNotifications = 0
        _ = try set(try target.fitted(whole.value), at: .target)
      }
    }
    guard run.selfNotifications > 1, let whole = try outgoing(from: side) else { return }
    try recheck(of: side.other, since: try endpoint(side.other).fitted(whole.value))
  }

  private var appliesToWhole: Bool { transform?.appliesToWholeCollections ?? false }

  /// Returns the edit of the other endpoint; nil if its collection is not that of the changed endpoint before the edit.
  ///
  /// Both collections are released on return, so that they can be changed in place.
  private func mirrored(_ edit: IndexedEdit<Any>, _ side: BindingSide) throws(KVError) -> IndexedEdit<Any>? {
    let new = edit.added ?? []
    guard
      let column = try endpoint(side).column(), case .value(let current) = try endpoint(side.other).read(),
      let count = column.count, let before = DynamicCollection.countOfArray(current),
      before + edit.addedIndexes.count - edit.removedIndexes.count == count, edit.kind != .setting
    else { return nil }
    // The elements show whether the edit is stale because a handler has changed the collection again.
    for (index, element) in zip(edit.addedIndexes, new) {
      guard index < count, Equality.areEqual(try column.element(at: index), element) else { return nil }
    }
    let added = try converted(
      try new.map { element throws(KVError) in try transformed(element, from: side) }, from: side)
    return added.count == new.count ? IndexedEdit(edit.kind, at: edit.indexes, added: added.map(asAny)) : nil
  }

  /// Returns elements as they are in a whole collection that is converted from or to text, if one of the keys is lenient.
  private func converted(_ elements: [Any?], from side: BindingSide) throws(KVError) -> [Any?] {
    guard !elements.isEmpty, [source, target].contains(where: { $0.leaf?.convertsText ?? false }) else {
      return elements
    }
    guard let whole = try fitted(elements, from: side) else { return elements }
    return try DynamicCollection.all(of: whole) ?? elements
  }

  /// Adds the missing members to a set and removes the surplus ones.
  ///
  /// A transformer can therefore map several elements to one.
  private func mirrorSet(
    _ root: any KeyValueCoding & AnyObject, _ path: KVKeyPath, _ side: BindingSide
  ) throws(KVError) -> Bool {
    guard
      case .value(let now) = try endpoint(side).read(), case .value(let current) = try endpoint(side.other).read(),
      let elements = try DynamicCollection.all(of: now), let others = try DynamicCollection.all(of: current),
      DynamicCollection.countOfArray(current) == nil
    else { return false }
    let sent = try elements.map { element throws(KVError) in try transformed(asAny(element), from: side) }
    let wanted = try converted(sent, from: side)
    guard let new = Reader.hashableSet(wanted), let old = Reader.hashableSet(others) else { return false }
    let (added, removed) = (new.subtracting(old), old.subtracting(new))
    try change(try root.mutableSet(forKeyPath: path), adding: added, removing: removed, at: side.other)
    let changes = (added.isEmpty ? 0 : 1) + (removed.isEmpty ? 0 : 1)
    if run.selfNotifications > changes { try recheck(of: side.other, since: new) }
    return true
  }

  private func change(
    _ set: KVMutableSet, adding added: Set<AnyHashable>, removing removed: Set<AnyHashable>, at side: BindingSide
  ) throws(KVError) {
    try setting(side) { () throws(KVError) in
      if !added.isEmpty { try set.formUnion(added.map(\.base)) }
      announce(side)
      if !removed.isEmpty { try set.subtract(removed.map(\.base)) }
    }
  }
}
