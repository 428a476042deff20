/// How strictly recorded changes have to be those expected (TST.2).
public enum KVChangeMatching: Sendable, Hashable, CaseIterable {
  /// All of them, in this order, and nothing else.
  case exhaustive
  /// All of them and nothing else, in whatever order: for changes made by several threads.
  case anyOrder
  /// All of them in this order; others may come before, between and after them.
  case nonExhaustive
}
