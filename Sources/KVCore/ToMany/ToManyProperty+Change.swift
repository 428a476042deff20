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
    /// The change as an edit of the stored array, if the table has no function.
    var storageEdit: ArrayEdit?
    /// Returns the collection after the change; called only if the table has no function.
    let changed: () throws(KVError) -> Any
  }

  /// Makes a change by a table function, an in-place edit or a changed copy; observers are notified of it once, by its
  /// kind.
  ///
  /// Errors that can be found in advance are thrown before observers are notified (KVC.14).
  func make(_ change: Change, at resolved: ResolvedProperty) throws(KVError) {
    if let edit = change.storageEdit.flatMap({ editStorage($0, at: resolved) }) {
      return try notify(change, at: resolved, .setter) { _ throws(KVError) in try edit() }
    }
    if let edit = change.edit {
      return try notify(change, at: resolved, .everything) { mayHaveChanged throws(KVError) in
        if mayHaveChanged { try checkIndexes(of: change) }
        try call(edit, at: resolved)
      }
    }
    let value = try change.changed()
    if resolved.info.isObject {
      _ = try Writer.check(value, forKey: resolved.key, of: resolved.owner, resolved.info)
    }
    // A setter that throws may refuse the change, of which observers must not be notified then.
    if resolved.accessor?.declaration.throwingWrite != nil { return try set(value, at: resolved) }
    try notify(change, at: resolved, .write) { mayHaveChanged throws(KVError) in
      let edit = mayHaveChanged ? change.storageEdit : nil
      try set(try edit.flatMap { edit throws(KVError) in try changed(by: edit, at: resolved) } ?? value, at: resolved)
    }
  }

  /// Throws if the indexes of a change do not exist any more, since a handler ran before it (TOM.3).
  private func checkIndexes(of change: Change) throws(KVError) {
    guard let indexes = change.indexes, let last = indexes.last else { return }
    let count = try resolve().count
    guard last < (change.kind == .insertion ? count + indexes.count : count) else {
      throw Failure.indexOutOfRange(last, count: count)
    }
  }

  /// Notifies observers of a change around a function that makes it, and that accesses the property in the given way.
  ///
  /// The function is passed whether a handler that ran before the change may have edited the collection.
  private func notify(
    _ change: Change, at resolved: ResolvedProperty, _ mode: SuppressedNotification.Mode,
    _ apply: (_ mayHaveChanged: Bool) throws(KVError) -> Void
  ) throws(KVError) {
    guard resolved.info.isObject, case let owner = object(in: resolved.owner),
      let registrar = resolved.info.registrar(of: owner),
      let key = resolved.accessor?.key ?? InternedKey.existing(resolved.key), registrar.mayObserve(key),
      resolved.accessor?.isManual != true,
      change.edit == nil || resolved.accessor?.declaration.editsNotify != true
    else { return try apply(false) }
    let bracket = { (notice: borrowing _KVChangeNotice) throws(KVError) in
      try registrar.bracket(notice, suppressing: mode) { () throws(KVError) in
        try apply(registrar.needsWillChange(key))
      }
    }
    if change.kind == .setting {
      let old: Any? = (resolved.collection as? any ReadOnlyOrderedValue)?.stored ?? resolved.collection
      return try _KVChangeNotice.with(key, of: owner, from: old, to: .some(try change.changed()), bracket)
    }
    let (old, new) = (change.old(), change.new())
    if change.indexes != nil, !resolved.isNil, registrar.needsWillChange(key) {
      return try notifyAfterHandlers(change, from: old, to: new, (key, owner, registrar), mode, apply)
    }
    if change.kind == .insertion, resolved.isNil {
      // The old value is known to be nil, so that reverting the record can restore that (KVO.24).
      let (none, some): (Any?, Any?) = (nil, new ?? [])
      return try _KVChangeNotice.with(key, of: owner, change.kind, at: change.indexes, from: none, to: some, bracket)
    }
    try _KVChangeNotice.with(
      key, of: owner, change.kind, at: change.indexes, from: old ?? [], to: new ?? [], hasOld: old != nil,
      hasNew: new != nil, bracket)
  }

  /// Notifies observers of an edit by index before which a handler may edit the array (TOM.3).
  ///
  /// The record after the edit has the elements that it really removes. If its indexes do not exist any more, nothing is
  /// edited, and those that were called before it are called with a setting of the present array.
  private func notifyAfterHandlers(
    _ change: Change, from old: [Any]?, to new: [Any]?,
    _ property: (key: InternedKey, owner: AnyObject, registrar: _KVRegistrar),
    _ mode: SuppressedNotification.Mode, _ apply: (_ mayHaveChanged: Bool) throws(KVError) -> Void
  ) throws(KVError) {
    let (key, owner, registrar) = property
    func withNotice<Result>(from old: [Any]?, _ body: (borrowing _KVChangeNotice) -> Result) -> Result {
      _KVChangeNotice.with(
        key, of: owner, change.kind, at: change.indexes, from: old ?? [], to: new ?? [], hasOld: old != nil,
        hasNew: new != nil, body)
    }
    let beginning = withNotice(from: old) { registrar.willChange($0) }
    let hasRun = beginning.map { registrar.hasRunHandlers($0) } ?? false
    let removed = hasRun && old != nil ? presentElements(at: change.indexes ?? []) ?? old : old
    do throws(KVError) {
      try registrar.suppressing(key, mode) { () throws(KVError) in try apply(hasRun) }
    } catch {
      if hasRun, error.code == .indexOutOfRange {
        let present: Any? = (try? resolve())?.collection
        _KVChangeNotice.with(key, of: owner, from: present, to: present) { registrar.didChange($0, since: beginning) }
      } else {
        withNotice(from: removed) { registrar.didChange($0, since: beginning) }
      }
      throw error
    }
    withNotice(from: removed) { registrar.didChange($0, since: beginning) }
  }

  /// Returns the elements that have indexes now; nil if an index does not exist.
  private func presentElements(at indexes: [Int]) -> [Any]? {
    guard let array = (try? resolve())?.ordered, indexes.allSatisfy({ $0 < array.elementCount }) else { return nil }
    return indexes.map { asAny(array.element(at: $0)) }
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
    let name = resolved.accessor?.key.name ?? resolved.key
    guard let owner = object(in: resolved.owner) as? any KeyValueCoding & AnyObject, !log.hasLogged(name, of: owner)
    else { return }
    let elements = resolved.collection?.elements.map { asAny($0) } ?? []
    let isArray = form == .array
    log.log(name, of: owner) { () throws(KVError) in
      if isArray {
        let array = owner.mutableArray(forKey: name)
        try array.removeAll()
        try array.append(contentsOf: elements)
      } else {
        try owner.mutableSet(forKey: name).set(elements)
      }
    }
  }

  /// Sets the collection by its key, which notifies as a setting.
  func set(_ value: Any?, at resolved: ResolvedProperty) throws(KVError) {
    if resolved.info.isObject {
      _ = try Writer.set(value, forKey: resolved.key, of: resolved.owner, resolved.info)
    } else {
      _ = try Writer(path.storage).set(value, in: root)
    }
  }
}
