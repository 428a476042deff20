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

  @Test("KVC.18: the guide to the first hour's mistakes quotes what the errors really say")
  func guideIsCurrent() throws {
    let current = (try? String(contentsOf: Self.file, encoding: .utf8)) ?? ""
    let text = try TroubleshootingGuide.text(bindings: Self.bindings(in: current))
    if ProcessInfo.processInfo.environment["KV_RECORD"] == "1" {
      try text.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let lines = zip(text.split(separator: "\n"), current.split(separator: "\n"))
    let difference = lines.first { $0 != $1 }.map { "now \"\($0)\", in the file \"\($1)\"" } ?? "the lengths differ"
    #expect(
      text == current,
      "Docs/Troubleshooting.md is out of date (\(difference)). Run KV_RECORD=1 swift test --filter Troubleshooting.")
  }

  /// Returns the chapters that the suite of KVBinding keeps.
  private static func bindings(in text: String) -> String {
    guard let start = text.range(of: "\(TroubleshootingGuide.start)\n"),
      let end = text.range(of: TroubleshootingGuide.end)
    else { return "" }
    return String(text[start.upperBound..<end.lowerBound])
  }

  @Test("KVC.18: the guide explains each code")
  func codes() throws {
    let source = Self.file.deletingLastPathComponent().appending(path: "../Sources/KVCore/Errors/KVError.Code.swift")
    let text = try String(contentsOf: source.standardized, encoding: .utf8)
    let codes = text.matches(of: #/static let (\w+) = Code\("(\w+)"\)/#).map { String($0.2) }
    #expect(codes.count > 20 && codes.sorted() == TroubleshootingGuide.explainedCodes.sorted())
  }

  @Test("KVC.18: each entry has a cure that this suite tries")
  func complete() throws {
    let whole = try String(contentsOf: Self.file, encoding: .utf8)
    let text = whole.replacing(Self.bindings(in: whole), with: "")
    let titles = text.split(separator: "\n").filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
    #expect(titles.count > 30)
    #expect(titles.sorted() == TroubleshootingCures.all.map(\.title).sorted())
  }

  @Test("KVC.18: what the guide says to do works", arguments: TroubleshootingCures.all.map(\.title))
  func cure(title: String) async throws {
    try await #require(TroubleshootingCures.all.first { $0.title == title }).apply()
  }
}
