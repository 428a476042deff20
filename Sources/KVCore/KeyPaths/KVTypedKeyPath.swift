/// A key path built from typed steps that the compiler checks (TAB.7, KP.8).
///
/// ```swift
/// try KVTypedKeyPath(Person.self).address.city.keyPath()          // "address.city", named by the tables
/// KVTypedKeyPath(Person.self).step(\.boss, "boss").step(\.name, "name")   // named by the caller
/// ```
///
/// A step through an optional continues with the wrapped value. The dynamic members find the names of their keys in the
/// tables of the types. The steps with a name work on all types, including protocols: the compiler checks the property,
/// and the caller is responsible for the name.
@dynamicMemberLookup
public struct KVTypedKeyPath<Root, Value> {
  let names: Result<[String], KVError>

  init(names: Result<[String], KVError>) { self.names = names }

  /// Appends a property under a key that the caller names.
  ///
  /// - Parameters:
  ///   - property: The property, such as `\.name`. Only its type is used.
  ///   - name: The key. It is not compared with the property.
  /// - Returns: The extended path.
  public func step<Next>(_ property: KeyPath<Value, Next>, _ name: String) -> KVTypedKeyPath<Root, Next> {
    appending(name)
  }

  /// Appends a property of the wrapped value under a key that the caller names.
  ///
  /// - Parameters:
  ///   - property: The property, such as `\.name`. Only its type is used.
  ///   - name: The key. It is not compared with the property.
  /// - Returns: The extended path.
  public func step<Wrapped, Next>(
    _ property: KeyPath<Wrapped, Next>, _ name: String
  ) -> KVTypedKeyPath<Root, Next> where Value == Wrapped? {
    appending(name)
  }

  /// Appends a property under the key that the table of its type declares for it.
  ///
  /// - Parameter property: The property. Its table must declare it with a native key path; a property without such a
  ///   line makes ``keyPath()`` throw.
  /// - Returns: The extended path.
  public subscript<Next>(dynamicMember property: KeyPath<Value, Next>) -> KVTypedKeyPath<Root, Next> {
    appending(property, of: Value.self)
  }

  /// Appends a property of the wrapped value under the key that the table of its type declares for it.
  ///
  /// - Parameter property: The property. Its table must declare it with a native key path; a property without such a
  ///   line makes ``keyPath()`` throw.
  /// - Returns: The extended path.
  public subscript<Wrapped, Next>(
    dynamicMember property: KeyPath<Wrapped, Next>
  ) -> KVTypedKeyPath<Root, Next> where Value == Wrapped? {
    appending(property, of: Wrapped.self)
  }

  /// Returns the key path, by the names of the keys.
  ///
  /// - Returns: The key path.
  /// - Throws: ``KVError``: `undefinedKey` if no table declares the property of a step; `invalidKeyPath` if there is no
  ///   step, if a name is not a key, or if the path is longer than 4,096 components.
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
            the keyTable of \(typeName(owner)) has no line with the key path of step \(names.count + 1), which leads to a value \
            of type \(typeName(Next.self)). Add key("name", \\.name), or name the step: .step(\\.name, "name").
            """, rootType: typeName(Root.self), knownKeys: table.keys.map(\.name))))
    }
    return KVTypedKeyPath<Root, Next>(names: .success(names + [name]))
  }
}

extension KVTypedKeyPath where Root == Value {
  /// Creates an empty path, which begins at a type.
  ///
  /// - Parameter root: The type of the root: a class, a struct or a protocol.
  public init(_ root: Root.Type) { names = .success([]) }
}

extension KVTypedKeyPath: KVKeyPathConvertible {}
