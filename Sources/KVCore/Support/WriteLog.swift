import Synchronization

/// The writes by key of one transaction of a thread, with a function that undoes each of them (COA.8).
///
/// While no transaction runs on any thread, nothing is logged, and a write costs one load more.
package final class WriteLog {
  /// Undoes one write.
  package typealias Undo = () throws(KVError) -> Void

  /// A key of an object.
  private struct Write: Hashable {
    let object: ObjectIdentifier
    let key: String
  }

  private struct Entry {
    let write: Write
    let object: AnyObject
    let undo: Undo
  }

  private static let running = Atomic<Int>(0)

  /// Whether a transaction runs on some thread.
  @inline(__always)
  package static var isActive: Bool { running.load(ordering: .relaxed) != 0 }

  /// Whether a transaction runs on this thread.
  package static var isCurrent: Bool { isActive && current != nil }

  /// The log of the innermost transaction of this thread.
  static var current: WriteLog? {
    get { ThreadContext.current.object.writeLog }
    set { ThreadContext.current.object.writeLog = newValue }
  }

  private let outer: WriteLog?
  private var entries: [Entry] = []
  /// The writes that have an entry.
  private var logged: Set<Write> = []
  /// The writes of this transaction that have begun and not ended.
  private var inProgress: [Write] = []

  /// Begins to log the writes of this thread, until ``finish()`` or ``rollBack(reporting:)``.
  package init() {
    outer = Self.current
    Self.current = self
    Self.running.add(1, ordering: .sequentiallyConsistent)
  }

  // A handler may write the key whose change it observes while that write is under way. The outer write is undone to
  // the value before both, so that the inner one is not logged, unless it belongs to a transaction of its own. All
  // other writes of handlers are logged before the write that they observe, and so undone after it: undoing that write
  // makes the handlers write again.

  /// Returns whether a write of a key needs no entry, since an earlier one of the transaction has it: the value before
  /// that one is restored.
  ///
  /// A later write need not keep its old value, so that a collection is not copied with each edit.
  func hasLogged(_ key: String, of object: AnyObject) -> Bool {
    logged.contains(Write(object: ObjectIdentifier(object), key: key))
  }

  /// Returns whether a transaction of this thread has written a key, whose value it restores if it fails.
  package static func hasWritten(_ key: String, of object: AnyObject) -> Bool {
    var log = isActive ? current : nil
    while let each = log {
      if each.hasLogged(key, of: object) { return true }
      log = each.outer
    }
    return false
  }

  /// Logs a write around the body that makes it.
  ///
  /// - Parameters:
  ///   - key: The key that is written.
  ///   - object: The object that has the key.
  ///   - undo: A closure that undoes the write; logged if the body returns.
  ///   - body: A closure that writes.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  func log<Result>(
    _ key: String, of object: AnyObject, undo: @escaping Undo, _ body: () throws(KVError) -> Result
  ) throws(KVError) -> Result {
    let write = Write(object: ObjectIdentifier(object), key: key)
    if inProgress.contains(write) { return try body() }
    inProgress.append(write)
    defer { inProgress.removeAll { $0 == write } }
    let result = try body()
    add(write, object, undo)
    return result
  }

  /// Logs a write that happens now.
  func log(_ key: String, of object: AnyObject, undo: @escaping Undo) {
    add(Write(object: ObjectIdentifier(object), key: key), object, undo)
  }

  /// Logs state of an object that belongs to its values, in the transaction of this thread, if one runs.
  ///
  /// - Parameters:
  ///   - name: A name of the state that is no key of the object.
  ///   - object: The object.
  ///   - undo: A closure that restores the state.
  package static func logState(_ name: String, of object: AnyObject, undo: @escaping Undo) {
    if isActive { current?.log(name, of: object, undo: undo) }
  }

  /// Adds an entry, but not for an object that is being deinitialized: nothing may retain that (LIF.1).
  private func add(_ write: Write, _ object: AnyObject, _ undo: @escaping Undo) {
    if isDeinitializing(object) || !logged.insert(write).inserted { return }
    entries.append(Entry(write: write, object: object, undo: undo))
  }

  /// Ends the transaction; its writes belong to the outer one from then on, if there is one.
  package func finish() {
    Self.running.subtract(1, ordering: .sequentiallyConsistent)
    Self.current = outer
    guard let outer else { return }
    // The outer transaction undoes the writes that it has under way to the values before them.
    for entry in entries where !outer.inProgress.contains(entry.write) && outer.logged.insert(entry.write).inserted {
      outer.entries.append(entry)
    }
  }

  /// Ends the transaction and undoes its writes, the last one first.
  ///
  /// - Parameter report: Called with each object that refuses its old value, and the error.
  package func rollBack(reporting report: (AnyObject, KVError) -> Void) {
    Self.running.subtract(1, ordering: .sequentiallyConsistent)
    // The outer transaction does not log the writes that undo others either.
    Self.current = nil
    for entry in entries.reversed() {
      do throws(KVError) { try entry.undo() } catch { report(entry.object, error) }
    }
    Self.current = outer
  }
}
