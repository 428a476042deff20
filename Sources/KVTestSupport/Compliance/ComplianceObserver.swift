import KVBinding
import KVCore

/// Separate observations of several key paths of a sample, so that a path that cannot be observed does not prevent the
/// others.
final class ComplianceObserver {
  private var recorders: [String: KVChangeRecorder] = [:]
  /// The errors of key paths that cannot be observed, by path.
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

  /// Returns the records of a key path or a key.
  func records(of path: String) -> [KVChange] { recorders[path]?.log.changes ?? [] }

  /// Removes all records.
  func clear() { for recorder in recorders.values { recorder.take() } }
}
