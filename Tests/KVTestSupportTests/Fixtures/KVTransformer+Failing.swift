import KVBinding
import KVTestSupport

extension KVTransformer {
  /// Returns a transformer that returns values unchanged, and fails for some of them, in both directions (TST.3).
  ///
  /// - Parameters:
  ///   - error: The error to throw. It becomes the cause of an error of the package, unless it is a `KVError`.
  ///   - condition: Returns whether the transformer fails for a value, which may be nil; by default for all values.
  /// - Returns: A reversible transformer that receives whole collections.
  static func failing(
    _ error: any Error = KVFixtures.Fault(), when condition: @escaping @Sendable (Any?) -> Bool = { _ in true }
  ) -> KVTransformer {
    let pass: @Sendable (Any?) throws -> Any? = { value in
      if condition(value) { throw error }
      return value
    }
    return .erased("failing", forward: pass, reverse: pass)
  }
}
