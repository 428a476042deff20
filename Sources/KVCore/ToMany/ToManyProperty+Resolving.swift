extension ToManyProperty {
  /// The owner of the key, its accessor if its table declares the key, and the current collection.
  final class ResolvedProperty {
    let owner: Any
    let key: String
    let info: TypeInfo
    let accessor: Accessor?
    /// The current collection, which has the form of the view; `nil` if the property is nil or the collection is
    /// released.
    private(set) var collection: (any CollectionValue)?
    /// Whether the property is nil.
    let isNil: Bool
    /// The type that elements are converted to: that of the key or of the current collection; `nil` if any type is
    /// possible.
    let type: (any CollectionValue.Type)?

    init(_ owner: Any, _ key: String, _ info: TypeInfo, _ accessor: Accessor?, _ collection: (any CollectionValue)?) {
      self.owner = owner
      self.key = key
      self.info = info
      self.accessor = accessor
      self.collection = collection
      isNil = collection == nil
      type = if let accessor { accessor.value.collection } else { collection.map { Swift.type(of: $0) } }
    }

    /// Releases the collection, so that a table function can edit it in place; a second reference would cause a copy.
    func releaseCollection() { collection = nil }

    var count: Int { collection?.elementCount ?? 0 }
    var ordered: (any OrderedValue)? {
      guard let collection else { return nil }
      return accessor?.value.ordered?.exactCast(collection) ?? (collection as? any OrderedValue)?.indexable
    }
    var unordered: (any UnorderedValue)? { collection as? any UnorderedValue }
  }

  /// Finds the owner of the last component and reads the key, unless its elements can be counted unread.
  ///
  /// - Throws: ``KVError``: the errors of reading the key path, `unresolvedPath` if an intermediate value is nil, and
  ///   `unsupported` if the property does not have the form of the view.
  /// - Complexity: O(1), besides reading the path.
  func resolve(_ use: Use = .elements) throws(KVError) -> ResolvedProperty {
    let name: String
    switch path.last {
    case .key(let key), .entry(let key): name = key
    case .index, .operator:
      throw KVError(.unsupported, "a view needs a key at the end of its path, not \(path.last).")
    }
    let owner = try owner(of: name)
    let info = TypeInfo.of(owner)
    let accessor = try info.accessor(name)
    if form == .array, let counted = accessor?.counted(owner) {
      return ResolvedProperty(owner, name, info, accessor, counted)
    }
    let value = try value(name, of: owner)
    let collection = try collection(name, value, accessor)
    if use == .elements { try collection?.checkCount() }
    return ResolvedProperty(owner, name, info, accessor, collection)
  }

  /// The current array if tables lead to it from object to object; for reading what cannot fail.
  @inline(__always)
  var listedArray: (any OrderedValue)? {
    guard form == .array, path.policy == nil, let (owner, accessor) = path.leaf(of: root) else { return nil }
    return accessor.borrow { accessor in
      guard let type = accessor.value.ordered, accessor.declaration.counted == nil else { return nil }
      return type.read(by: accessor, of: owner)
    }
  }

  private func value(_ name: String, of owner: Any) throws(KVError) -> Any? {
    do throws(KVError) { return try Reader(path).value(of: owner, from: path.count - 1) } catch {
      guard error.code == .undefinedKey, path.parent == nil, name.contains(".") else { throw error }
      let method = form == .set ? "mutableSet(forKeyPath:)" : "mutableArray(forKeyPath:)"
      throw Failure.undefinedKey(name, of: owner, forPaths: method)
    }
  }

  /// The text of the path of the first element of the collection that the last key is read from.
  private var pathOfFirstElement: String {
    let components = path.components
    let key = components.dropFirst().lastIndex { $0.takesDot } ?? components.count - 1
    let parts = [components[..<key], components[key...]].map { part in
      (try? KVKeyPath(components: Array(part)))?.description ?? ""
    }
    return parts.joined(separator: "[0].")
  }

  private func owner(of key: String) throws(KVError) -> Any {
    let last = path.count - 1
    guard let parent = path.parent else {
      try path.check(at: last, of: root, writing: true)
      return root
    }
    guard let found = try Reader(parent).value(of: root) else {
      throw Failure.unresolved(path.last.description, value: "\"\(parent)\"", of: root)
    }
    // A collection of one owner is edited in place, those of several owners are set.
    let info = TypeInfo.of(found)
    if info.resolvesPaths, let resolver = found as? any PathResolving {
      let owners = resolver.pathOwners
      for owner in owners { try path.check(at: last, of: owner, writing: true) }
      return owners.count == 1 ? owners[0] : found
    }
    let accessor = try info.accessor(key)
    if info.kind == .ordered || info.kind == .unordered || info.isForeignCollection && accessor == nil {
      let one = info.kind == .unordered ? "by its key \"\(key)\"" : "such as \"\(pathOfFirstElement)\""
      throw KVError(
        .unsupported,
        """
        "\(path)" leads through the elements of a collection, each of which has its own. Make the view of one element, \
        \(one).
        """, component: path.last.description)
    }
    try path.check(at: last, of: found, writing: true)
    return found
  }

  /// Returns a value as a collection of the view's form; for nil the declared type is checked instead.
  private func collection(
    _ key: String, _ value: Any?, _ accessor: Accessor?
  ) throws(KVError) -> (any CollectionValue)? {
    guard let value else {
      guard let type = accessor?.value.type, !form.fits(type) else { return nil }
      throw KVError(
        .unsupported, "\"\(key)\" is not \(form.withArticle): its type is \(typeName(type)).", component: key)
    }
    // A type that the table declares needs no search for conformances.
    if form == .array, let array = accessor?.value.ordered?.exactCast(value) { return array }
    guard let collection = collectionValue(value), form.fits(collection: Swift.type(of: collection)) else {
      throw Failure.notACollection(key, value, wanted: form.withArticle)
    }
    return collection
  }
}
