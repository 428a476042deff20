/// Reads along key paths, through values of any type.
///
/// A loop walks plain components, so that a long path needs no stack. Only collections in collections and operators
/// recurse, up to ``Limits/nesting``.
package struct Reader {
  let hops: KVKeyPath.Storage
  /// The number of components that are read.
  let count: Int
  var nesting = Nesting()

  package init(_ path: KVKeyPath) { self.init(path.storage, path.storage.count) }

  /// Reads the components of a path up to one.
  package init(_ path: KVKeyPath, to last: Int) { self.init(path.storage, last + 1) }

  /// Reads the first components of a path.
  init(_ hops: KVKeyPath.Storage, _ count: Int, nesting: Nesting = Nesting()) {
    self.hops = hops
    self.count = count
    self.nesting = nesting
  }

  /// Returns the value of the path from a component on, or nil if a value on the path is nil (KVC.7).
  package func value(of root: Any, from start: Int = 0) throws(KVError) -> Any? {
    guard let root = unwrappingOptionals(root) else { return nil }
    if start == count { return root }
    if start == count - 1, hops.hops[start].isUnlimitedKey { return try value(of: root, at: hops.hops + start) }
    let ofStruct = try withStruct(in: root) { address, info throws(KVError) in
      try value(ofStructAt: address, info, from: start)
    }
    if let ofStruct { return ofStruct }
    return try PathCursor.walk(hops, count - 1, from: root, at: start, nesting: nesting) { cursor throws(KVError) in
      try cursor.value()
    }
  }

  /// Returns the value of the path of a struct in memory, from a component on.
  func value(ofStructAt address: Address, _ info: TypeInfo, from start: Int = 0) throws(KVError) -> Any? {
    try PathCursor.walk(hops, count - 1, fromStructAt: address, info, at: start, nesting: nesting) {
      cursor throws(KVError) in try cursor.value()
    }
  }

  /// Returns the value of one key of a value, which needs no walk.
  private func value(of root: Any, at hop: AddressOf<KVKeyPath.Hop>) throws(KVError) -> Any? {
    // The dictionaries of parsers, whose entries are read most.
    if let dictionary = exactCast(root, [String: Any].self), let value = dictionary[hop.pointee.key],
      hop.pointee.key.utf8.first != UInt8(ascii: "@")
    {
      return unwrappingOptionals(value)
    }
    let info = TypeInfo.of(root)
    if let accessor = hop.pointee.accessor(in: info) {
      return Self.value(by: accessor.object, of: root, info)
    }
    return try Self.unlisted(hop.pointee.key, of: root, info, hop: hop, nesting: nesting)
  }

  /// Moves the value of the path into memory if it is of a type; else returns it, and the line of a table that it is
  /// read by.
  func value(
    of root: Any, as type: ObjectIdentifier, into memory: Address
  ) throws(KVError) -> TypedRead {
    guard let root = unwrappingOptionals(root) else { return .other(nil, nil) }
    let info = TypeInfo.of(root)
    if count == 1, hops.hops[0].isUnlimitedKey, hops.hops[0].accessor(in: info) == nil {
      if let reflected = hops.hops[0].reflectedAccessor(in: info), reflected.borrow({ $0.valueID == type }) {
        withOwner(in: root, isObject: info.isObject) { owner in
          reflected.borrow { $0.read(owner.object, owner.address, memory) }
        }
        return .moved
      }
      return PathCursor.moving(try value(of: root, at: hops.hops), as: type, into: memory, nil)
    }
    let ofStruct = try withStruct(in: root) { address, info throws(KVError) in
      try value(ofStructAt: address, info, as: type, into: memory)
    }
    if let ofStruct { return ofStruct }
    return try PathCursor.walk(hops, count - 1, from: root, at: 0, nesting: nesting) { cursor throws(KVError) in
      try cursor.value(as: type, into: memory)
    }
  }

  /// Moves the value of the path of a struct in memory to other memory, if it is of a type; else returns it.
  func value(
    ofStructAt address: Address, _ info: TypeInfo, as type: ObjectIdentifier, into memory: Address
  ) throws(KVError) -> TypedRead {
    try PathCursor.walk(hops, count - 1, fromStructAt: address, info, nesting: nesting) { cursor throws(KVError) in
      try cursor.value(as: type, into: memory)
    }
  }

  /// Returns the value of the path of an object from a component on, or nil if a value on the path is nil.
  package func value(of root: AnyObject, from start: Int) throws(KVError) -> Any? {
    try Self.value(of: root, hops, count, from: start)
  }

  /// Returns the value of the first components of a path of an object, from one of them on.
  @inline(__always)
  static func value(
    of root: AnyObject, _ path: KVKeyPath.Storage, _ count: Int, from start: Int = 0
  ) throws(KVError) -> Any? {
    var objects = ObjectCursor(path, count - 1, root, at: start)
    guard objects.advance() else {
      objects.end()
      return nil
    }
    guard let leaf = objects.leaf else { return try valueThroughValues(objects) }
    defer { objects.end() }
    return objects.with(leaf) { accessor, object in accessor.readAny(object) }
  }

  @inline(never)
  private static func valueThroughValues(_ objects: ObjectCursor) throws(KVError) -> Any? {
    try PathCursor.walk(objects) { cursor throws(KVError) in try cursor.value() }
  }

  /// Returns the owner of the last component of the path, or nil if a value on the path is nil.
  func owner(of root: Any) throws(KVError) -> Any? {
    try Reader(hops, count - 1).value(of: root).flatMap(unwrappingOptionals)
  }

  // MARK: One component

  /// Returns the value of a key, mapped over the elements of arrays and sets (KVC.5).
  package static func value(ofKey key: String, in owner: Any) throws(KVError) -> Any? {
    let info = TypeInfo.of(owner)
    if let accessor = try info.accessor(key) { return value(by: accessor, of: owner, info) }
    return try unlisted(key, of: owner, info)
  }

  private static func value(by accessor: Accessor, of owner: Any, _ info: TypeInfo) -> Any? {
    withOwner(in: owner, isObject: info.isObject) { owner in accessor.readAny(owner) }
  }

  /// Whether the key `self` means the owner itself: the owner has no key or entry of that name (KVC.1), or none that the
  /// policy permits (SEC.2).
  static func isItself(_ owner: Any, _ policy: PathPolicy?) throws(KVError) -> Bool {
    let info = TypeInfo.of(owner)
    if info.kind != .optional, let policy, try !policy.permits("self", of: info) { return true }
    switch info.kind {
    case .optional: return false
    case .ordered, .unordered: return true
    case .keyed: return keyedValue(owner)?.hasEntry("self") == false
    case .record: return KVRecord.record(owner)?.hasKey("self") == false
    default: return try info.accessor("self") == nil && info.fields.field("self") == nil
    }
  }

  /// Returns the value of a key of an object (KVC.1).
  static func value(ofKey key: String, of object: AnyObject) throws(KVError) -> Any? {
    if let accessor = TypeInfo.accessor(of: object, key) {
      return accessor.borrow { $0.readAny(object) }
    }
    return try unlisted(key, of: object, TypeInfo.of(object: object))
  }

  /// Returns the value of a key that the table of its owner's type does not list.
  static func unlisted(
    _ key: String, of owner: Any, _ info: TypeInfo, hop: AddressOf<KVKeyPath.Hop>? = nil,
    nesting: Nesting = Nesting()
  ) throws(KVError) -> Any? {
    if let reflected = if let hop { hop.pointee.reflectedAccessor(in: info) } else { info.reflectedAccessor(key) } {
      return value(by: reflected.object, of: owner, info)
    }
    if key == "self", try isItself(owner, hop?.pointee.policy) { return owner }
    try Failure.checkNoOperator(key, of: owner)
    if let fault = info.fault { throw fault }
    // The elements of a collection, and the value in an optional, are read by the hop as well.
    if let policy = hop?.pointee.policy, info.kind != .optional, !info.mapsKey(key, of: owner) {
      try policy.check(key, of: owner)
    }
    switch info.kind {
    case .ordered, .unordered:
      return try mapped(key, over: owner, hop: hop, nesting)
    case .keyed:
      // The dictionaries of parsers: without generic code.
      if let dictionary = exactCast(owner, [String: Any].self) { return dictionary[key].flatMap(unwrappingOptionals) }
      return keyedValue(owner)?.entry(key)
    case .optional:
      return try unwrappingOptionals(owner).flatMap { value throws(KVError) in
        let info = TypeInfo.of(value)
        let found = if let hop { hop.pointee.accessor(in: info) } else { info.unmanagedAccessor(key) }
        if let found { return self.value(by: found.object, of: value, info) }
        return try unlisted(key, of: value, info, hop: hop, nesting: nesting)
      }
    case .record:
      if let record = KVRecord.record(owner) { return record[key] }
    case .tuple, .enumeration:
      if let value = part(key, of: owner, info) { return try data(value, key, owner) }
      // Cases are not listed anywhere: a key that this case does not have can be that of another case (KVC.3).
      if info.kind == .enumeration, !info.table.listsAllKeys, !info.isCoding, !isRawValue(key, of: info) { return nil }
    default:
      if let field = info.fields(of: owner).field(key) {
        if field.isFunction { throw Failure.reflectedFunction(key, of: owner) }
        return ReflectedValue.read(field, of: owner)
      }
      if info.isForeignCollection, !info.isCoding { return try mapped(key, over: owner, hop: hop, nesting) }
    }
    if let coding = owner as? any KeyValueCoding {
      return try coding.value(forUndefinedKey: key).flatMap(unwrappingOptionals)
    }
    throw Failure.undefinedKey(key, of: owner)
  }

  /// Whether a key is that of the raw value of an enum, which no case can be named.
  private static func isRawValue(_ key: String, of info: TypeInfo) -> Bool {
    key == "rawValue" && info.type is any RawRepresentable.Type
  }

  /// Returns an element of a tuple, by its position or label, or the payload of an enum, by the name of its case.
  ///
  /// - Returns: The value; `nil` in the outer optional if the owner has no such part.
  static func part(_ key: String, of owner: Any, _ info: TypeInfo) -> Any?? {
    switch info.kind {
    case .tuple:
      if let number = Int(key), let value = ReflectedValue.readElement(number, of: owner) { return .some(value) }
      return ReflectedValue.readChild(key, of: owner)
    case .enumeration where !info.table.listsAllKeys: return ReflectedValue.readChild(key, of: owner)
    default: return nil
    }
  }

  /// Returns an element of a tuple or the payload of an enum, unless it is a function.
  private static func data(_ value: Any?, _ key: String, _ owner: Any) throws(KVError) -> Any? {
    if let value, ReflectedValue.isFunction(type(of: value)) { throw Failure.reflectedFunction(key, of: owner) }
    return value
  }

  private static func mapped(
    _ key: String, over owner: Any, hop: AddressOf<KVKeyPath.Hop>?, _ nesting: Nesting
  ) throws(KVError) -> Any? {
    guard let collection = collectionValue(owner) else { return nil }
    return try mapped(key, over: collection, hop: hop, nesting)
  }

  /// Returns the values of a key of the elements of a collection.
  static func mapped(
    _ key: String, over collection: any CollectionValue, hop: AddressOf<KVKeyPath.Hop>?, _ nesting: Nesting
  ) throws(KVError) -> Any? {
    try read(collection, at: key, limit: hop?.pointee.policy?.elementLimit, nesting) { nesting throws(KVError) in
      if let hop, let array = collection.ordered, let found = values(of: array, at: hop) { return found }
      return try eachElement(of: collection) { element throws(KVError) in
        let info = TypeInfo.of(element)
        let found = if let hop { hop.pointee.accessor(in: info) } else { info.unmanagedAccessor(key) }
        if let found { return value(by: found.object, of: element, info) }
        return try unlisted(key, of: element, info, hop: hop, nesting: nesting.inner)
      }
    }
  }

  /// Returns the values of the components from one on, read from each element of a collection.
  ///
  /// They are a key and the subscripts behind it, which belong to the value of the key: here alone it is decided what a
  /// subscript behind the elements of a collection means (KVC.5).
  func mapped(over owner: Any, from start: Int) throws(KVError) -> Any? {
    guard let collection = collectionValue(owner) else { return nil }
    let limit = hops.hops[start].policy?.elementLimit
    return try Self.read(collection, at: hops.components[start].description, limit: limit, nesting) {
      nesting throws(KVError) in
      let reader = Reader(hops, count, nesting: nesting.inner)
      return try Self.eachElement(of: collection) { element throws(KVError) in
        try reader.value(of: element, from: start)
      }
    }
  }

  /// Returns what is read from the elements of a collection, which count against the limits of a read: a set for a set.
  @inline(__always)
  private static func read(
    _ collection: any CollectionValue, at component: String, limit: Int?, _ nesting: Nesting,
    _ values: (Nesting) throws(KVError) -> [Any?]
  ) throws(KVError) -> Any? {
    try Failure.checkNesting(nesting.depth, at: component)
    try collection.checkCount()
    let results = try nesting.counting(collection.elementCount, at: component, limit: limit, values)
    return type(of: collection).isOrdered ? results : hashableSet(results) ?? results
  }

  /// Returns what is read of each element; an error names the element.
  @inline(__always)
  private static func eachElement(
    of collection: any CollectionValue, _ read: (Any) throws(KVError) -> Any?
  ) throws(KVError) -> [Any?] {
    var index = -1
    return try collection.mapElements { element throws(KVError) in
      index += 1
      guard let element else { return nil }
      do throws(KVError) { return try read(element) } catch {
        throw error.ofElement(index, isOrdered: type(of: collection).isOrdered)
      }
    }
  }

  /// Returns the values as a set, or nil if one of them is not hashable.
  package static func hashableSet(_ values: [Any?]) -> Set<AnyHashable>? {
    var set: Set<AnyHashable> = []
    for value in values {
      guard let value else {
        set.insert(AnyHashable(AnyHashable?.none))
        continue
      }
      guard let hashable = value as? AnyHashable else { return nil }
      set.insert(hashable)
    }
    return set
  }

  /// Returns the entry of a dictionary or record for any text; for other owners the value of the key, or those of the
  /// elements.
  package static func value(ofEntry key: String, in owner: Any) throws(KVError) -> Any? {
    let info = TypeInfo.of(owner)
    if info.mapsKey(key, of: owner) {
      let path = KVKeyPath.Storage([.entry(key)])
      return try Reader(path, 1).mapped(over: owner, from: 0)
    }
    // Only the entry of that name: `self` in quotes is not the owner itself.
    if let record = KVRecord.record(owner) { return record[key] }
    return info.kind == .keyed ? keyedValue(owner)?.entry(key) : try value(ofKey: key, in: owner)
  }

  /// Returns the element at an index.
  package static func element(_ index: Int, of owner: Any) throws(KVError) -> Any? {
    let info = TypeInfo.of(owner)
    if info.kind == .tuple {
      guard let value = ReflectedValue.readElement(index, of: owner) else {
        throw Failure.indexOutOfRange(index, count: ReflectedValue.childNames(of: owner).count)
      }
      return try data(value, "[\(index)]", owner)
    }
    return try ordered(owner, at: index).element(at: index)
  }

  /// Returns an owner as an ordered collection that has an index.
  static func ordered(_ owner: Any, at index: Int) throws(KVError) -> any OrderedValue {
    guard let collection = collectionValue(owner)?.ordered else { throw Failure.notOrdered(index, owner) }
    guard index < collection.elementCount else {
      throw Failure.indexOutOfRange(index, count: collection.elementCount)
    }
    return collection
  }
}
