import Foundation
import KVCore
import Testing

/// Keeps `Docs/Troubleshooting.md` true: its sentences come from running the mistakes.
@Suite("Docs/Troubleshooting.md")
struct TroubleshootingTests {
  private static var file: URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Docs/Troubleshooting.md")
      .standardized
  }

  @Test("KVC.18 the guide to the first hour's mistakes quotes what the errors really say")
  func guideIsCurrent() throws {
    let text = try TroubleshootingGuide.text()
    if ProcessInfo.processInfo.environment["KV_RECORD"] == "1" {
      try text.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let current = (try? String(contentsOf: Self.file, encoding: .utf8)) ?? ""
    let lines = zip(text.split(separator: "\n"), current.split(separator: "\n"))
    let difference = lines.first { $0 != $1 }.map { "now \"\($0)\", in the file \"\($1)\"" } ?? "the lengths differ"
    #expect(
      text == current,
      "Docs/Troubleshooting.md is out of date (\(difference)). Run KV_RECORD=1 swift test --filter Troubleshooting.")
  }
}
