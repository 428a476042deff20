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
    let log = TransactionLog(outer: TransactionLog.current)
    CoalescingScope.begin()
    let mark = CoalescingScope.current?.snapshot()
    TransactionLog.current = log
    WriteLog.begin { object, undo in TransactionLog.current?.note(object, undo) }
    defer { withExtendedLifetime(log) {} }
    do throws(Failure) {
      let result = try body()
      log.finish()
      CoalescingScope.commit()
      return result
    } catch {
      log.finish(undoing: true)
      if let mark { CoalescingScope.current?.restore(mark) }
      CoalescingScope.commit()
      throw error
    }
  }
}

/// What the transaction of a thread has to put back.
private final class TransactionLog {
  private static let perThread = ThreadLocal<TransactionLog>()

  static var current: TransactionLog? {
    get { perThread.object }
    set { perThread.object = newValue }
  }

  private let outer: TransactionLog?
  private var entries: [(object: AnyObject, undo: WriteLog.Undo)] = []

  init(outer: TransactionLog?) { self.outer = outer }

  func note(_ object: AnyObject, _ undo: @escaping WriteLog.Undo) { entries.append((object, undo)) }

  /// Ends the transaction.
  ///
  /// What was written belongs to the outer one then, unless it is undone.
  func finish(undoing: Bool = false) {
    WriteLog.end()
    TransactionLog.current = nil
    if undoing {
      BindingRest.during { undo() }
    } else {
      outer?.entries += entries
    }
    TransactionLog.current = outer
  }

  private func undo() {
    for (object, undo) in entries.reversed() {
      do throws(KVError) { try undo() } catch {
        KVDiagnostics.report(.error, .failedRollback, nil, object) { "a transaction could not be undone: \(error)" }
      }
    }
  }
}
