import KVBinding

/// What is wrong with a file, a path or a value: one line for standard error.
struct ToolFailure: Error {
  let line: String

  init(_ sentence: String) { line = sentence.split(whereSeparator: \.isNewline).joined(separator: " ") }

  init(_ error: KVError) {
    // The tool speaks of documents; the names of Swift's types mean nothing to its user.
    let place = error.keyPath.map { error.component == $0 || error.code == .invalidKeyPath ? "" : " (In the path \($0).)" }
    self.init(error.message + (place ?? ""))
  }
}
