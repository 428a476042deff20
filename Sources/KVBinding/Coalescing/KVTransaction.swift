import KVCore

/// Changes that are made all or not at all (COA.8).
///
/// ```swift
/// try KVTransaction.run {
///   try account.setValue(balance - amount, forKey: "balance")
///   try other.setValue(otherBalance + amount, forKey: "balance")
/// }
/// ```
public enum KVTransaction {
  /// Runs a body in a coalescing scope; if it throws, puts back every value that it wrote by key.
  ///
  /// What is written by key is what goes through `setValue`, the views of collections and the subscripts of a
  /// ``KVRecord``, on the thread of the body; a property that is set by its name in Swift stays as it is. Of a
  /// transaction that fails nothing is delivered to registrations that are held back; those that hear at once have
  /// heard of the changes, and hear of their being undone. In a transaction within another the inner one puts back its
  /// own values only, and what it held back waits for the outer one.
  ///
  /// - Parameter body: Makes changes.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, when everything has been put back. A value that cannot be put back is reported
  ///   through ``KVDiagnostics``.
  public static func run<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let log = WriteLog()
    CoalescingScope.begin()
    let mark = CoalescingScope.current?.snapshot()
    defer { withExtendedLifetime(log) {} }
    do throws(Failure) {
      let result = try body()
      log.finish()
      CoalescingScope.commit()
      return result
    } catch {
      BindingRest.during {
        log.rollBack { object, error in
          KVDiagnostics.report(.error, .failedRollback, nil, object) { "a transaction could not be undone: \(error)" }
        }
      }
      if let mark { CoalescingScope.current?.restore(mark) }
      CoalescingScope.commit()
      throw error
    }
  }
}
