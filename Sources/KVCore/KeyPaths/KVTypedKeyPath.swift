/// A key path built from typed steps that the compiler checks (TAB.7, KP.8).
///
/// ```swift
/// try KVTypedKeyPath(Person.self).address.city.keyPath()          // "address.city", by the tables
/// KVTypedKeyPath(Person.self).step(\.boss, "boss").step(\.name, "name")   // names given by hand
/// ```
///
/// A step on an optional leads to the wrapped value. The dynamic members look the names up in the tables of the types;
/// the steps with a name work everywhere, protocols included: there the compiler checks the property, and you the name.
@dynamicMemberLookup
public struct KVTypedKeyPath<Root, Value> {
  let names: Result<[String], KVError>

  init(names: Result<[String], KVError>) { self.names = names }

  /// Continues with a property whose name is given.
  ///
  /// - Parameters:
  ///   - property: The property, written out: `\.name`. Only its type is used.
  ///   - name: The key. Nothing compares it with the property.
  /// - Returns: The longer path.
  public func step<Next>(_ property: KeyPath<Value, Next>, _ name: String) -> KVTypedKeyPath<Root, Next> {
    appending(name)
  }

  /// Continues with a property of the wrapped value, whose name is given.
  ///
  /// - Parameters:
  ///   - property: The property, written out: `\.name`. Only its type is used.
  ///   - name: The key. Nothing compares it with the property.
  /// - Returns: The longer path.
  public func step<Wrapped, Next>(
    _ property: KeyPath<Wrapped, Next>, _ name: String
  ) -> KVTypedKeyPath<Root, Next> where Value == Wrapped? {
    appending(name)
  }

  /// Continues with a property that is found in a table.
  ///
  /// - Parameter property: The property. Its table line must be made with a native key path; one without a line is
  ///   reported by ``keyPath()``.
  /// - Returns: The longer path.
  public subscript<Next>(dynamicMember property: KeyPath<Value, Next>) -> KVTypedKeyPath<Root, Next> {
    appending(property, of: Value.self)
  }

  /// Continues with a property of the wrapped value that is found in a table.
  ///
  /// - Parameter property: The property. Its table line must be made with a native key path; one without a line is
  ///   reported by ``keyPath()``.
  /// - Returns: The longer path.
  public subscript<Wrapped, Next>(
    dynamicMember property: KeyPath<Wrapped, Next>
  ) -> KVTypedKeyPath<Root, Next> where Value == Wrapped? {
    appending(property, of: Wrapped.self)
  }

  /// Returns the path.
  ///
  /// - Returns: The path, by the names of the keys.
  /// - Throws: ``KVError``: `undefinedKey` if a step was found in no table; `invalidKeyPath` if a name that was given
  ///   is no key, or no step was made.
  public func keyPath() throws(KVError) -> KVKeyPath {
    try KVKeyPath(components: try names.get().map { .key($0) })
  }

  private func appending<Next>(_ name: String) -> KVTypedKeyPath<Root, Next> {
    KVTypedKeyPath<Root, Next>(names: names.map { $0 + [name] })
  }

  private func appending<Next>(_ property: AnyKeyPath, of owner: Any.Type) -> KVTypedKeyPath<Root, Next> {
    guard case .success(let names) = names else { return KVTypedKeyPath<Root, Next>(names: self.names) }
    let table = (owner as? any KeyValueCoding.Type)?.keyTable ?? .empty
    guard let name = table.key(for: property) else {
      return KVTypedKeyPath<Root, Next>(
        names: .failure(
          KVError(
            .undefinedKey,
            """
            the keyTable of \(typeName(owner)) has no line with the key path \(property). Add key("name", \\.name), or name \
            the step: .step(\\.name, "name").
            """, rootType: typeName(Root.self), knownKeys: table.keys.map(\.name))))
    }
    return KVTypedKeyPath<Root, Next>(names: .success(names + [name]))
  }
}

extension KVTypedKeyPath where Root == Value {
  /// Begins a path at a type.
  ///
  /// - Parameter root: The type of the root: a class, a struct, a protocol.
  public init(_ root: Root.Type) { names = .success([]) }
}

extension KVTypedKeyPath: KVKeyPathConvertible {}
