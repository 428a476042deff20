import KVBinding
import KVCore

/// Observes paths of a sample, and only writes down what it hears.
final class ComplianceWatch {
  private final class Log {
    var records: [KVChange] = []
  }

  private var logs: [String: Log] = [:]
  private var tokens: [KVObservation] = []
  /// Why paths could not be observed.
  private(set) var failures: [String: KVError] = [:]

  init(_ object: any KVObservable, _ paths: [KVKeyPath]) {
    for path in paths where logs[path.description] == nil && failures[path.description] == nil {
      let log = Log()
      do throws(KVError) {
        tokens.append(try object.observe(path, options: [.old, .new]) { log.records.append($0) })
        logs[path.description] = log
      } catch {
        failures[path.description] = error
      }
    }
  }

  /// What was heard of a path, or of a key, so far.
  func records(of path: String) -> [KVChange] { logs[path]?.records ?? [] }

  /// Forgets what was heard.
  func clear() { for log in logs.values { log.records = [] } }
}
