extension ToManyProperty {
  /// The object that holds the key, its accessor if its table has one, and what stands there now.
  struct Place {
    let owner: Any
    let key: String
    let info: TypeInfo
    let accessor: Accessor?
    private let held: Held
    /// The type that elements have to fit into: the key's own, or that of what is there now; nil where anything goes.
    let type: (any CollectionValue.Type)?

    /// What stands there, until it is let go.
    private final class Held {
      var collection: (any CollectionValue)?
      init(_ collection: (any CollectionValue)?) { self.collection = collection }
    }

    init(
      owner: Any, key: String, info: TypeInfo, accessor: Accessor?, collection: (any CollectionValue)?,
      type: (any CollectionValue.Type)?
    ) {
      self.owner = owner
      self.key = key
      self.info = info
      self.accessor = accessor
      self.type = type
      held = Held(collection)
    }

    /// The collection, which is of the view's form; nil where the property is nil.
    var collection: (any CollectionValue)? { held.collection }

    /// Lets go of the collection, so that its owner's function can change it in its place; a second reference would make
    /// that a copy.
    func letGo() { held.collection = nil }

    var count: Int { collection?.elementCount ?? 0 }
    var ordered: (any OrderedValue)? {
      guard let collection else { return nil }
      return accessor?.value.ordered?.exactly(collection) ?? collection as? any OrderedValue
    }
    var unordered: (any UnorderedValue)? { collection as? any UnorderedValue }
  }

  /// Finds the owner of the last component, and reads the key.
  ///
  /// - Throws: ``KVError``: as reading the path does, and `unsupported` if the property is not of the view's form.
  /// - Complexity: O(1), beside reading the path.
  func place() throws(KVError) -> Place {
    let owner = try owner()
    let name: String
    switch path.last {
    case .key(let key), .entry(let key): name = key
    case .index, .operator:
      throw KVError(.unsupported, "a collection proxy needs a key at the end of its path, not \(path.last).")
    }
    let info = TypeInfo.of(owner)
    let value = try Reader.value(ofKey: name, in: owner)
    let accessor = try info.accessor(name)
    let collection = try collection(name, value, accessor)
    let type: (any CollectionValue.Type)? =
      if let accessor { accessor.value.collection } else { collection.map { Swift.type(of: $0) } }
    return Place(owner: owner, key: name, info: info, accessor: accessor, collection: collection, type: type)
  }

  private func owner() throws(KVError) -> Any {
    guard let parent = path.parent else { return root }
    guard let found = try Reader(parent).value(of: root) else {
      throw Failure.unresolved(path.last.description, value: "\"\(parent)\"", of: root)
    }
    return found
  }

  /// Returns a value as a collection of the view's form; of nil the declared type tells whether it might be one.
  private func collection(
    _ key: String, _ value: Any?, _ accessor: Accessor?
  ) throws(KVError) -> (any CollectionValue)? {
    guard let value else {
      guard let type = accessor?.value.type, !form.fits(type) else { return nil }
      throw KVError(.unsupported, "\"\(key)\" is no \(form): its type is \(typeName(type)).", component: key)
    }
    // What the table declares needs no look-up of conformances.
    if form == .array, let array = accessor?.value.ordered?.exactly(value) { return array }
    guard let collection = value as? any CollectionValue, form.fits(collection: Swift.type(of: collection)) else {
      throw Failure.notACollection(key, value, wanted: form.rawValue)
    }
    return collection
  }
}
