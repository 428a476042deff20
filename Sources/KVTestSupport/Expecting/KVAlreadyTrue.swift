/// The result of an expectation whose value is present before any change (TST.2).
public enum KVAlreadyTrue: Sendable, Hashable {
  /// The expectation passes at once, as XCTest's expectation of a value does.
  case passes
  /// The expectation waits for a change, which may be to the same value.
  case waits
}
