/// An object whose keys are data: a model without a schema.
///
/// ```swift
/// let track: KVRecord = ["title": "So What", "artist": ["name": "Miles Davis"]]
/// track.title                                            // "So What", as Any?
/// try track.setValue("Bill Evans", forKeyPath: "artist.name")
/// track.dictionary                                       // a dictionary again, nested ones too
/// ```
///
/// Dictionaries in it become records, so that every level is an object, can be observed and changes in place; arrays
/// stay arrays, with records for the dictionaries in them. A key that is not there reads as nil, and setting nil removes
/// the key. Keys come sorted.
///
/// A key that is named like a member of the class (`count`, `keys`, `dictionary`, `description`, `registrarSlot`) is out of
/// reach of the dot: `track.count` is how many keys there are, `track["count"]` the value of the key `count`.
@dynamicMemberLookup
public final class KVRecord: KVObject {
  private var values: [String: Any] = [:]

  /// Makes an empty record.
  public override init() {}

  /// Makes a record from a dictionary, with records for the dictionaries in it.
  ///
  /// - Parameter dictionary: The values by key; nil values are left out.
  /// - Throws: ``KVError`` with the code `limitExceeded` if collections are nested more than 200 deep.
  /// - Complexity: O(*n*) in all values of the tree.
  public init(_ dictionary: [String: Any?]) throws(KVError) {
    super.init()
    for case (let key, let value?) in dictionary { values[key] = try Self.adopted(value, depth: 1) }
  }

  /// Takes over a dictionary whose values need no conversion.
  private init(adopted values: [String: Any]) {
    self.values = values
    super.init()
  }

  /// The keys, sorted.
  ///
  /// - Complexity: O(*n* log *n*).
  public var keys: [String] { values.keys.sorted() }

  /// How many keys there are.
  public var count: Int { values.count }

  /// The value of a key: any text at all, dots included.
  ///
  /// Nil if there is none; setting nil removes it. What is nested too deeply to become records is stored as it is;
  /// `setValue(_:forKey:)` refuses it.
  ///
  /// - Parameter key: Any text at all, dots included.
  /// - Returns: The value; nil if there is none.
  public subscript(key: String) -> Any? {
    get { values[key] }
    set { store(newValue.flatMap(flattened).map { ((try? Self.adopted($0, depth: 1)) ?? nil) ?? $0 }, forKey: key) }
  }

  /// The value of a key that is a Swift identifier.
  ///
  /// - Parameter key: The key. One that is named like a member of the class needs `record["count"]`.
  /// - Returns: The value; nil if there is none.
  public subscript(dynamicMember key: String) -> Any? {
    get { self[key] }
    set { self[key] = newValue }
  }

  /// The value of a key as a type; nil if there is none or it does not convert.
  ///
  /// Setting nil removes the key.
  ///
  /// - Parameter key: The key. One that is named like a member of the class needs `record["count"]`.
  /// - Returns: The value, converted by the rules of CO.
  public subscript<Value>(dynamicMember key: String) -> Value? {
    get { self[key].flatMap { try? Coercion().convert($0, to: Value.self) } }
    set { self[key] = newValue }
  }

  /// Sets the value of a key, as key-value coding does.
  func set(_ value: Any?, forKey key: String) throws(KVError) {
    guard let value = value.flatMap(flattened) else { return store(nil, forKey: key) }
    store(try Self.adopted(value, depth: 1), forKey: key)
  }

  /// Stores a value that was adopted, and tells of it.
  private func store(_ value: Any?, forKey name: String) {
    if WriteLog.isActive, let log = WriteLog.current {
      let old = values[name]
      log.log(name, of: self) { [self] () throws(KVError) in store(old, forKey: name) }
    }
    guard
      let registrar = _activeRegistrar, let key = KVKey.existing(name),
      registrar._withUnsafeGuaranteedRef({ $0.tellsWrite(key) })
    else { return put(value, forKey: name) }
    tell(key, value, registrar)
  }

  /// Stores a value; the old one dies after the access and not in it, since its `deinit` may read the record.
  private func put(_ value: Any?, forKey name: String) {
    let old = if let value { values.updateValue(value, forKey: name) } else { values.removeValue(forKey: name) }
    withExtendedLifetime(old) {}
  }

  private func tell(_ key: KVKey, _ newValue: Any?, _ registrar: Unmanaged<KVRegistrar>) {
    let oldValue = values[key.name]
    let beginning = tellWill(self, registrar, key, oldValue, newValue)
    put(newValue, forKey: key.name)
    tellDid(self, registrar, key, oldValue, newValue, beginning)
  }

  /// Returns a value as it is stored: records for dictionaries.
  static func adopted(_ value: Any, depth: Int) throws(KVError) -> Any? {
    guard let value = flattened(value) else { return nil }
    let kind = TypeInfo.of(value).kind
    guard kind == .keyed || kind == .ordered else { return value }
    guard depth < Limits.nesting else { throw Failure.tooDeep("a record") }
    // What parsers make, by far the most frequent: no look-up of conformances, no conversion of keys.
    if let dictionary = exactly(value, [String: Any].self) {
      var values: [String: Any] = [:]
      values.reserveCapacity(dictionary.count)
      for (key, entry) in dictionary { values[key] = try adopted(entry, depth: depth + 1) }
      return KVRecord(adopted: values)
    }
    if let dictionary = value as? any KeyedValue {
      guard let entries = dictionary.namedEntries else { return value }
      var values: [String: Any] = [:]
      for case (let name, let entry?) in entries { values[name] = try adopted(entry, depth: depth + 1) }
      return KVRecord(adopted: values)
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
    // Without nils an array of plain values again, or each edit would wrap the elements once more.
    let values = elements.compactMap { $0 }
    return values.count == elements.count ? values as Any : elements as Any
  }

  /// Whether elements of a type may hold dictionaries.
  private static func needsAdoption(_ type: Any.Type) -> Bool {
    if let wrapped = optionalWrappedType(type) { return needsAdoption(wrapped) }
    return type is any CollectionValue.Type || !(type is any KVNumeric.Type || type == String.self || type is AnyClass)
  }
}

extension KVRecord {
  /// The record as a dictionary, with dictionaries for the records in it.
  ///
  /// - Returns: The dictionary; a record that holds itself, at any depth, stands in it as a record.
  /// - Complexity: O(*n*) in all values of the tree.
  public var dictionary: [String: Any] {
    var path: Set<ObjectIdentifier> = []
    return Self.released(self, &path, depth: 0)
  }

  private static func released(
    _ record: KVRecord, _ path: inout Set<ObjectIdentifier>, depth: Int
  ) -> [String: Any] {
    path.insert(ObjectIdentifier(record))
    defer { path.remove(ObjectIdentifier(record)) }
    return record.values.mapValues { released($0, &path, depth: depth + 1) }
  }

  private static func released(_ value: Any, _ path: inout Set<ObjectIdentifier>, depth: Int) -> Any {
    guard depth < Limits.nesting else { return value }
    if let record = value as? KVRecord {
      return path.contains(ObjectIdentifier(record)) ? record : released(record, &path, depth: depth)
    }
    if let array = value as? [Any] { return array.map { released($0, &path, depth: depth + 1) } }
    if let array = value as? [Any?] { return array.map { $0.map { released($0, &path, depth: depth + 1) } } }
    return value
  }
}

extension KVRecord: ExpressibleByDictionaryLiteral {
  /// Makes a record from a literal; a key that occurs twice has its last value.
  ///
  /// - Parameter elements: The keys and their values; nil values are left out.
  public convenience init(dictionaryLiteral elements: (String, Any?)...) {
    self.init(adopted: [:])
    for (key, value) in elements { self[key] = value }
  }
}

extension KVRecord: CustomStringConvertible {
  /// The keys, and how many.
  public var description: String { "KVRecord(\(Failure.list(keys)))" }
}
