import Foundation
import Testing

@Suite("The program sheet, in a pipe", .timeLimit(.minutes(2))) struct ProgramTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("sheet-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

  /// Runs the program; returns its exit code, and what it writes to standard output and standard error, in order.
  private func run(_ arguments: [String] = [], input: String = "") throws -> (code: Int32, output: String) {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let place = bundle ?? URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let (process, commands, output) = (Process(), Pipe(), Pipe())
    process.executableURL = place.deletingLastPathComponent().appendingPathComponent("sheet")
    process.arguments = arguments
    process.currentDirectoryURL = directory
    (process.standardInput, process.standardOutput, process.standardError) = (commands, output, output)
    try process.run()
    try? commands.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try? commands.fileHandleForWriting.close()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  @Test("a transcript: each command, and what it prints")
  func transcript() throws {
    let transcript: KeyValuePairs = [
      "A1 = 3": ["A1: 3"],
      "A2 = tea": ["A2: tea"],
      "B1 = = A1 * 2 + 1": ["B1: 7"],
      "B2 = = sum(A1:B1) / 4": ["B2: 2.5"],
      "C1 = = 1 / (A1 - 5)": ["C1: -0.5"],
      "": [],
      "show": ["     A    B     C", "1    3    7  -0.5", "2  tea  2.5      "],
      "A1 = 5": [
        "A1: 5", "B1: 11", "C1: error: division by zero: compare with zero first, as in d != 0 AND n / d > 1.", "B2: 4",
      ],
      "B1": ["B1: 11    = A1 * 2 + 1"],
      "Z9": ["Z9: empty"],
      "show ": [
        "     A   B       C", "1    5  11  #error", "2  tea   4        ",
        "C1: error: division by zero: compare with zero first, as in d != 0 AND n / d > 1.",
      ],
      "AA1": ["sheet: AA1 is not a cell of A1 to Z999"],
      "price = 3": ["sheet: price is not a cell of A1 to Z999"],
      "sort": ["sheet: sort is not a command: help lists the commands"],
      "B1 = = B2": ["sheet: B1 would depend on itself: B1 → B2 → B1"],
      "B1 = = price": ["sheet: price is not a cell of A1 to Z999"],
      "undo": ["undone: A1 = 5", "A1: 3", "B1: 7", "C1: -0.5", "B2: 2.5"],
      "undo ": ["undone: C1 = = 1 / (A1 - 5)", "C1: empty"],
      "redo": ["redone: C1 = = 1 / (A1 - 5)", "C1: -0.5"],
      "redo ": [
        "redone: A1 = 5", "A1: 5", "B1: 11",
        "C1: error: division by zero: compare with zero first, as in d != 0 AND n / d > 1.", "B2: 4",
      ],
      "redo  ": ["sheet: there is nothing to redo"],
      "filter": ["sheet: there is no filter yet: write filter number > 3"],
      "filter number > 4": ["A1: 5", "B1: 11"],
      "A1 = 1": ["A1: 1", "B1: 3", "C1: -0.25", "B2: 1"],
      "A3 = 9": ["A3: 9"],
      "filter ": ["A3: 9"],
      "filter numbr > 3": [
        "sheet: undefined key \"numbr\" of Cell. Did you mean \"number\"? Known keys: column, error, input, name, number, "
          + "precedents, row, text, value."
      ],
      "D1 = = {A1, A2}": ["D1: {1, tea}"],
      "save": ["sheet: there is no file yet: write save FILE"],
      "quit": [],
      "A1 = 7": [],
    ]
    let outcome = try run(input: transcript.map { "\($0.key)\n" }.joined())
    #expect(outcome.output.split(separator: "\n").map(String.init) == transcript.flatMap(\.value))
    #expect(outcome.code == 1)
  }

  @Test("a file is read and written")
  func files() throws {
    let text = "A2 = = A1 * 2\nA1 = 3\nB1 = a = b\n"
    try Data("# prices\n\n\(text)".utf8).write(to: directory.appendingPathComponent("prices"))
    #expect(try run(["prices"], input: "A2\nundo") == (1, "A2: 6    = A1 * 2\nsheet: there is nothing to undo\n"))
    #expect(try run(["prices", "-c", "A1 = 4", "-c", "save copy"]) == (0, "A1: 4\nA2: 8\n"))
    let copy = try String(contentsOf: directory.appendingPathComponent("copy"), encoding: .utf8)
    #expect(copy == text.replacing("A1 = 3", with: "A1 = 4"))
  }

  @Test(
    "a file that is wrong is an error with its line",
    arguments: [
      ("A1 = 3\nA2 3\n", "sheet: wrong:2: A2 3 is not an edit: write A1 = 3\n"),
      ("A1 = = A2\n\nA2 = = A1", "sheet: wrong:3: A2 would depend on itself: A2 → A1 → A2\n"),
    ])
  func wrongFiles(text: String, output: String) throws {
    try Data(text.utf8).write(to: directory.appendingPathComponent("wrong"))
    #expect(try run(["wrong"]) == (1, output))
  }

  @Test("a file that cannot be read or written is an error")
  func missingFiles() throws {
    let reading = try run(["missing"])
    #expect(reading.code == 1 && reading.output.hasPrefix("sheet: cannot read missing: "))
    let writing = try run(["-c", "A1 = 3", "-c", "save missing/file", "-c", "A1"])
    #expect(writing.code == 1 && writing.output.hasPrefix("A1: 3\nsheet: cannot write missing/file: "))
    #expect(writing.output.hasSuffix("\nA1: 3\n"))
  }

  @Test("bad usage has the exit code 2, and help 0")
  func usage() throws {
    #expect(try run(["--unknown"]).code == 2)
    let help = try run(["--help"])
    #expect(help.code == 0 && help.output.contains("filter number > 3"))
  }
}
