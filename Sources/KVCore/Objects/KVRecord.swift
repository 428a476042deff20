/// An object whose keys are its data: a model without a schema.
///
/// ```swift
/// let track: KVRecord = ["title": "So What", "artist": ["name": "Miles Davis"]]
/// track.title                                            // "So What", as Any?
/// try track.setValue("Bill Evans", forKeyPath: "artist.name")
/// track.dictionary                                       // a dictionary again, nested dictionaries too
/// ```
///
/// Nested dictionaries become records, so that every level is an object, can be observed and changes in place. Arrays
/// stay arrays, with records for their dictionaries. A missing key reads as nil, and setting nil removes the key. A null of a
/// document is a key whose value is nil: `keys` has it, and setting nil makes it null again. Keys are sorted.
///
/// The dot reads and writes the key of that name, unless the class has a member of the name: `keys`, `dictionary`,
/// `description`, `registrarSlot` and the methods, whose names stand for functions. For those keys write `track["keys"]`,
/// or use the methods by key, which reach every key. `track.count` and `track.value` are the values of these keys; the
/// number of keys is `track.keys.count`.
///
/// A record has no schema, so that the compiler cannot see a misspelt key and the wrong type of a value. Reading as a type
/// can: `track.value(forKey: "titel", as: String.self)` throws, and names the nearest key (KVC.17).
@dynamicMemberLookup
public final class KVRecord: KVObject {
  private struct Content {
    var values: [String: Any] = [:]
    /// The keys that are null while they have no value in `values`.
    var nulls: Set<String> = []

    var keys: some Sequence<String> {
      [Array(values.keys), nulls.filter { values[$0] == nil }].joined()
    }
  }

  #if compiler(>=6.2)
    @safe
  #endif
  @exclusivity(unchecked) private var content = Content()

  /// Creates an empty record.
  public override init() {}

  /// Creates a record from a dictionary, with records for nested dictionaries.
  ///
  /// - Parameter dictionary: The values by key. The key of a nil value is kept, at every level.
  /// - Throws: ``KVError`` (`limitExceeded`) if collections are nested more than 200 deep (KVC.18).
  /// - Complexity: O(*n*) in the number of values at all levels.
  public init(_ dictionary: [String: Any?]) throws(KVError) {
    super.init()
    for (key, value) in dictionary { try adopt(value, forKey: key, depth: 1) }
  }

  /// Stores a value in a record that nobody has yet.
  private func adopt(_ value: Any?, forKey key: String, depth: Int) throws(KVError) {
    if let value = try value.flatMap({ value throws(KVError) in try Self.adopted(value, depth: depth) }) {
      content.values[key] = value
    } else {
      content.nulls.insert(key)
    }
  }

  /// Returns a value as a record, or nil if it is none.
  static func record(_ owner: Any) -> KVRecord? {
    exactCast(owner, KVRecord.self) ?? objectCast(owner, to: KVRecord.self)
  }

  /// The keys of the record, sorted.
  ///
  /// - Complexity: O(*n* log *n*).
  public var keys: [String] { content.keys.sorted() }

  /// Whether the record has a key, whose value may be null.
  package func hasKey(_ key: String) -> Bool { content.values[key] != nil || content.nulls.contains(key) }

  /// The value of a key, which may be any text.
  ///
  /// A missing key has the value nil, as a null has. Setting nil removes the key, or makes it null again if it was null in
  /// the dictionary or document. Collections that are nested too deeply to become records are stored as they are, while
  /// `setValue(_:forKey:)` throws.
  ///
  /// - Parameter key: Any text, which may contain dots.
  /// - Returns: The value, or nil if the key is missing.
  public subscript(key: String) -> Any? {
    get { content.values[key] }
    set { assign(consume newValue, forKey: key) }
  }

  /// The value of a key that is a Swift identifier.
  ///
  /// - Parameter key: The key. A key with the name of a member of the class needs `record["keys"]`.
  /// - Returns: The value, or nil if the key is missing.
  public subscript(dynamicMember key: String) -> Any? {
    get { content.values[key] }
    set { assign(consume newValue, forKey: key) }
  }

  /// The value of the key `value`; without this property `record.value` would be the methods of that name.
  public var value: Any? {
    get { self["value"] }
    set { self["value"] = newValue }
  }

  /// Sets the value of a key by the dot or the subscript, which cannot throw.
  private func assign(_ value: consuming Any?, forKey key: String) {
    if putAsItIs(&value, forKey: key) { return }
    guard let value = value.flatMap(unwrappingOptionals) else { return store(nil, forKey: key) }
    do throws(KVError) { store(try Self.adopted(value, depth: 1), of: value, forKey: key) } catch {
      store(value, forKey: key)
    }
  }

  /// Sets the value of a key by key-value coding.
  func set(_ value: consuming Any?, forKey key: String) throws(KVError) {
    if putAsItIs(&value, forKey: key) { return }
    guard let value = value.flatMap(unwrappingOptionals) else { return store(nil, forKey: key) }
    store(try Self.adopted(value, depth: 1), of: value, forKey: key)
  }

  /// Stores the form of a value that has none if it is a null.
  private func store(_ adopted: Any?, of value: Any, forKey key: String) {
    // The log of a transaction has the state before.
    store(adopted, forKey: key)
    if adopted == nil { content.nulls.insert(key) }
  }

  /// Sets the value of a key (KVC.8), as the method of all objects does: at once, since a record has no table.
  ///
  /// - Parameters:
  ///   - value: The value; nil removes the key, or makes it null again.
  ///   - key: The key, which is not taken apart at dots.
  /// - Throws: ``KVError``: `limitExceeded` if collections are nested more than 200 deep; `undefinedKey` if the key
  ///   begins with "@". Nothing has changed then.
  @inlinable
  public func setValue<Value>(_ value: Value, forKey key: String) throws(KVError) {
    try ObjectAccess.set(value, forKey: key, of: self)
  }

  /// Stores a converted value, and notifies observers.
  private func store(_ value: consuming Any?, forKey name: String) {
    withAddress(of: &value) { store($0, name) }
  }

  /// Stores a value if it is in its stored form, as are all values without optionals that are no collections.
  @inline(__always)
  private func putAsItIs(_ value: inout Any?, forKey name: String) -> Bool {
    withAddress(of: &value) { box in
      guard let type = box.boxedType, Self.isStoredAsItIs(Address(box).of(Any.self), boxedAs: type) else {
        return false
      }
      store(box, name)
      return true
    }
  }

  @inline(__always)
  private static func isStoredAsItIs(_ value: AddressOf<Any>, boxedAs type: ObjectIdentifier) -> Bool {
    if let traits = TypeTraits.existing(type), traits.borrow({ $0.isScalar }) { return true }
    return TypeTraits.of(Swift.type(of: value.pointee)).borrow { !$0.isWrapper && !$0.isNull && $0.collection == nil }
  }

  /// Moves a value in its stored form to its place, and the old one into the box, and notifies observers.
  @inline(__always)
  private func store(_ box: AddressOf<Any?>, _ name: String) {
    if WriteLog.isActive || registrarSlot.active != nil { storeNotifying(box, name) } else { put(box, name) }
  }

  @inline(never)
  private func storeNotifying(_ box: AddressOf<Any?>, _ name: String) {
    if WriteLog.isActive, let log = WriteLog.current, !log.hasLogged(name, of: self) {
      let (old, wasNull) = (content.values[name], content.nulls.contains(name))
      log.log(name, of: self) { [self] () throws(KVError) in
        if !wasNull { content.nulls.remove(name) }
        store(old, forKey: name)
      }
    }
    // The registrar is not retained: the record keeps it.
    guard let registrar = registrarSlot.active else { return put(box, name) }
    if box.boxedType != nil, registrar.borrow({ $0.mayObserve(.addedKey) }), content.values[name] == nil {
      registrar.borrow { $0.didChange(.addedKey, of: self, from: String?.none, to: name, since: nil) }
    }
    guard let key = InternedKey.existing(name),
      registrar.borrow({ $0.shouldNotifyKeyedWrite(key) })
    else { return put(box, name) }
    registrar.borrow { registrar in
      guard registrar.needsWillChange(key) else {
        return box.withCopy { new in
          put(box, name)
          registrar.didChange(key, of: self, from: box, to: new)
        }
      }
      let (old, new) = (content.values[name], box.pointee)
      let beginning = registrar.begin(key, of: self, from: old, to: new)
      put(box, name)
      registrar.didChange(key, of: self, from: old, to: new, since: beginning)
    }
  }

  /// Moves a value to its place, and the old one into the box; nil removes the key.
  ///
  /// The old value is released after the access, since its `deinit` may read the record.
  private func put(_ box: AddressOf<Any?>, _ name: String) { Self.put(box, name, in: &content.values) }

  /// The dictionary is in place: to look for an index in a property retains it.
  private static func put(_ box: AddressOf<Any?>, _ name: String, in values: inout [String: Any]) {
    guard box.boxedType != nil else { return box.initialize(to: values.removeValue(forKey: name)) }
    let value = Address(box).of(Any.self)
    if let index = values.index(forKey: name) { return swap(&values.values[index], &value.pointee) }
    values[name] = value.move()
    box.initialize(to: nil)
  }

  /// Returns a value in its stored form, with records for dictionaries.
  static func adopted(_ value: Any, depth: Int) throws(KVError) -> Any? {
    guard let value = unwrappingOptionals(value), !(value is any NullValue) else { return nil }
    let kind = TypeInfo.of(value).kind
    guard kind == .keyed || kind == .ordered else { return value }
    try Failure.checkNesting(depth, at: "a record")
    // The dictionaries of parsers, which are by far the most frequent: no search for conformances, no conversion of
    // keys.
    if let dictionary = exactCast(value, [String: Any].self) {
      let record = KVRecord()
      record.content.values.reserveCapacity(dictionary.count)
      for (key, entry) in dictionary { try record.adopt(entry, forKey: key, depth: depth + 1) }
      return record
    }
    if let dictionary = keyedValue(value) {
      guard let entries = dictionary.namedEntries else { return value }
      let record = KVRecord()
      for (name, entry) in entries { try record.adopt(entry, forKey: name, depth: depth + 1) }
      return record
    }
    guard let array = value as? any OrderedValue, needsAdoption(type(of: array).elementType) else { return value }
    var elements: [Any?] = []
    elements.reserveCapacity(array.elementCount)
    for element in array.elements {
      guard let element else {
        elements.append(nil)
        continue
      }
      elements.append(try adopted(element, depth: depth + 1))
    }
    // Without nils the array gets plain elements again, since each edit would otherwise wrap the elements once more.
    let values = elements.compactMap { $0 }
    return values.count == elements.count ? values as Any : elements as Any
  }

  /// Returns whether elements of a type may contain dictionaries.
  private static func needsAdoption(_ type: Any.Type) -> Bool {
    if let wrapped = optionalWrappedType(type) { return needsAdoption(wrapped) }
    return type is any CollectionValue.Type
      || !(type is any NumericValue.Type || type == String.self || type is AnyClass)
  }
}

extension KVRecord {
  /// The record as a dictionary, with dictionaries for nested records.
  ///
  /// - Returns: The dictionary. A record that contains itself, at any depth, is in it as a record.
  /// - Complexity: O(*n*) in the number of values at all levels.
  public var dictionary: [String: Any] {
    var path: Set<ObjectIdentifier> = []
    return Self.released(self, &path, depth: 0)
  }

  private static func released(
    _ record: KVRecord, _ path: inout Set<ObjectIdentifier>, depth: Int
  ) -> [String: Any] {
    path.insert(ObjectIdentifier(record))
    defer { path.remove(ObjectIdentifier(record)) }
    var result = record.content.values.mapValues { released($0, &path, depth: depth + 1) }
    for name in record.content.nulls where result[name] == nil { result[name] = .some(Any?.none as Any) }
    return result
  }

  private static func released(_ value: Any, _ path: inout Set<ObjectIdentifier>, depth: Int) -> Any {
    guard NestingFault.entering(depth) == nil else { return value }
    if let record = record(value) {
      return path.contains(ObjectIdentifier(record)) ? record : released(record, &path, depth: depth)
    }
    if let array = value as? [Any] { return array.map { released($0, &path, depth: depth + 1) } }
    return value
  }
}

extension KVRecord: ExpressibleByDictionaryLiteral {
  /// Creates a record from a literal; the last value of a repeated key counts.
  ///
  /// - Parameter elements: The keys and their values. Nil values are omitted, as by setting.
  public convenience init(dictionaryLiteral elements: (String, Any?)...) {
    self.init()
    for (key, value) in elements { self[key] = value }
  }
}

extension KVRecord: CustomStringConvertible {
  /// The keys of the record; if there are more than 20, the first 20 and the number of the others.
  public var description: String { "KVRecord(\(Failure.list(keys)))" }
}
