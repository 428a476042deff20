import KVCore

extension KVTransformer {
  /// Returns a transformer that leaves values as they are, and fails for some of them, both ways (TST.3).
  ///
  /// - Parameters:
  ///   - error: What it throws: the cause of the error of the package, unless it is one.
  ///   - condition: Which values it fails for, nil included; all of them, if not given.
  /// - Returns: A reversible transformer that gets collections as they are.
  public static func failing(
    _ error: any Error = KVFixtures.Fault(), when condition: @escaping @Sendable (Any?) -> Bool = { _ in true }
  ) -> KVTransformer {
    let pass: @Sendable (Any?) throws -> Any? = { value in
      if condition(value) { throw error }
      return value
    }
    return .erased("failing", forward: pass, reverse: pass)
  }
}
