extension ToManyProperty {
  /// A table function that edits the collection, called with the owner.
  typealias Edit = (Owner) throws(KVError) -> Void

  /// A change of a collection; parts whose cost is linear are computed only if they are needed.
  struct Change {
    let kind: KVChangeKind
    /// The indexes of the change; `nil` for sets.
    var indexes: [Int]?
    /// Returns the removed elements, or `nil`; called only if observers are notified.
    var old: () -> [Any]? = { nil }
    /// Returns the added elements, converted, or `nil`; called only if observers are notified.
    var new: () -> [Any]? = { nil }
    /// The table function that makes the change, or `nil` to set `changed`.
    var edit: Edit?
    /// The change as an in-place edit of the stored array, if the table has no function.
    var inPlace: InPlace?
    /// Returns the collection after the change; called only if the table has no function.
    let changed: () -> Any
  }

  /// Makes a change by a table function, an in-place edit or a changed copy; observers are notified of it once, by its
  /// kind.
  ///
  /// Errors that can be found in advance are thrown before observers are notified (KVC.14).
  func make(_ change: Change, at resolved: ResolvedProperty) throws(KVError) {
    let owner = resolved.info.isObject ? object(in: resolved.owner) : nil
    let registrar = owner.flatMap { resolved.info.isObservable ? NotifyingWrite.registrar(of: $0, resolved.info) : nil }
    let key = registrar.flatMap { observedKey(at: resolved, by: $0) }
    if let edit = change.inPlace, let owner, let accessor = resolved.accessor, !WriteLog.isActive {
      let target = EditTarget(owner: owner, accessor: accessor, registrar: registrar, observedKey: key)
      if try make(change, in: target, by: edit, at: resolved) { return }
    }
    let value = change.edit == nil ? change.changed() : nil
    if change.edit == nil, resolved.info.isObject {
      _ = try Writer.check(value, forKey: resolved.key, of: resolved.owner, resolved.info)
    }
    let apply = { () throws(KVError) in
      if let edit = change.edit { try call(edit, at: resolved) } else { try set(value, at: resolved) }
    }
    guard let owner, let registrar, let key else { return try apply() }
    guard change.edit == nil else { return try notify(change, of: owner, key, registrar, .everything, apply) }
    guard registrar.needsWillChange(key) else {
      return try notify(change, of: owner, key, registrar, .write, apply)
    }
    try notify(change, of: owner, key, registrar, .write) { () throws(KVError) in
      // A handler that ran before the change may have edited the collection.
      let current = try change.inPlace.flatMap { edit throws(KVError) in try changed(by: edit, at: resolved) }
      try set(current ?? value, at: resolved)
    }
  }

  /// Returns the key if observers have to be notified of its changes.
  private func observedKey(at resolved: ResolvedProperty, by registrar: _KVRegistrar) -> KVKey? {
    guard
      let key = resolved.accessor?.key ?? KVKey.existing(resolved.key), registrar.mayObserve(key),
      resolved.accessor?.declaration.notifiesManually != true
    else { return nil }
    return key
  }

  /// Notifies observers of a change around a body that makes it, and that accesses the property in the given way.
  func notify(
    _ change: Change, of owner: AnyObject, _ key: KVKey, _ registrar: _KVRegistrar, _ mode: SuppressedNotification.Mode,
    _ apply: () throws(KVError) -> Void
  ) throws(KVError) {
    var outcome: Result<Void, KVError> = .success(())
    withAddress(of: change.old()) { old in
      withAddress(of: change.new()) { new in
        let notice = _KVChangeNotice(
          object: owner, key: key, kind: change.kind, indexes: change.indexes, valueType: [Any].self,
          oldAddress: old, newAddress: new, boxer: Boxer<[Any]>.self)
        do throws(KVError) { try registrar.bracket(notice, suppressing: mode, apply) } catch {
          outcome = .failure(error)
        }
      }
    }
    try outcome.get()
  }

  /// Calls a table function: on the owner if it is an object, else on a copy that is written back.
  private func call(_ edit: Edit, at resolved: ResolvedProperty) throws(KVError) {
    if resolved.info.isObject {
      if WriteLog.isActive, let log = WriteLog.current { self.log(resolved, in: log) }
      resolved.releaseCollection()
      return try edit(Owner(object(in: resolved.owner)))
    }
    guard let parent = path.parent else { return }
    var outcome: Result<Void, KVError> = .success(())
    let changed = copy(resolved.owner) { memory in
      do throws(KVError) { try edit(Owner(at: memory)) } catch { outcome = .failure(error) }
    }
    try outcome.get()
    _ = try Writer(parent.storage).set(changed, in: root)
  }

  /// Records how to restore the collection: as a whole if the key can be set, else element by element.
  private func log(_ resolved: ResolvedProperty, in log: WriteLog) {
    guard let owner = object(in: resolved.owner) as? any KeyValueCoding & AnyObject else { return }
    let elements = resolved.collection?.elements.map { asAny($0) } ?? []
    let isArray = form == .array
    log.log(resolved.key, of: owner) { () throws(KVError) in
      if isArray {
        let array = owner.mutableArray(forKey: resolved.key)
        try array.removeAll()
        try array.append(contentsOf: elements)
      } else {
        try owner.mutableSet(forKey: resolved.key).set(elements)
      }
    }
  }

  private func set(_ value: Any?, at resolved: ResolvedProperty) throws(KVError) {
    if resolved.info.isObject {
      _ = try Writer.set(value, forKey: resolved.key, of: resolved.owner, resolved.info)
    } else {
      _ = try Writer(path.storage).set(value, in: root)
    }
  }
}

private func withAddress(of elements: [Any]?, _ body: (UnsafeRawPointer?) -> Void) {
  guard let elements else { return body(nil) }
  withUnsafePointer(to: elements) { body(UnsafeRawPointer($0)) }
}
