/// What counts where an awaited value is there before anything changes (TST.2).
public enum KVAlreadyTrue: Sendable, Hashable {
  /// The expectation holds at once, as XCTest's expectation of a value does.
  case passes
  /// Only a change counts; the value may be the same after it.
  case waits
}
