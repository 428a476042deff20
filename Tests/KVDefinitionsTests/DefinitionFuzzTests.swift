import Foundation
import KVBinding
import KVDefinitions
import TestModels
import Testing

@Suite("Damaged files of definitions")
struct DefinitionFuzzTests {
  /// How many damaged files are read: `KV_FUZZ_FILES=1000000` reads a million.
  private static let count =
    ProcessInfo.processInfo.environment["KV_FUZZ_FILES"].flatMap { Int($0) } ?? Extent.rounds(5_000, of: 20_000)

  private static func files() throws -> [[UInt8]] {
    var random = RandomDefinitions(seed: 3)
    let definitions = random.definitions()
    return [
      Array(try ColorPicker.file()), Array(try ColorPicker.file(format: .xml)), Array(try definitions.data()),
      Array(try definitions.data(format: .binary)), Array(try definitions.data(format: .xml)),
      Array(
        #"{"version":1,"bindings":[{"key":"k","sourceKeyPath":"a.b[0]","targetKeyPath":"c","direction":"oneWay"}]}"#
          .utf8),
    ]
  }

  @Test("DEF.2: no file traps, however it is damaged: it is read, or refused with faults that have sentences")
  func damaged() throws {
    let files = try Self.files()
    let marks = "{}[]\",:0<>/".utf8.map { [$0] }
    var random = SplitMix64(seed: 42)
    var refused = 0
    for _ in 0..<Self.count {
      let data = Data(random.damaged(files[random.below(files.count)], marks))
      do {
        let definitions = try KVBindingDefinitions(data: data)
        #expect(try KVBindingDefinitions(data: try definitions.data()) == definitions)
      } catch let error as KVBindingFaults {
        refused += 1
        if error.faults.isEmpty || error.faults.contains(where: { $0.message.isEmpty }) {
          Issue.record("no sentence for \(data)")
        }
      }
    }
    #expect(refused > Self.count / 2)
  }

  @Test("DEF.2: files that are nested deeply are refused")
  func deep() {
    for text in [String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000)] {
      #expect(throws: KVBindingFaults.self) { try KVBindingDefinitions(data: Data(text.utf8)) }
    }
    let array = String(repeating: "[", count: 199) + String(repeating: "]", count: 199)
    let inside = "{\"version\": 1, \"bindings\": \(array)}"
    #expect(throws: KVBindingFaults.self) { try KVBindingDefinitions(data: Data(inside.utf8)) }
  }
}
