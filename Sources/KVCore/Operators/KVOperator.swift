import Synchronization

/// The registry of collection operators: the built-in ones (OP.1) and those that the program registers (OP.6).
///
/// ```swift
/// try KVOperator.register("median") { call in
///   let numbers = call.values.compactMap { $0 as? Double }.sorted()
///   return numbers.isEmpty ? nil : numbers[numbers.count / 2]
/// }
/// try shop.value(forKeyPath: "items.@median.price")
/// ```
public enum KVOperator {
  /// The input of an operator.
  public struct Call {
    /// The text in the brackets that follow the operator's name, or `nil`.
    public let argument: String?
    /// The elements of the collection; `nil` for a nil element.
    public let elements: [Any?]
    /// The values of the right path, one per element; the elements themselves if there is no right path.
    public let values: [Any?]
    /// Whether there is a right path.
    package let hasRightPath: Bool
  }

  typealias Body = @Sendable (Call) throws -> Any?

  private static let custom = Locked<[String: Body]>([:])

  /// Registers an operator for the whole process.
  ///
  /// - Parameters:
  ///   - name: The name, without `@`. A registered operator of the same name is replaced.
  ///   - body: Computes the result. A ``KVError`` that it throws reaches the caller as it is; any other error becomes
  ///     the ``KVError/underlying`` error of an `operatorFailed` error.
  /// - Throws: ``KVError``: `invalidKeyPath` if the name cannot be written in a key path, `unsupported` if it is the
  ///   name of a built-in operator.
  public static func register(
    _ name: String, _ body: @escaping @Sendable (Call) throws -> Any?
  ) throws(KVError) {
    try KeyPathParser.checkKey(name, after: "@")
    guard BuiltInOperator(rawValue: name) == nil else {
      throw KVError(.unsupported, "@\(name) is built in and keeps its meaning; choose another name.")
    }
    custom.withLock { $0[name] = body }
  }

  /// Removes a registered operator; built-in operators and unknown names are ignored.
  ///
  /// - Parameter name: The name, without `@`.
  public static func unregister(_ name: String) {
    custom.withLock { _ = $0.removeValue(forKey: name) }
  }

  /// The names of all built-in and registered operators, sorted.
  public static var names: [String] {
    (BuiltInOperator.allCases.map(\.rawValue) + custom.withLock { Array($0.keys) }).sorted()
  }

  static func registered(_ name: String) -> Body? { custom.withLock { $0[name] } }
}
