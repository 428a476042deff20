import KVCore

/// A registrar that writes down what it is told.
final class ChangeLog: KVRegistrar, @unchecked Sendable {  // guard: used by the thread of its object only
  private(set) var entries: [String] = []

  /// Installs a log in an object that nobody observes yet.
  static func attached(to object: some KVObservable, keys: String...) -> ChangeLog {
    let log = ChangeLog()
    log.setObservedKeys(keys.map { KVKey($0) })
    _ = object.registrarSlot.registrar(installing: { log })
    return log
  }

  override func willChange(_ change: borrowing KVChangeNotice) -> AnyObject? {
    entries.append("will \(change.key)")
    return nil
  }

  override func didChange(_ change: borrowing KVChangeNotice, since beginning: AnyObject?) {
    entries.append("did \(change.key)")
  }

  /// Returns what was told since the last call.
  func taken() -> [String] {
    defer { entries = [] }
    return entries
  }
}
