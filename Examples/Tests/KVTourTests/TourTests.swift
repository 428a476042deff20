import Foundation
import Testing

@testable import KVTour

// One after the other, since steps register an operator and a handler for the whole process.
@Suite("The tour", .serialized)
struct TourTests {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("The code that a step prints is the code that it runs", arguments: Tour.steps.indices)
  func codeIsWhatRuns(index: Int) throws {
    let step = Tour.steps[index]
    let lines = try source(step.file)
    // The function of a step follows it: its body runs from the line of the name to the brace that ends it.
    let start = try #require(lines.indices.first { $0 >= step.line && lines[$0].hasPrefix("  private static func ") })
    let end = try #require(lines.indices.first { $0 > start && lines[$0] == "  }" })
    #expect(step.code == Self.dedented(lines[(start + 1)..<end]))
  }

  @Test("The declaration that a step prints is one that is compiled", arguments: Tour.steps.indices)
  func declarationsAreCompiled(index: Int) throws {
    guard let declaration = Tour.steps[index].declaration else { return }
    let models = try ["Album.swift", "Sale.swift"].flatMap { try source($0) + [""] }
    #expect(models.joined(separator: "\n").contains("\n\(declaration)\n"))
  }

  @Test("No step shows nothing, or stops half-way", arguments: Tour.steps.indices)
  func results(index: Int) {
    let results = Tour.steps[index].results()
    #expect(!results.isEmpty)
    #expect(!results.contains { $0.hasPrefix("error: ") || $0 == "no error" })
  }

  @Test("The output is the one that is recorded, at every run")
  func output() throws {
    let expected = try String(
      contentsOf: Self.package.appendingPathComponent("tour-expected.txt"), encoding: .utf8)
    #expect(Tour.text() == expected)
    #expect(Tour.text() == expected)
  }

  private func source(_ file: String) throws -> [String] {
    let url = Self.package.appendingPathComponent("Sources/KVTour/\(file)")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  private static func dedented(_ lines: ArraySlice<String>) -> String {
    lines.map { String($0.dropFirst(4)) }.joined(separator: "\n")
  }
}
