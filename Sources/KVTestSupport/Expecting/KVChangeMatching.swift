/// How strictly recorded changes must match expected ones (TST.2).
public enum KVChangeMatching: Sendable, Hashable, CaseIterable {
  /// All expected changes in order, and no others.
  case exhaustive
  /// All expected changes in any order, and no others: for changes of several threads.
  case anyOrder
  /// All expected changes in order; other changes may precede, separate and follow them.
  case nonExhaustive
}
