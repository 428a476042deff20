import Foundation

/// The program `kv`, as it was built beside the tests.
struct Tool {
  /// What a run gave.
  struct Outcome: Equatable {
    var code: Int32
    var output: String
    var error: String
  }

  /// An empty directory, where the program runs.
  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("kv-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: directory) }

  /// Writes a file into the directory.
  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: directory.appendingPathComponent(name))
  }

  /// Runs the program with text as its standard input, through a shell: `kv` is the program.
  func shell(_ command: String, input: String = "") throws -> Outcome {
    let process = process("/bin/bash", ["-c", "kv() { '\(Self.path)' \"$@\"; }; \(command)"])
    let (stdin, output, error) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (stdin, output, error)
    try process.run()
    try? stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try? stdin.fileHandleForWriting.close()
    let texts = [output, error].map { pipe in
      String(decoding: (try? pipe.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Outcome(code: process.terminationStatus, output: texts[0], error: texts[1])
  }

  func process(_ program: String, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = directory
    return process
  }

  static let path: String = {
    // The bundle of the tests on Apple's platforms, the program that runs them elsewhere.
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let place = bundle ?? URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return place.deletingLastPathComponent().appendingPathComponent("kv").path
  }()
}
