import Foundation
import KVBinding
import Testing

/// Keeps the chapters of `Docs/Troubleshooting.md` on observing, binding, controllers and undo true.
@Suite("Docs/Troubleshooting.md, observing and binding", .serialized)
struct BindingTroubleshootingTests {
  private static var file: URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Docs/Troubleshooting.md")
      .standardized
  }

  @Test("KVC.18: the guide quotes what the errors of observations, bindings, controllers and undo say")
  func guideIsCurrent() throws {
    let current = try String(contentsOf: Self.file, encoding: .utf8)
    let start = try #require(current.range(of: "<!-- KVBinding -->\n")).upperBound
    let end = try #require(current.range(of: "<!-- /KVBinding -->")).lowerBound
    var text = BindingMistakes.introduction
    for (heading, mistakes) in BindingMistakes.chapters {
      text += "\n## \(heading)\n"
      for mistake in mistakes { text += try mistake.section() }
    }
    text += "\n"
    if ProcessInfo.processInfo.environment["KV_RECORD"] == "1" {
      let whole = current.replacingCharacters(in: start..<end, with: text)
      try whole.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let lines = zip(text.split(separator: "\n"), current[start..<end].split(separator: "\n"))
    let difference = lines.first { $0 != $1 }.map { "now \"\($0)\", in the file \"\($1)\"" } ?? "the lengths differ"
    #expect(
      text == current[start..<end],
      "Docs/Troubleshooting.md is out of date (\(difference)). Run KV_RECORD=1 swift test --filter BindingTroubleshooting."
    )
  }

  @Test("KVC.18: what the guide says to do works", arguments: BindingMistakes.all.map(\.title))
  func cure(title: String) throws {
    try #require(BindingMistakes.all.first { $0.title == title }).cure()
  }
}
