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

  @Test("KVC.18 each entry has a cure that this suite tries")
  func complete() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    let titles = text.split(separator: "\n").filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
    #expect(titles.count > 30)
    #expect(titles.sorted() == TroubleshootingCures.all.map(\.title).sorted())
  }

  @Test("KVC.18 what the guide says to do works", arguments: TroubleshootingCures.all.map(\.title))
  func cure(title: String) async throws {
    try await #require(TroubleshootingCures.all.first { $0.title == title }).apply()
  }
}
