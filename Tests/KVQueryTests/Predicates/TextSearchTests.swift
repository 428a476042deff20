import TestModels
import Testing

@testable import KVCore
@testable import KVQuery

@Suite("FLT.6: texts are compared by character, in linear time")
struct TextSearchTests {
  /// A text that counts how often its elements are read.
  private final class CountedText: SearchedText {
    private let bytes: [UInt8]
    private(set) var reads = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var count: Int { bytes.count }

    subscript(index: Int) -> UInt8 {
      reads += 1
      return bytes[index]
    }

    func firstIndex(of element: UInt8, in range: ClosedRange<Int>) -> Int? { range.first { self[$0] == element } }
    func characterEnd(from index: Int) -> Int? { index + 1 }
    func characterStart(before index: Int) -> Int? { index - 1 }
  }

  /// What is matched one character at a time, by trying everything.
  private struct Reference {
    let text: String
    let pattern: String
    let options: KVTextOptions

    private func folded(_ text: String) -> [Character] { Array(TextFolding.fold(text, options)) }

    func holds(_ operator: PredicateComparison.Operator) -> Bool {
      let (characters, wanted) = (folded(text), folded(pattern))
      switch `operator` {
      case .beginsWith: return characters.starts(with: wanted)
      case .endsWith: return characters.reversed().starts(with: wanted.reversed())
      case .contains: return wanted.isEmpty || characters.indices.contains { characters[$0...].starts(with: wanted) }
      case .equal: return characters == wanted
      default:
        let parts = text.map { folded(String($0)) }.filter { !$0.isEmpty }
        let elements = parts.flatMap { part in part.enumerated().map { ($1, $0 == 0 ? part.count : nil) } }
        let wanted = LikePattern<Character>.parts(of: pattern, options).map { $0.map(Optional.some) }
        return isLike(elements[...], Array(wanted.joined(separator: [Character??.none]))[...])
      }
    }

    /// - Parameter pattern: The characters; nil in an optional for `?`, and nil for `*`.
    private func isLike(_ text: ArraySlice<(Character, Int?)>, _ pattern: ArraySlice<Character??>) -> Bool {
      guard let first = pattern.first else { return text.isEmpty }
      let rest = pattern.dropFirst()
      guard let one = first else { return isLike(text, rest) || !text.isEmpty && isLike(text.dropFirst(), pattern) }
      guard let wanted = one else { return text.first?.1.map { isLike(text.dropFirst($0), rest) } ?? false }
      return text.first?.0 == wanted && isLike(text.dropFirst(), rest)
    }
  }

  private static let operators: [PredicateComparison.Operator] = [.beginsWith, .endsWith, .contains, .equal, .like]

  private static let alphabets: [[String]] = [
    ["a", "b"], ["a", "A", "b", "\n"],
    ["e", "\u{301}", "\u{323}", "é", "E"], ["\u{1F1E9}", "\u{1F1EA}", "a"], ["\r", "\n", "a"],
    ["s", "ß", "ẞ", "S", "İ", "i", "\u{307}", "ı"], ["\u{1100}", "\u{1161}", "가", "\u{200D}", "👩", "ﬃ", "f", "i"],
  ]

  @Test("FLT.6, FLT.7: whatever is searched by bytes or in linear time is what trying everything finds")
  func agreement() throws {
    var generator = SplitMix64(seed: 39)
    var matches = 0
    for round in 0..<12_000 {
      let alphabet = Self.alphabets[round % Self.alphabets.count]
      let options = KVTextOptions(rawValue: generator.below(4))
      let `operator` = Self.operators[generator.below(Self.operators.count)]
      func text(_ length: Int, _ letters: [String]) -> String {
        (0..<generator.below(length)).map { _ in letters[generator.below(letters.count)] }.joined()
      }
      let whole = text(9, alphabet)
      let pattern = text(6, `operator` == .like ? alphabet + ["*", "?", "*", "\\"] : alphabet)
      let expected = Reference(text: whole, pattern: pattern, options: options).holds(`operator`)
      let found = try TextPattern(`operator`, pattern, options).matches(whole)
      if expected { matches += 1 }
      #expect(
        found == expected, "\(whole.debugDescription) \(`operator`)[\(options.rawValue)] \(pattern.debugDescription)")
    }
    #expect(matches > 2_000 && matches < 10_000)
  }

  @Test("FLT.6: a mark is no part of a letter, and a flag no half of two others")
  func characters() throws {
    let text = ["t": "cafe\u{301} \u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}"]
    for (format, expected) in [
      ("t CONTAINS 'cafe'", false), ("t CONTAINS[d] 'cafe'", true), ("t CONTAINS 'café'", true),
      ("t CONTAINS '\u{1F1EA}\u{1F1EB}'", false), ("t CONTAINS '\u{1F1EB}\u{1F1F7}'", true),
      ("t ENDSWITH '\u{1F1F7}'", false), ("t ENDSWITH '\u{1F1EB}\u{1F1F7}'", true), ("t LIKE '*f? *'", true),
    ] {
      #expect(try KVPredicate(format: format).evaluate(with: text) == expected, "\(format)")
    }
  }

  @Test(
    "FLT.6: a search reads each element of a text at most twice, whatever the texts are", arguments: [1_000, 2_000])
  func searches(_ count: Int) {
    let half = String(repeating: "a", count: count / 2)
    for (text, pattern) in [
      (half + half, half + "b"), (half + half, "b" + half),
      (String(repeating: "ab", count: count / 2), String(repeating: "ab", count: count / 4) + "aa"),
      (String(repeating: "aab", count: count / 3), String(repeating: "aab", count: count / 6) + "ab"),
    ] {
      let counted = CountedText(text)
      #expect(SearchPattern(Array(pattern.utf8)).firstEnd(in: counted, from: 0, to: counted.count) == nil)
      #expect(counted.reads > 0 && counted.reads <= 2 * count, "\(pattern.prefix(5)): \(counted.reads)")
    }
  }

  @Test("FLT.6: LIKE reads each element of a text a limited number of times", arguments: [1_000, 2_000])
  func likes(_ count: Int) throws {
    let half = String(repeating: "a", count: count / 2)
    for (pattern, isKnown) in [
      ("*\(half)b*", true), ("*\(half)b", true), (String(repeating: "*a", count: count / 4) + "*b*", true),
      ("*aaaaaaa?b*", true), ("*\(half)?b*", false), (String(repeating: "*a?", count: count / 8) + "*b*", true),
    ] {
      let counted = CountedText(half + half)
      let like = try #require(LikePattern<UInt8>(ascii: LikePattern<Character>.parts(of: pattern, [])))
      #expect(like.matches(counted) == (isKnown ? .noMatch : .tooManyComparisons), "\(pattern.prefix(8))")
      #expect(counted.reads <= (pattern.contains("?") ? 66 : 3) * count, "\(pattern.prefix(8)): \(counted.reads)")
    }
  }

  @Test("FLT.6: a part of LIKE with ? that would be compared too often is an error, in ASCII and in other texts")
  func wildcards() throws {
    let half = String(repeating: "a", count: 300)
    let predicate = try KVPredicate(format: "t LIKE %@", "*\(half)?b*")
    for text in [half + half, half + half + "é"] {
      let error = #expect(throws: KVError.self) { try predicate.evaluate(with: ["t": text]) }
      #expect(error?.code == .limitExceeded)
      #expect(
        error?.message == """
          LIKE compares \(KeyPathParser.excerpt("*\(half)?b*")) more than 64 times for each character of a text: shorten \
          what has a ? between two *, or write it without ?.
          """)
    }
    #expect(try predicate.evaluate(with: ["t": half + "xb" + half]))
    #expect(try KVPredicate(format: "t LIKE '*a?a?a?b*'").evaluate(with: ["t": half + half + "xbx"]))
  }

  @Test(
    "FLT.6, FLT.7, FLT.8: IN[cd] folds and finds as comparing with each member does, also in lists of several types")
  func members() throws {
    let rows: [[String: Any]] = [
      ["v": "STRASSE"], ["v": 2], ["v": 2.0], ["v": true], ["v": Double.nan], [:], ["v": "é"],
    ]
    for (format, expected) in [
      ("v IN[c] {'straße', 'x'}", [0]), ("v IN {'straße', 2}", [1, 2]), ("v IN[cd] {'Strasse', 2, 'E'}", [0, 1, 2, 6]),
      ("v IN {1, 2.5, 'é', NULL}", [3, 5, 6]), ("v IN {}", []), ("ANY v IN %@", [1, 2]),
    ] {
      let predicate = try KVPredicate(format: format, arguments: format.contains("%@") ? [[2, 7]] : [])
      for (index, row) in rows.enumerated() {
        let row = format.hasPrefix("ANY") ? row.mapValues { [$0] as [Any] } : row
        #expect(try predicate.evaluate(with: row) == expected.contains(index), "\(format) \(row)")
      }
    }
  }

  @Test("FLT.9: the right side of a quantifier is prepared once, and compared as without one")
  func operands() throws {
    let row: [String: Any] = [
      "tags": ["Red", "blue", "x"], "like": "b*e", "part": "LU", "list": [1, "blue"] as [Any],
    ]
    for (format, expected) in [
      ("ANY tags LIKE #like", true), ("ANY tags CONTAINS part", false), ("ANY tags CONTAINS[c] part", true),
      ("ALL tags MATCHES #like", false), ("ANY tags IN list", true), ("NONE tags IN[c] list", false),
      ("ANY tags == nothing", false), ("ALL tags != nothing", true), ("ANY tags BEGINSWITH[c] 'R'", true),
    ] {
      #expect(try KVPredicate(format: format).evaluate(with: row) == expected, "\(format)")
    }
  }
}
