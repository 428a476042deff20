/// Keeps what happened, one line each, until a test takes the lines.
package protocol LineLog: AnyObject {
  /// What happened since the lines were last taken.
  var lines: [String] { get set }
}

extension LineLog {
  /// Returns the lines so far, and begins anew.
  package func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}
