/// A wrapper that passes a value to another thread, if the test knows that this is safe and the compiler does not
/// (TST.2).
///
/// Models are not `Sendable`. A test that changes a model on another thread must state that it does so deliberately.
///
/// ```swift
/// let shared = KVUncheckedSendable(order)
/// await Task.detached { shared.value.number = 2 }.value
/// ```
public struct KVUncheckedSendable<Value>: @unchecked Sendable {  // guard: the test that creates the wrapper
  /// The value.
  public let value: Value

  /// Wraps a value.
  ///
  /// - Parameter value: The value. The test must make sure that two threads do not use it at the same time, unless the
  ///   value allows it.
  public init(_ value: Value) { self.value = value }
}
