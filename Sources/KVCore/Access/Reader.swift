/// Reads along key paths, whatever the values on the way are.
///
/// Plain components are walked in a loop, so that a long path needs no stack; only collections in collections and
/// operators recurse, and those are bounded by ``Limits/nesting``.
package struct Reader {
  let hops: KVKeyPath.Storage
  var depth = 0

  package init(_ path: KVKeyPath) { hops = path.storage }

  private init(_ hops: KVKeyPath.Storage, depth: Int) {
    self.hops = hops
    self.depth = depth
  }

  /// Returns the value of the path from a component on, or nil if a nil ended the way (KVC.7).
  package func value(of root: Any, from start: Int = 0) throws(KVError) -> Any? {
    guard var current = unwrappingOptionals(root) else { return nil }
    for index in start..<hops.count {
      let component = hops.components[index]
      if case .operator(let name, let argument) = component {
        let call = OperatorCall(name: name, argument: argument, reader: deeper(), next: index + 1)
        switch try call.evaluate(on: current) {
        case .complete(let value): return value
        case .continuing(let value):
          guard let value else { return nil }
          current = value
          continue
        }
      }
      guard let next = try step(index, of: current) else { return nil }
      current = next
    }
    return current
  }

  /// Returns the value of the path of an object from a component on; the short way where tables lead all along.
  package func value(ofObject root: AnyObject, from start: Int) throws(KVError) -> Any? {
    if let (owner, accessor) = FastAccess.resolveLeaf(of: hops, from: root, startingAt: start) {
      return accessor._withUnsafeGuaranteedRef { $0.readAny(owner) }
    }
    return try value(of: root, from: start)
  }

  private func deeper() -> Reader { Reader(hops, depth: depth + 1) }

  /// Returns the value of one component.
  private func step(_ index: Int, of current: Any) throws(KVError) -> Any? {
    switch hops.components[index] {
    case .key(let key): return try Self.value(ofKey: key, in: current, hop: hops.hops + index, depth: depth)
    case .entry(let key): return try Self.value(ofEntry: key, in: current)
    case .index(let index): return try Self.element(index, of: current)
    case .operator: return nil
    }
  }

  // MARK: One component

  /// Returns the value of a key, mapped over the elements of arrays and sets (KVC.5).
  package static func value(ofKey key: String, in owner: Any) throws(KVError) -> Any? {
    try value(ofKey: key, in: owner, hop: nil)
  }

  static func value(
    ofKey key: String, in owner: Any, hop: UnsafeMutablePointer<KVKeyPath.Hop>?, depth: Int = 0
  ) throws(KVError) -> Any? {
    let info = TypeInfo.of(owner)
    if key == "self", try isItself(owner) { return owner }
    switch info.kind {
    case .ordered, .unordered:
      return try mapped(key, over: owner, isSet: info.kind == .unordered, hop: hop, depth: depth)
    case .keyed:
      return (owner as? any KeyedValue)?.entry(key)
    case .optional:
      guard let value = unwrappingOptionals(owner) else { return nil }
      return try self.value(ofKey: key, in: value, hop: hop, depth: depth)
    default:
      return try property(key, of: owner, info)
    }
  }

  /// Whether the key `self` means the owner itself, which has no key or entry of that name (KVC.1).
  static func isItself(_ owner: Any) throws(KVError) -> Bool {
    let info = TypeInfo.of(owner)
    switch info.kind {
    case .optional: return false
    case .ordered, .unordered: return true
    case .keyed: return (owner as? any KeyedValue)?.entry("self") == nil
    case .record: return (owner as? KVRecord)?["self"] == nil
    default: return try info.accessor("self") == nil && info.fields.field("self") == nil
    }
  }

  /// Returns the value of a key of something that is no collection.
  static func property(_ key: String, of owner: Any, _ info: TypeInfo) throws(KVError) -> Any? {
    if let accessor = try info.accessor(key) {
      return withOwner(in: owner, isObject: info.isObject) { owner in accessor.readAny(owner) }
    }
    switch info.kind {
    case .record:
      if let record = owner as? KVRecord { return record[key] }
    case .tuple:
      if let value = Int(key).flatMap({ ReflectedValue.readElement($0, of: owner) }) { return value }
      if let value = ReflectedValue.readChild(key, of: owner) { return value }
    case .enumeration where info.table.listsAllKeys:
      break
    case .enumeration:
      if let value = ReflectedValue.readChild(key, of: owner) { return value }
      // Cases are not listed anywhere: a key that is not this case's is another case's (KVC.3).
      if !info.isCoding { return nil }
    default:
      let fields = info.fields.variesByValue ? ReflectedFields(of: owner) : info.fields
      if let field = fields.field(key) { return ReflectedValue.read(field, of: owner) }
    }
    if let coding = owner as? any KeyValueCoding {
      return try coding.value(forUndefinedKey: key).flatMap(unwrappingOptionals)
    }
    throw Failure.undefinedKey(key, of: owner)
  }

  private static func mapped(
    _ key: String, over owner: Any, isSet: Bool, hop: UnsafeMutablePointer<KVKeyPath.Hop>?, depth: Int
  ) throws(KVError) -> Any? {
    guard depth < Limits.nesting else { throw Failure.tooDeep(key) }
    guard let collection = owner as? any CollectionValue else { return nil }
    var results: [Any?] = []
    results.reserveCapacity(collection.elementCount)
    if let hop, try FastAccess.values(of: collection, at: hop, to: &results) { return results }
    results.removeAll(keepingCapacity: true)
    try collection.forEachElement { element throws(KVError) in
      guard let element else { return results.append(nil) }
      results.append(try value(ofKey: key, in: element, hop: hop, depth: depth + 1))
    }
    return isSet ? hashableSet(results) ?? results : results
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

  /// Returns the entry of a dictionary or record under any text; of anything else, the value of the key.
  package static func value(ofEntry key: String, in owner: Any) throws(KVError) -> Any? {
    let info = TypeInfo.of(owner)
    if info.kind == .ordered || info.kind == .unordered { throw Failure.notKeyed(key, owner) }
    // An entry of that name and nothing else: `self` in quotes is no key of its own.
    if let record = owner as? KVRecord { return record[key] }
    if info.kind == .keyed { return (owner as? any KeyedValue)?.entry(key) }
    return try value(ofKey: key, in: owner)
  }

  /// Returns the element at an index.
  package static func element(_ index: Int, of owner: Any) throws(KVError) -> Any? {
    let info = TypeInfo.of(owner)
    if info.kind == .tuple {
      guard let value = ReflectedValue.readElement(index, of: owner) else {
        throw Failure.indexOutOfRange(index, count: ReflectedValue.childNames(of: owner).count)
      }
      return value
    }
    guard let collection = owner as? any OrderedValue else { throw Failure.notOrdered(index, owner) }
    guard index < collection.elementCount else {
      throw Failure.indexOutOfRange(index, count: collection.elementCount)
    }
    return collection.element(at: index)
  }
}
