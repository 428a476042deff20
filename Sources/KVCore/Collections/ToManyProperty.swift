/// A to-many key of an object, seen by a proxy: always read through the owner, always written through its accessors.
struct ToManyProperty {
  /// An owner's own function, given the owner.
  typealias Edit = (Owner) throws(KVError) -> Void

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
      throw error.located(path: path.description, root: typeName(Swift.type(of: root)))
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
      guard let collection = value as? any CollectionValue, !Swift.type(of: collection).isKeyed else {
        throw Failure.notACollection(place.key, value, wanted: wanted)
      }
      return collection.elements
    }
  }

  /// Returns elements as the property holds them; what does not fit is refused before anything is told or changed.
  func fitting(_ elements: [Any], _ place: Place) throws(KVError) -> [Any] {
    do throws(CoercionFailure) {
      guard let type = type(of: place) else { return elements }
      let coercion = place.accessor?.declaration.coercion ?? Coercion()
      let collection = try coercion.convertErased(elements, to: type) as? any CollectionValue
      return collection?.elements.map(boxed) ?? elements
    } catch {
      throw Failure.coercion(error, key: place.key, of: place.info.type)
    }
  }

  /// Makes a change through an owner's own function, or by setting a changed copy; told once, by its kind.
  ///
  /// What can be refused is refused before the change is told (KVC.14).
  ///
  /// - Parameters:
  ///   - place: The owner.
  ///   - kind: The kind of the change.
  ///   - indexes: The indexes concerned; nil for sets.
  ///   - old: The elements that go, or nil.
  ///   - new: The elements that come, fitting, or nil.
  ///   - edit: The owner's function, given the owner; nil to set `changed`.
  ///   - changed: All elements after the change.
  func change(
    _ place: Place, _ kind: KVChangeNotice.Kind, indexes: [Int]?, old: [Any]?, new: [Any]?,
    edit: Edit?, changed: () -> [Any?]
  ) throws(KVError) {
    let value = edit == nil ? try collection(place, changed()) : nil
    if edit == nil, place.info.isObject { _ = try Writer.check(value, forKey: place.key, of: place.owner, place.info) }
    let apply = { () throws(KVError) in
      if let edit { try self.edit(place, edit) } else { try set(place, value) }
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

  /// The type of the collection: the key's own, or that of what is there now.
  private func type(of place: Place) -> Any.Type? {
    place.accessor?.value.type ?? place.value.map { Swift.type(of: $0) }
  }

  private func collection(_ place: Place, _ elements: [Any?]) throws(KVError) -> Any {
    guard let type = type(of: place) else { return elements }
    do throws(CoercionFailure) { return try Coercion().convertErased(elements, to: type) } catch {
      throw Failure.coercion(error, key: place.key, of: place.info.type)
    }
  }

  /// Calls an owner's own function: on the owner where it is an object, else on a copy that is written back.
  private func edit(_ place: Place, _ edit: Edit) throws(KVError) {
    if place.info.isObject { return try edit(Owner(object(in: place.owner))) }
    guard let parent = path.parent else { return }
    var outcome: Result<Void, KVError> = .success(())
    let changed = copy(place.owner) { memory in
      do throws(KVError) { try edit(Owner(at: memory)) } catch { outcome = .failure(error) }
    }
    try outcome.get()
    _ = try Writer(parent).set(changed, in: root)
  }

  private func set(_ place: Place, _ value: Any?) throws(KVError) {
    if place.info.isObject {
      _ = try Writer.set(value, forKey: place.key, of: place.owner, place.info)
    } else {
      _ = try Writer(path).set(value, in: root)
    }
  }
}

/// Returns an element as it stands in an array of `Any`: without an optional around it, unless it is nil.
func boxed(_ element: Any?) -> Any { element ?? Any?.none as Any }

private func withAddress(of elements: [Any]?, _ body: (UnsafeRawPointer?) -> Void) {
  guard let elements else { return body(nil) }
  withUnsafePointer(to: elements) { body(UnsafeRawPointer($0)) }
}
