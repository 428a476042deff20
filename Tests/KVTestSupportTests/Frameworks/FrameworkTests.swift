#if os(Linux)
  import Foundation
  import Testing

  /// Runs the failing suites in a process of their own and reads what the frameworks report.
  @Suite("TST.1: reports of the frameworks")
  struct FrameworkTests {
    @Test("TST.1: under XCTest each expectation that does not hold is one failure at its line", arguments: interopModes)
    func xcTest(_ mode: String?) throws {
      let report = try ChildProcess.run(["KVTestSupportTests.FailingXCTests"], interop: mode)
      let issues = report.matches(of: #/\n([^\n:]+\.swift):(\d+): error: /#)
        .map { SourceLine(file: $0.1, line: $0.2) }
      let marked = try marked("Failing.swift", "FailingXCTests.swift")
      #expect(issues.sorted() == marked, "\(report)")
      #expect(report.contains("Executed 8 tests, with \(issues.count) failures"))
    }

    @Test("TST.1: under Swift Testing it is one issue at its line", arguments: interopModes)
    func swiftTesting(_ mode: String?) throws {
      let arguments = ["--testing-library", "swift-testing", "--filter", "FailingTests"]
      let report = try ChildProcess.run(arguments, interop: mode)
      let issues = report.matches(of: #/recorded an issue at ([^\n:]+\.swift):(\d+):\d+/#)
        .map { SourceLine(file: $0.1, line: $0.2) }
      let marked = try marked("Failing.swift")
      #expect(issues.sorted() == marked, "\(report)")
      #expect(report.contains(" failed after "))
      let written = report.matches(of: #/([^\n:]+\.swift):(\d+): error: Till told of a change/#)
        .map { SourceLine(file: $0.1, line: $0.2) }
      let other = try self.marked("FailingTests.swift", as: "  // to standard error")
      #expect(written == other && other.count == 1)
      #expect(report.contains(" with \(issues.count) issues."))
    }

    @Test(
      "TST.1: a program whose name does not say that it runs tests loses none of them",
      arguments: ["app", "a-test-runner"])
    func otherName(_ name: String) throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let program = folder.appendingPathComponent(name)
      try FileManager.default.createSymbolicLink(at: program, withDestinationURL: ChildProcess.program)
      let report = try ChildProcess.run(["KVTestSupportTests.FailingXCTests"], interop: nil, program: program)
      let count = try marked("Failing.swift", "FailingXCTests.swift").count
      #expect(report.contains("Executed 8 tests, with \(count) failures"), "\(report)")
    }

    @Test("TST.1: without the variable nothing of them runs")
    func others() throws {
      #expect(isMeantToFail == false)
    }

    /// The lines of files that are marked.
    private func marked(_ names: String..., as mark: String = "  // fails") throws -> [SourceLine] {
      let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      return try names.flatMap { name in
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
          .filter { $0.element.hasSuffix(mark) }.map { SourceLine(file: name[...], line: "\($0.offset + 1)") }
      }.sorted()
    }
  }

  /// What newer toolchains make of a call of the other framework; nil for what is usual.
  private let interopModes = [nil, "none", "limited", "complete"]

  private struct SourceLine: Comparable, CustomStringConvertible {
    let file: String
    let line: Int

    init(file: Substring, line: some StringProtocol) {
      self.file = String(file.split(separator: "/").last ?? "")
      self.line = Int(line) ?? 0
    }

    var description: String { "\(file):\(line)" }

    static func < (left: SourceLine, right: SourceLine) -> Bool { (left.file, left.line) < (right.file, right.line) }
  }

  /// The test program, once more.
  enum ChildProcess {
    /// A test runner that runs all tests whichever are named, and so would start itself without end.
    struct RunsAllTests: Error {}

    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()

    static func run(_ arguments: [String], interop: String?, program: URL = program) throws -> String {
      let process = Process()
      process.executableURL = program
      process.arguments = arguments
      var environment = ProcessInfo.processInfo.environment
      if environment.updateValue("1", forKey: failingVariable) != nil { throw RunsAllTests() }
      environment["SWIFT_TESTING_XCTEST_INTEROP_MODE"] = interop
      environment["NO_COLOR"] = "1"
      process.environment = environment
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let data = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return String(decoding: data, as: UTF8.self)
    }
  }
#endif
