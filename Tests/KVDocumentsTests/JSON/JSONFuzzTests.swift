import Foundation
import KVBinding
import KVDocuments
import TestModels
import Testing

@Suite("Damaged JSON documents")
struct JSONFuzzTests {
  /// How many documents are read: `KV_FUZZ_FILES=1000000` reads a million.
  private static let count = ProcessInfo.processInfo.environment["KV_FUZZ_FILES"].flatMap { Int($0) } ?? 20_000

  @Test("KVC.18: no document traps: it is read as JSONSerialization reads it, or refused with one sentence and a place")
  func damaged() throws {
    var random = SplitMix64(seed: 23)
    var readCount = 0
    for _ in 0..<Self.count {
      let bytes = Self.document(&random)
      let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      do {
        let mine = try JSONCoding.value(from: Data(bytes))
        readCount += 1
        if JSONAgreement.mayDiffer(bytes) { continue }
        if theirs.map({ JSONAgreement.areSame(mine, $0) }) != true {
          Issue.record("\(Self.text(bytes)): \(mine as Any), not \(theirs as Any)")
        }
      } catch {
        let message = error.message
        let hasPlace = message.contains("line ") && message.contains("column ") || message.hasSuffix("is not UTF-8.")
        if !hasPlace || !message.hasPrefix("not JSON: ") || message.contains("\n") || message.last != "." {
          Issue.record("\(Self.text(bytes)): \(message)")
        }
        if theirs != nil, !JSONAgreement.isStricter(error), !JSONAgreement.mayDiffer(bytes) {
          Issue.record("\(Self.text(bytes)): \(message), but \(theirs as Any)")
        }
      }
    }
    #expect(readCount > Self.count / 10)
    #expect(readCount < Self.count / 2)
  }

  @Test("KVC.18: the time of reading grows with the document, whatever it holds")
  func hostileLengths() {
    let count = 50_000
    func times(_ text: String) -> String { String(repeating: text, count: count) }
    let documents = [
      times("7"), "0." + times("7"), "0." + times("0") + "1e\(count)", "1" + times("0") + "e-\(count)",
      "1844674407370955161" + times("0") + "e-\(count)", "0." + times("0") + "1844674407370955161e\(count + 19)",
      "\"" + times("\\u00e9") + "\"", "\"" + times("x") + "\"", times("["), "[" + times("\""), "[" + times("1,"),
      times("\n"), "{" + times("\"a\":1,"),
      "{\"" + times("x") + "\": ?}", "[" + times("\\"), times("-"), "1e" + times("9"), "\"" + times("\u{301}") + "\"",
    ]
    let clock = ContinuousClock()
    for document in documents {
      let time = clock.measure { _ = try? JSONCoding.value(from: Data(document.utf8)) }
      // Quadratic time would be minutes.
      #expect(time < .seconds(20), "\(document.prefix(20))")
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).debugDescription }

  // MARK: Documents

  private static func document(_ random: inout SplitMix64) -> [UInt8] {
    switch random.below(4) {
    case 0: return (0..<random.below(14)).flatMap { _ in tokens[random.below(tokens.count)] }
    case 1: return number(&random)
    default: return random.damaged(documents[random.below(documents.count)], tokens)
    }
  }

  private static func number(_ random: inout SplitMix64) -> [UInt8] {
    func digits(_ bound: Int) -> String {
      (0..<random.below(bound)).map { _ in String(max(0, random.below(14) - 4)) }.joined()
    }
    var text = (random.below(3) == 0 ? "-" : "") + digits(22)
    if random.below(2) == 0 { text += ".\(digits(22))" }
    if random.below(2) == 0 { text += ["e", "E", "e+", "e-"][random.below(4)] + digits(4) }
    return Array(text.utf8)
  }

  private static let documents = [
    #"{"version":1,"bindings":[{"key":"k","sourceKeyPath":"a.b[0]","targetKeyPath":"c","fallback":0.5}]}"#,
    "[1, -1, 0, 1.0, 1e2, 1.5, true, false, -0.25E-2, null, 18446744073709551615, 9007199254740993.0, 1e18]",
    #"["a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é", "\u0000", {"": {"a.b": 1}}, [[[]]], {"e\u0301": 1, "x": 2}]"#,
    "{\n \"a\": [\n  1,\n  {\"b\" : [ ] }\n ]\n}", "\"x\"",
    "[9223372036854775807,9223372036854775808,-9223372036854775808,-9223372036854775809,18446744073709551616]",
  ].map { Array($0.utf8) }

  private static let tokens = [
    "{", "}", "[", "]", "\"", ":", ",", "0", "1", "9", "-", "+", ".", "e", "E", "true", "false", "null", " ", "\n",
    "\t", "\\", "\\u", "\\ud83d", "\\ude00", "\\n", "\\\"", "é", "😀", "\u{FEFF}", "\"a\":", "\"a\"", "1e9", "00",
    "e400", "/", "\u{0}", "\u{1}", "\u{7F}", "9007199254740993", "0000000000", "tru", "NaN", "Infinity", "'", "\r",
  ].map { Array($0.utf8) }
}
