import Foundation
import TestModels
import Testing

@testable import KVCore
@testable import KVQuery

@Suite struct NaturalOrderTests {
  @Test(
    "SRT.5: natural order counts, and tells apart by diacritics, case and scalars",
    arguments: [
      ["", " ", "01", "1", "2", "10", "a", "A", "á", "Á", "b"],
      ["file01.txt", "file1.txt", "file2.txt", "file10.txt", "file10a.txt", "File11.txt"],
      ["a1b2", "a1b10", "a2b1"],
      ["a/", "a9", "a10", "a:"],
      ["é2", "é2b", "é10", "é10a"],
      ["cote", "coté", "côte", "cotz"],
      ["x9", "x99999999999999999999999", "x100000000000000000000000"],
      ["strasse", "straße", "strasses"],
      ["٣", "4"],
    ])
  func order(texts: [String]) {
    for (index, left) in texts.enumerated() {
      for (other, right) in texts.enumerated() {
        let expected: KVOrdering = index < other ? .less : index == other ? .same : .greater
        #expect(NaturalOrder.compare(left, right) == expected, "\(left) and \(right)")
      }
    }
  }

  @Test("SRT.5: natural order is total: seeded texts, in both forms of the comparison")
  func total() {
    var generator = SplitMix64(seed: 5)
    var texts = (0..<120).map { _ in TestTexts.random(&generator) }
    texts += ["a", "A", "a1", "a01"]
    for left in texts {
      for right in texts {
        let ordering = NaturalOrder.compare(left, right)
        #expect(ordering == NaturalOrder.compare(right, left).reversed)
        #expect((ordering == .same) == left.unicodeScalars.elementsEqual(right.unicodeScalars))
        let primary = NaturalOrder.lexicographic(NaturalOrder.primaryKey(left), NaturalOrder.primaryKey(right))
        #expect(primary == .same || primary == ordering, "\(left.debugDescription) \(right.debugDescription)")
      }
    }
    for _ in 0..<20_000 {
      let (a, b, c) = (texts[generator.below(120)], texts[generator.below(120)], texts[generator.below(120)])
      if NaturalOrder.compare(a, b) != .greater, NaturalOrder.compare(b, c) != .greater {
        #expect(NaturalOrder.compare(a, c) != .greater)
      }
    }
    #expect(Self.hash(texts.sorted { NaturalOrder.compare($0, $1) == .less }) == 4_596_322_813_531_836_658)
  }

  /// The order of the seeded texts, which is the same on every platform.
  private static func hash(_ texts: [String]) -> UInt64 {
    texts.joined(separator: "\u{0}").utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  @Test("SRT.5, FLT.7: the tables fold as Foundation does, for letters that both know")
  func folding() {
    for value in (0x80..<0x600).map({ UInt32($0) }) + (0x1E00..<0x2000).map({ UInt32($0) }) {
      guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned else { continue }
      let text = String(Character(scalar))
      // Full case folding, which the lower case of the upper case is for most letters.
      if text.lowercased().uppercased() == text.uppercased(),
        text.lowercased().uppercased().lowercased() == text.lowercased(),
        text.uppercased().unicodeScalars.count == 1, scalar.properties.generalCategory == .uppercaseLetter
      {
        #expect(TextFolding.fold(text, .caseInsensitive) == text.lowercased(), "\(String(value, radix: 16))")
      }
      let base = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
        [0, 7, 8, 9].contains($0.properties.canonicalCombiningClass.rawValue)
      }
      #expect(
        TextFolding.fold(text, .diacriticInsensitive) == String(String.UnicodeScalarView(base)),
        "\(String(value, radix: 16))")
    }
    #expect(TextFolding.fold("Straße ǅ ŉ ﬁ", .caseInsensitive) == "strasse ǆ ʼn fi")
    #expect(TextFolding.fold("Ấ Å e\u{301} が", .diacriticInsensitive) == "A A e が")
    #expect(TextFolding.fold("ΆΣς", [.caseInsensitive, .diacriticInsensitive]) == "ασσ")
  }
}
