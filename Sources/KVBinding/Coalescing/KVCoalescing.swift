/// Changes of one thread, held back and merged for those who asked for it (COA).
///
/// ```swift
/// try KVCoalescing.coalesce {
///   order.quantity = 3
///   order.discount = 0.1
/// }   // an action without parameter that is registered for both runs once, here
/// ```
///
/// Held back are registrations with the option ``KVObservingOptions/coalesced`` and targets in a ``KVCoalescingProxy``;
/// all others hear at once.
public enum KVCoalescing {
  /// Holds changes back while a body runs, and delivers them at the end of the outermost scope of the thread.
  ///
  /// - Parameter body: Makes changes. If it throws, they are delivered all the same (COA.1).
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public static func coalesce<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    begin()
    defer { commit() }
    return try body()
  }

  /// Begins a scope on this thread; ``commit()`` must follow on the same thread.
  public static func begin() { CoalescingScope.begin() }

  /// Ends a scope; the outermost one delivers.
  ///
  /// Without a scope it does nothing (COA.1).
  public static func commit() { CoalescingScope.commit() }

  /// Whether this thread is in a scope.
  public static var isCoalescing: Bool { CoalescingScope.current != nil }
}
