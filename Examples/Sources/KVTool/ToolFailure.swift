import KVBinding

/// What is wrong with a file, a path or a value: one line for standard error; of definitions one line a fault.
struct ToolFailure: Error {
  let lines: [String]

  init(_ sentence: String) { self.init(lines: [sentence]) }

  init(lines sentences: [String]) {
    lines = sentences.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
  }

  var line: String { lines.joined(separator: " ") }

  init(_ error: KVError) {
    // Without the root type that the whole description names: to the user of the tool it means nothing.
    self.init(error.message)
  }
}
