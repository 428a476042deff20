import KVCore

/// A transaction: all changes are made, or none (COA.8).
///
/// ```swift
/// try KVTransaction.run {
///   try account.setValue(balance - amount, forKey: "balance")
///   try other.setValue(otherBalance + amount, forKey: "balance")
/// }
/// ```
public enum KVTransaction {
  /// Runs a body in a coalescing scope, and restores every value that it wrote by key if it throws.
  ///
  /// Writes by key are those by `setValue`, collection views and the subscripts of a ``KVRecord``, on the thread of the
  /// body. A property that is set directly in Swift is not restored. If the transaction fails, deferred registrations
  /// are notified only of what stays changed; other registrations have been notified of the changes, and are notified
  /// of their undoing. A
  /// failed inner transaction restores its own values only; the records that a successful inner transaction deferred
  /// wait for the outer one.
  ///
  /// - Parameter body: A closure that makes changes.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body, once all values are restored. A value that cannot be restored is reported through
  ///   ``KVDiagnostics``.
  public static func run<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let log = WriteLog()
    let deliveries = ThreadDeliveries.current.object
    let isOutermost = deliveries.beginTransaction()
    defer { if isOutermost { deliveries.state.pointee.transacted = nil } }
    CoalescingScope.begin()
    CoalescingScope.current?.beginTransaction()
    let boundary = ChangeBoundary.isTracked ? ChangeBoundary.current : nil
    let collected = boundary?.mark
    do throws(Failure) {
      let result = try body()
      log.finish()
      CoalescingScope.current?.endTransaction(undoing: false)
      CoalescingScope.commit()
      return result
    } catch {
      ThreadDeliveries.suspendingBindings {
        log.rollBack { object, error in
          KVDiagnostics.report(.error, .failedRollback, nil, object) { "a transaction could not be undone: \(error)" }
        }
      }
      CoalescingScope.current?.endTransaction(undoing: true)
      // Somebody may have become interested in the body.
      if ChangeBoundary.isTracked { (boundary ?? ChangeBoundary.current).rollBack(to: collected ?? []) }
      CoalescingScope.commit()
      throw error
    }
  }
}
