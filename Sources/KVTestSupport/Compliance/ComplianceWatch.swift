import KVBinding
import KVCore

/// Observes paths of a sample, each by itself: one that cannot be observed does not keep the others from it.
final class ComplianceWatch {
  private var recorders: [String: KVChangeRecorder] = [:]
  /// Why paths could not be observed.
  private(set) var failures: [String: KVError] = [:]

  init(_ object: any KVObservable, _ paths: [KVKeyPath]) {
    for path in paths where recorders[path.description] == nil && failures[path.description] == nil {
      do throws(KVError) {
        recorders[path.description] = try KVChangeRecorder(of: object, paths: [path])
      } catch {
        failures[path.description] = error
      }
    }
  }

  /// What was heard of a path, or of a key, so far.
  func records(of path: String) -> [KVChange] { recorders[path]?.log.changes ?? [] }

  /// Forgets what was heard.
  func clear() { for recorder in recorders.values { recorder.take() } }
}
