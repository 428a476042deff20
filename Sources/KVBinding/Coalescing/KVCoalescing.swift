/// Coalescing of changes: deferred and merged delivery to the registrations that opted in (COA).
///
/// ```swift
/// try KVCoalescing.coalesce {
///   order.quantity = 3
///   order.discount = 0.1
/// }   // an action without parameter that is registered for both keys runs once, here
/// ```
///
/// Only registrations with the option ``KVObservingOptions/coalesced`` are deferred. All others are notified at once.
public enum KVCoalescing {
  /// Defers the changes that a body makes, and delivers them at the end of the outermost scope of the thread.
  ///
  /// - Parameter body: A closure that makes changes. If it throws, they are delivered nevertheless (COA.1).
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  public static func coalesce<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    begin()
    defer { commit() }
    return try body()
  }

  /// Defers the changes that an asynchronous body makes, on whichever threads it continues, and delivers them at its end
  /// (COA.9).
  ///
  /// The scope is that of the task: its child tasks and other tasks are not in it.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller, on which the changes are delivered.
  ///   - body: A closure that makes changes. If it throws, they are delivered nevertheless.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  public static func coalesce<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await TaskScope.run(isolation: isolation, body)
  }

  /// Begins a scope on the current thread; ``commit()`` must follow on the same thread.
  @available(*, noasync, message: "use coalesce { }, since an await may continue on another thread")
  public static func begin() { CoalescingScope.begin() }

  /// Ends a scope; the outermost one delivers the deferred changes.
  ///
  /// Without a scope it has no effect (COA.1).
  @available(*, noasync, message: "use coalesce { }, since an await may continue on another thread")
  public static func commit() { CoalescingScope.commit() }

  /// Whether the current thread is in a scope.
  public static var isCoalescing: Bool { CoalescingScope.current != nil }
}
