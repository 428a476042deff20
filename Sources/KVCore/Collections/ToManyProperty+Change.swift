extension ToManyProperty {
  /// An owner's own function, given the owner.
  typealias Edit = (Owner) throws(KVError) -> Void

  /// A change of a collection; what costs a walk over elements is worked out only where it is needed.
  struct Change {
    let kind: KVChangeNotice.Kind
    /// The indexes concerned; nil for sets.
    var indexes: [Int]?
    /// The elements that go, or nil; asked for where somebody is told.
    var old: () -> [Any]? = { nil }
    /// The elements that come, fitting, or nil; asked for where somebody is told.
    var new: () -> [Any]? = { nil }
    /// The owner's function; nil to set `changed`.
    var edit: Edit?
    /// The change as an edit of the stored array, where the owner has no function.
    var inPlace: InPlace?
    /// The collection after the change; asked for where there is no function.
    let changed: () -> Any
  }

  /// Makes a change through an owner's own function, or by setting a changed copy; told once, by its kind.
  ///
  /// What can be refused is refused before the change is told (KVC.14).
  func make(_ change: Change, at place: Place) throws(KVError) {
    let owner = place.info.isObject ? object(in: place.owner) : nil
    let registrar = owner.flatMap { place.info.isObservable ? NotifyingWrite.registrar(of: $0, place.info) : nil }
    let key = registrar.flatMap { told(at: place, by: $0) }
    if let edit = change.inPlace, let owner, let accessor = place.accessor, !WriteLog.isActive {
      let target = EditTarget(owner: owner, accessor: accessor, registrar: registrar, toldKey: key)
      if try make(change, in: target, by: edit, at: place) { return }
    }
    let value = change.edit == nil ? change.changed() : nil
    if change.edit == nil, place.info.isObject {
      _ = try Writer.check(value, forKey: place.key, of: place.owner, place.info)
    }
    let apply = { () throws(KVError) in
      if let edit = change.edit { try call(edit, at: place) } else { try set(value, at: place) }
    }
    guard let owner, let registrar, let key else { return try apply() }
    guard change.edit == nil else { return try tell(change, of: owner, key, registrar, .anything, apply) }
    try tell(change, of: owner, key, registrar, .write(place.accessor)) { () throws(KVError) in
      // Whoever was asked before the change may have changed the collection, too.
      let current = try change.inPlace.flatMap { edit throws(KVError) in try changed(by: edit, at: place) }
      try set(current ?? value, at: place)
    }
  }

  /// Returns the key if a change of it has to be told.
  private func told(at place: Place, by registrar: KVRegistrar) -> KVKey? {
    guard
      let key = place.accessor?.key ?? KVKey.existing(place.key), registrar.mayObserve(key),
      place.accessor?.declaration.notifiesManually != true
    else { return nil }
    return key
  }

  /// Tells of a change around a body that makes it, and that reaches the property by some way.
  func tell(
    _ change: Change, of owner: AnyObject, _ key: KVKey, _ registrar: KVRegistrar, _ way: HeldWrite.Way,
    _ apply: () throws(KVError) -> Void
  ) throws(KVError) {
    var outcome: Result<Void, KVError> = .success(())
    withAddress(of: change.old()) { old in
      withAddress(of: change.new()) { new in
        let notice = KVChangeNotice(
          object: owner, key: key, kind: change.kind, indexes: change.indexes, valueType: [Any].self,
          oldAddress: old, newAddress: new, boxer: Boxer<[Any]>.self)
        do throws(KVError) { try registrar.bracket(notice, reaching: way, apply) } catch { outcome = .failure(error) }
      }
    }
    try outcome.get()
  }

  /// Calls an owner's own function: on the owner where it is an object, else on a copy that is written back.
  private func call(_ edit: Edit, at place: Place) throws(KVError) {
    if place.info.isObject {
      if WriteLog.isActive, let log = WriteLog.current { self.log(place, in: log) }
      place.letGo()
      return try edit(Owner(object(in: place.owner)))
    }
    guard let parent = path.parent else { return }
    var outcome: Result<Void, KVError> = .success(())
    let changed = copy(place.owner) { memory in
      do throws(KVError) { try edit(Owner(at: memory)) } catch { outcome = .failure(error) }
    }
    try outcome.get()
    _ = try Writer(parent).set(changed, in: root)
  }

  /// Logs how the collection is put back: as a whole where the key can be set, else element by element.
  private func log(_ place: Place, in log: WriteLog) {
    guard let owner = object(in: place.owner) as? any KeyValueCoding & AnyObject else { return }
    let elements = place.collection?.elements.map { boxed($0) } ?? []
    let isArray = form == .array
    log.log(place.key, of: owner) { () throws(KVError) in
      if isArray {
        let array = owner.mutableArray(forKey: place.key)
        try array.removeAll()
        try array.append(contentsOf: elements)
      } else {
        try owner.mutableSet(forKey: place.key).set(elements)
      }
    }
  }

  private func set(_ value: Any?, at place: Place) throws(KVError) {
    if place.info.isObject {
      _ = try Writer.set(value, forKey: place.key, of: place.owner, place.info)
    } else {
      _ = try Writer(path).set(value, in: root)
    }
  }
}

private func withAddress(of elements: [Any]?, _ body: (UnsafeRawPointer?) -> Void) {
  guard let elements else { return body(nil) }
  withUnsafePointer(to: elements) { body(UnsafeRawPointer($0)) }
}
