import Foundation

/// The standard streams of the process.
enum StandardStreams {
  /// Writes to standard output.
  static func write(_ data: Data) { try? FileHandle.standardOutput.write(contentsOf: data) }

  /// Writes to standard error.
  static func writeError(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

  /// Reads standard input to its end.
  static func read() throws -> Data { try FileHandle.standardInput.readToEnd() ?? Data() }
}
