import KVBinding

/// What is wrong with a file, a path or a value: one line for standard error.
struct ToolFailure: Error {
  let line: String

  init(_ sentence: String) { line = sentence.split(whereSeparator: \.isNewline).joined(separator: " ") }

  init(_ error: KVError) {
    // Without the root type that the whole description names: to the user of the tool it means nothing.
    self.init(error.message)
  }
}
