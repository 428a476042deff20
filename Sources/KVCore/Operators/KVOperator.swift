import Synchronization

/// The registry of collection operators: the built-in ones of the chapter OP, and a program's own (OP.6).
///
/// ```swift
/// try KVOperator.register("median") { call in
///   let numbers = call.values.compactMap { $0 as? Double }.sorted()
///   return numbers.isEmpty ? nil : numbers[numbers.count / 2]
/// }
/// try shop.value(forKeyPath: "items.@median.price")
/// ```
public enum KVOperator {
  /// What an operator is called with.
  public struct Call {
    /// The text between brackets behind the operator's name, if any.
    public let argument: String?
    /// The elements of the collection, nil for a nil element.
    public let elements: [Any?]
    /// The values of the right path, one an element; the elements themselves if there is no right path.
    public let values: [Any?]
    /// Whether there is a right path.
    public let hasRightPath: Bool
  }

  /// Computes the result of an operator.
  public typealias Body = @Sendable (Call) throws -> Any?

  private static let custom = Locked<[String: Body]>([:])

  /// Adds an operator for the whole process.
  ///
  /// - Parameters:
  ///   - name: The name, without `@`; a name that was registered before gets the new meaning.
  ///   - body: Computes the result. What it throws reaches the reader as the cause of an `operatorFailed` error.
  /// - Throws: ``KVError``: `invalidKeyPath` if the name could not stand in a path, `unsupported` if it is a built-in's.
  public static func register(_ name: String, _ body: @escaping Body) throws(KVError) {
    try KeyPathParser.checkKey(name, after: "@")
    guard BuiltInOperator(rawValue: name) == nil else {
      throw KVError(.unsupported, "@\(name) is built in and keeps its meaning; choose another name.")
    }
    custom.withLock { $0[name] = body }
  }

  /// Removes an operator that was registered; others are left alone.
  ///
  /// - Parameter name: The name, without `@`.
  public static func unregister(_ name: String) {
    custom.withLock { _ = $0.removeValue(forKey: name) }
  }

  /// The names of all operators, sorted: built-in and registered.
  public static var names: [String] {
    (BuiltInOperator.allCases.map(\.rawValue) + custom.withLock { Array($0.keys) }).sorted()
  }

  static func registered(_ name: String) -> Body? { custom.withLock { $0[name] } }
}
