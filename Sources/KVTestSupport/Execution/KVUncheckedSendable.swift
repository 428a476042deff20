/// Hands a value to another thread where the compiler cannot see that this is safe, and the test can (TST.2).
///
/// Models are not `Sendable`; a test of what happens when another thread changes one needs to say that it knows.
///
/// ```swift
/// let shared = KVUncheckedSendable(order)
/// await Task.detached { shared.value.number = 2 }.value
/// ```
public struct KVUncheckedSendable<Value>: @unchecked Sendable {  // guard: whoever makes one
  /// The value.
  public let value: Value

  /// Wraps a value.
  ///
  /// - Parameter value: The value; the test sees to it that two threads do not use it at once, unless it allows that.
  public init(_ value: Value) { self.value = value }
}
