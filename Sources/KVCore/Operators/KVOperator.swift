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
  }

  typealias Body = @Sendable (Call) throws -> Any?

  private static let custom = Locked<[String: Body]>([:])
  /// The number of built-in operators that a registered one replaces.
  private static let replacements = Atomic<Int>(0)

  /// Registers an operator for the whole process.
  ///
  /// - Parameters:
  ///   - name: The name, with or without `@`.
  ///   - replacing: Whether it may replace a registered or built-in operator of the same name (TRN.4). A path with a
  ///     replaced built-in operator is observed as one with the built-in operator is.
  ///   - body: Computes the result. A ``KVError`` that it throws reaches the caller as it is; any other error becomes
  ///     the ``KVError/underlying`` error of an `operatorFailed` error.
  /// - Throws: ``KVError``: `invalidKeyPath` if the name cannot be written in a key path; `unsupported` if the name is
  ///   taken, unless `replacing` is true.
  public static func register(
    _ name: String, replacing: Bool = false, _ body: @escaping @Sendable (Call) throws -> Any?
  ) throws(KVError) {
    let name = try self.name(of: name)
    let isBuiltIn = BuiltInOperator(rawValue: name) != nil
    let isRegistered = custom.withLock { custom in
      let isRegistered = custom[name] != nil
      guard replacing || !(isRegistered || isBuiltIn) else { return true }
      if isBuiltIn, !isRegistered { replacements.add(1, ordering: .releasing) }
      custom[name] = body
      return false
    }
    if isRegistered { throw duplicateName(name, isBuiltIn: isBuiltIn) }
  }

  /// Returns the name of an operator without its sign.
  ///
  /// - Parameter text: The name, with or without `@`.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if no key path can contain such an operator.
  package static func name(of text: String) throws(KVError) -> String { try KeyPathParser.operatorName(text) }

  /// The error for a name that is taken.
  package static func duplicateName(_ name: String, isBuiltIn: Bool) -> KVError {
    KVError(
      .unsupported,
      """
      @\(name) is \(isBuiltIn ? "built in" : "registered already"): choose another name, or pass replacing: true.
      """, component: "@\(name)")
  }

  /// Removes a registered operator; a built-in name gets its built-in operator again.
  ///
  /// - Parameter name: The name, with or without `@`.
  public static func unregister(_ name: String) {
    guard let name = try? self.name(of: name) else { return }
    custom.withLock { custom in
      guard custom.removeValue(forKey: name) != nil, BuiltInOperator(rawValue: name) != nil else { return }
      replacements.subtract(1, ordering: .releasing)
    }
  }

  /// The names of all built-in and registered operators, sorted.
  public static var names: [String] {
    Set(BuiltInOperator.allCases.map(\.rawValue)).union(custom.withLock { Array($0.keys) }).sorted()
  }

  static func registered(_ name: String) -> Body? { custom.withLock { $0[name] } }

  /// Whether a built-in operator is replaced by a registered one.
  static var isBuiltInReplaced: Bool { replacements.load(ordering: .acquiring) != 0 }

  /// Whether a registered operator replaces the built-in one of a name.
  static func isReplaced(_ name: String) -> Bool { isBuiltInReplaced && registered(name) != nil }
}
