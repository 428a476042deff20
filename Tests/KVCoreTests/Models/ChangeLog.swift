import KVCore

/// A registrar that writes down what it is told.
final class ChangeLog: _KVRegistrar, @unchecked Sendable {  // guard: used by the thread of its object only
  private(set) var entries: [String] = []
  /// The keys that are observed; a registrar hears of others now and then, which it has to pass over.
  private var keys: Set<String> = []

  /// Installs a log in an object that nobody observes yet.
  static func attached(to object: some KVObservable, keys: String...) -> ChangeLog {
    let log = ChangeLog()
    log.keys = Set(keys)
    log.setObservedKeys(keys.map { InternedKey($0) })
    _ = object.registrarSlot.registrar(installing: { log })
    return log
  }

  override func willChange(_ change: borrowing _KVChangeNotice) -> AnyObject? {
    note("will", change.key)
    return nil
  }

  override func didChange(_ change: borrowing _KVChangeNotice, since beginning: AnyObject?) {
    note("did", change.key)
  }

  private func note(_ moment: String, _ key: InternedKey) {
    if keys.contains("\(key)") { entries.append("\(moment) \(key)") }
  }

  /// Returns what was told since the last call.
  func takeAll() -> [String] {
    defer { entries = [] }
    return entries
  }
}
