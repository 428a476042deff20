/// A to-many key of an object, seen by a proxy: always read through the owner, always written through its accessors.
struct ToManyProperty {
  /// An owner's own function, given the owner's base.
  typealias Edit = (UnsafeMutableRawPointer) throws(KVError) -> Void

  let root: any KeyValueCoding & AnyObject
  let path: KVKeyPath

  /// The object that holds the key, its accessor if its table has one, and what stands there now.
  struct Place {
    let owner: Any
    let key: String
    let info: TypeInfo
    let accessor: Accessor?
    let value: Any?
  }

  func located<Result>(_ body: () throws(KVError) -> Result) throws(KVError) -> Result {
    do throws(KVError) { return try body() } catch {
      throw error.located(path: path.description, root: typeName(type(of: root)))
    }
  }

  /// Finds the owner of the last component.
  func place() throws(KVError) -> Place {
    var owner: Any = root
    if let parent = path.parent {
      guard let found = try Reader(parent).value(of: root) else {
        throw Failure.unresolved(path.last.description, value: "\"\(parent)\"", of: root)
      }
      owner = found
    }
    let info = TypeInfo.of(owner)
    let name: String
    switch path.last {
    case .key(let key), .entry(let key): name = key
    case .index, .operator:
      throw KVError(.unsupported, "a collection proxy needs a key at the end of its path, not \(path.last).")
    }
    let value = try Reader.value(ofKey: name, in: owner)
    return Place(owner: owner, key: name, info: info, accessor: try info.accessor(name), value: value)
  }

  /// Returns the elements.
  func elements(wanted: String) throws(KVError) -> [Any?] {
    try located { () throws(KVError) in
      let place = try place()
      guard let value = place.value else { return [] }
      guard let collection = value as? any CollectionValue, !type(of: collection).isKeyed else {
        throw Failure.notACollection(place.key, value, wanted: wanted)
      }
      return collection.elements
    }
  }

  /// Makes a change through an owner's own function, or by setting a changed copy; told once, by its kind.
  ///
  /// - Parameters:
  ///   - place: The owner.
  ///   - kind: The kind of the change.
  ///   - indexes: The indexes concerned; nil for sets.
  ///   - old: The elements that go, or nil.
  ///   - new: The elements that come, or nil.
  ///   - edit: The owner's function, given the owner's base; nil to set `changed`.
  ///   - changed: All elements after the change.
  func change(
    _ place: Place, _ kind: KVChangeNotice.Kind, indexes: [Int]?, old: [Any]?, new: [Any]?,
    edit: Edit?, changed: @escaping () -> [Any?]
  ) throws(KVError) {
    let apply = { () throws(KVError) in
      if let edit, place.info.isObject {
        try edit(base(of: object(in: place.owner)))
      } else {
        try setCopy(place, changed())
      }
    }
    guard
      place.info.isObservable, case let owner = object(in: place.owner),
      let registrar = NotifyingWrite.registrar(of: owner, place.info),
      let key = place.accessor?.key ?? KVKey.existing(place.key), registrar.mayObserve(key),
      place.accessor?.declaration.notifiesManually != true
    else { return try apply() }
    var outcome: Result<Void, KVError> = .success(())
    withAddress(of: old) { old in
      withAddress(of: new) { new in
        let notice = KVChangeNotice(
          object: owner, key: key, kind: kind, indexes: indexes, valueType: [Any].self, oldAddress: old,
          newAddress: new)
        do throws(KVError) { try registrar.bracket(notice, apply) } catch { outcome = .failure(error) }
      }
    }
    try outcome.get()
  }

  /// Sets all elements: as the collection that is there now, or as the key's own type.
  private func setCopy(_ place: Place, _ elements: [Any?]) throws(KVError) {
    var value: Any = elements
    do throws(CoercionFailure) {
      if let type = place.accessor?.value.type ?? place.value.map({ type(of: $0) }) {
        value = try Coercion().convertErased(elements, to: type)
      }
    } catch {
      throw Failure.coercion(error, key: place.key, of: place.info.type)
    }
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
