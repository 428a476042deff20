import Foundation
import KVBinding
import KVDocuments
import Testing

/// The corner cases of RFC 8259, by the sections of its grammar.
@Suite("Corner cases of JSON")
struct JSONGrammarTests {
  static let accepted: [(String, String)] = [
    // Values and space
    ("null", "null"), (" true", "true"), ("false ", "false"), ("\t\r\n 1 \n\r\t", "1"), ("\"\"", "\"\""),
    ("[]", "[]"), ("{}", "{}"), ("[ ]", "[]"), ("{ }", "{}"), ("[\n1\r,\t2 ]", "[1,2]"),
    ("\r\n{\t\"a\"\n:\r1 ,\t\"b\" :\n[ \r] }\t", #"{"a":1,"b":[]}"#), ("\u{FEFF}[1]", "[1]"),
    ("[[],[[]],{}]", "[[],[[]],{}]"), (#"{"":0}"#, #"{"":0}"#), (#"{"a":{"a":{"a":1}}}"#, #"{"a":{"a":{"a":1}}}"#),
    ("[null,1]", "[null,1]"), (#"{"a":null}"#, #"{"a":null}"#),
    // Numbers
    ("0", "0"), ("-0", "-0.0"), ("-1", "-1"), ("10", "10"), ("0.0", "0.0"), ("-0.0", "-0.0"), ("1.0", "1.0"),
    ("0e1", "0.0"), ("0E+1", "0.0"), ("1e-1", "0.1"), ("1E2", "100.0"), ("1.5e+10", "15000000000.0"),
    ("0.1e1", "1.0"), ("1e00", "1.0"), ("1e-007", "1e-07"), ("123456789012345678", "123456789012345678"),
    ("9223372036854775807", "9223372036854775807"), ("9223372036854775808", "9223372036854775808"),
    ("-9223372036854775808", "-9223372036854775808"), ("-9223372036854775809", "-9223372036854775809"),
    ("18446744073709551615", "18446744073709551615"), ("18446744073709551616", "18446744073709551616"),
    ("123456789012345678901234567890", "123456789012345678901234567890"),
    ("170141183460469231731687303715884105727", "170141183460469231731687303715884105727"),
    ("-170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"),
    ("1e400000000000000000000000000e", ""), ("1e-400", "0.0"), ("5e-324", "5e-324"),
    ("1.7976931348623157e308", "1.7976931348623157e+308"), ("9007199254740993.0", "9007199254740992.0"),
    ("0.1000000000000000055511151231257827", "0.1"),
    // Strings
    (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\b\f\n\r\t""#), (#""\u0041\u00e9\u20AC\u0000""#, #""Aé€\u0000""#),
    (#""\ud83d\ude00\uD834\uDD1E""#, "\"😀𝄞\""), ("\"é€😀\u{7F}\u{2028}\u{FFFF}\"", "\"é€😀\u{7F}\u{2028}\u{FFFF}\""),
    (#""\uFFFE\uFFFF\uFEFF""#, "\"\u{FFFE}\u{FFFF}\u{FEFF}\""), (#""\udbff\udfff""#, "\"\u{10FFFF}\""),
    (#""//* no comment */""#, #""//* no comment */""#), (#"{"\u0061\n":1}"#, #"{"a\n":1}"#),
  ].filter { !$0.1.isEmpty }

  static let refused: [(String, String)] = [
    // Structure
    ("", "line 1, column 1, expected a value, found the end of the document"),
    ("[", "[0], line 1, column 2, expected a value, found the end of the document"),
    ("]", #"line 1, column 1, expected a value, found "]""#),
    ("[1", #"line 1, column 3, expected "," or "]", found the end of the document"#),
    ("[1,", "[1], line 1, column 4, expected a value, found the end of the document"),
    ("[,1]", #"[0], line 1, column 2, expected a value, found ",""#),
    ("[1,,2]", #"[1], line 1, column 4, expected a value, found ",""#),
    ("[1}", #"line 1, column 3, expected "," or "]", found "}""#),
    ("[1:2]", #"line 1, column 3, expected "," or "]", found ":""#),
    ("{", #"line 1, column 2, expected a name in double quotes or "}", found the end of the document"#),
    (#"{"a""#, #"line 1, column 5, expected ":", found the end of the document"#),
    (#"{"a":"#, "a, line 1, column 6, expected a value, found the end of the document"),
    (#"{"a":1"#, #"line 1, column 7, expected "," or "}", found the end of the document"#),
    (#"{"a","b"}"#, #"line 1, column 5, expected ":", found ",""#),
    (#"{"a"::1}"#, #"a, line 1, column 6, expected a value, found ":""#),
    (#"{1:1}"#, #"line 1, column 2, expected a name in double quotes or "}", found "1""#),
    (#"{null:1}"#, #"line 1, column 2, expected a name in double quotes or "}", found "null""#),
    (#"{"a":1]"#, #"line 1, column 7, expected "," or "}", found "]""#),
    (#"{"a":1 "b":2}"#, #"line 1, column 8, expected "," or "}", found "\"""#),
    ("1 2", #"line 1, column 3, expected the end of the document, found "2""#),
    ("{}{}", #"line 1, column 3, expected the end of the document, found "{""#),
    ("[]\n\n x", #"line 3, column 2, expected the end of the document, found "x""#),
    ("[1]//", #"line 1, column 4, expected the end of the document, found "/""#),
    ("/**/1", #"line 1, column 1, expected a value, found "/""#),
    ("[1\u{A0}]", "line 1, column 3, expected \",\" or \"]\", found \"\u{A0}\""),
    ("[\u{B}1]", #"[0], line 1, column 2, expected a value, found "\u{0B}""#),
    ("\u{FEFF}\u{FEFF}1", "line 1, column 1, expected a value, found \"\u{FEFF}\""),
    // Words
    ("True", #"line 1, column 1, expected a value, found "True""#),
    ("nul", #"line 1, column 1, expected a value, found "nul""#),
    ("nulll", #"line 1, column 5, expected the end of the document, found "l""#),
    ("undefined", #"line 1, column 1, expected a value, found "undefined""#),
    ("Infinity", #"line 1, column 1, expected a value, found "Infinity""#),
    // Numbers
    ("+1", #"line 1, column 1, expected a value, found "+""#),
    (".5", #"line 1, column 1, expected a value, found ".""#),
    ("-", "line 1, column 2, expected a digit, found the end of the document"),
    ("--1", #"line 1, column 2, expected a digit, found "-""#),
    ("-Infinity", #"line 1, column 2, expected a digit, found "Infinity""#),
    ("1.", "line 1, column 3, expected a digit behind the point, found the end of the document"),
    ("1.e1", #"line 1, column 3, expected a digit behind the point, found "e""#),
    ("1e", "line 1, column 3, expected a digit of the exponent, found the end of the document"),
    ("1e+", "line 1, column 4, expected a digit of the exponent, found the end of the document"),
    ("1e1.5", #"line 1, column 4, expected the end of the document, found ".""#),
    ("01", "line 1, column 1, a number of several digits does not begin with 0"),
    ("-00", "line 1, column 1, a number of several digits does not begin with 0"),
    ("0x1F", #"line 1, column 2, expected the end of the document, found "x""#),
    ("1_000", #"line 1, column 2, expected the end of the document, found "_""#),
    ("１", "line 1, column 1, expected a value, found \"１\""),
    ("1e400", "line 1, column 1, the number 1e400 is out of range"),
    ("-1e309", "line 1, column 1, the number -1e309 is out of range"),
    (
      "170141183460469231731687303715884105728",
      """
      line 1, column 1, the integer 170141183460469231731687303715884105728 has more than 128 bits; write it as a string, \
      or with an exponent to have the nearest double
      """
    ),
    // Strings
    ("'a'", #"line 1, column 1, expected a value, found "'""#),
    (#""a"#, "line 1, column 1, the string that begins here has no end"),
    (#""a\"#, "line 1, column 1, the string that begins here has no end"),
    (#""\q""#, #"line 1, column 2, a backslash stands only before one of " \ / b f n r t u"#),
    (#""\U0041""#, #"line 1, column 2, a backslash stands only before one of " \ / b f n r t u"#),
    (#""\u12"#, #"line 1, column 2, "\u" stands before four hexadecimal digits"#),
    (#""\u00g0""#, #"line 1, column 2, "\u" stands before four hexadecimal digits"#),
    (#""\ud800""#, "line 1, column 2, the escape is half of a character, whose second half is missing"),
    (#""\ud800\ud800""#, "line 1, column 2, the escape is half of a character, whose second half is missing"),
    (#""\udc00\ud800""#, "line 1, column 2, the escape is half of a character, whose first half is missing"),
    ("\"\t\"", "line 1, column 2, the byte 0x09 is a control character, which has to be escaped"),
    ("\"\u{1F}\"", "line 1, column 2, the byte 0x1F is a control character, which has to be escaped"),
    ("\"xyz\u{0}\"", "line 1, column 5, the byte 0x00 is a control character, which has to be escaped"),
    ("[\"\\x\u{1}\"]", #"[0], line 1, column 3, a backslash stands only before one of " \ / b f n r t u"#),
    // Names that occur twice
    (#"{"a":1,"a":1}"#, #"line 1, column 8, the object has a member "a" already; take one of the two out"#),
    (#"{"a":1,"\u0061":2}"#, #"line 1, column 8, the object has a member "a" already; take one of the two out"#),
    (
      #"[{"b":{"é":1,"e\u0301":2}}]"#,
      "[0].b, line 1, column 14, the object has a member \"e\u{301}\" already; take one of the two out"
    ),
  ]

  @Test("DOC.1, DOC.2: what the grammar allows is read, and written in one form", arguments: accepted)
  func reading(text: String, written: String) throws {
    let value = try KVDocument(data: Data(text.utf8), format: .json).root
    #expect(String(decoding: try KVDocument(value).data(), as: UTF8.self) == written)
  }

  @Test("DOC.1, DOC.3: Anything else is refused at its first fault", arguments: refused)
  func refusing(text: String, place: String) {
    let error = #expect(throws: KVError.self) { try KVDocument(data: Data(text.utf8), format: .json) }
    #expect(error?.code == .invalidDocument)
    #expect(error?.message == "not JSON: at \(place).")
  }

  @Test(
    "DOC.1, DOC.4: a document is read and refused in the same way wherever its chunks end", arguments: [1, 2, 3, 5, 64])
  func chunks(size: Int) throws {
    let long = "[\"\(String(repeating: "long é ", count: 30))\", \(String(repeating: "7", count: 30)), \"\\u00e9\\n\"]"
    for text in Self.accepted.map(\.0) + Self.refused.map(\.0) + [long] where !text.isEmpty {
      let whole = outcome { try KVDocument(data: Data(text.utf8), format: .json).root }
      let inChunks = outcome { try excerpt("@self", Data(text.utf8), size).root }
      #expect(whole == inChunks, "\(text)")
    }
  }

  @Test("DOC.4: what a path skips is checked as what it reads", arguments: refused)
  func skipping(text: String, place: String) {
    // An unfinished document would be finished by what follows it here.
    if place.hasSuffix("the end of the document") || place.hasSuffix("has no end") { return }
    let document = Data("{\"skipped\":\n\(text)\n, \"wanted\": 1}".utf8)
    let whole = outcome { try KVDocument(data: document, format: .json).root }
    #expect(outcome { try excerpt("wanted", document, 16).root } == whole)
    #expect(whole.hasPrefix("not JSON"))
  }

  @Test("DOC.1: Bytes that are no UTF-8 are refused, read or skipped")
  func encoding() {
    let faults: [[UInt8]] = [
      [0xFF], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
      [0xF8, 0x88, 0x80, 0x80],
    ]
    for bytes in faults {
      let string = [0x22, 0x61] + bytes + [0x22]
      for document in [Data(string), Data(Array("{\"skipped\": ".utf8) + string + Array(", \"a\": 1}".utf8))] {
        for (path, size) in [("@self" as KVKeyPath, 3), ("a", 64)] {
          let message = outcome { try excerpt(path, document, size).root }
          #expect(message.contains("is not UTF-8"), "\(bytes): \(message)")
        }
      }
    }
    for text in ["[1]", "\"é\""] {
      let encodings: [String.Encoding] = [
        .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .utf16,
      ]
      for encoding in encodings {
        let data = text.data(using: encoding) ?? Data()
        #expect(outcome { try excerpt("a", data, 1).root } == "not JSON: it is not UTF-8.")
      }
    }
  }

  @Test("DOC.1: two hundred containers are followed, and not one more, read or skipped")
  func depth() throws {
    for (start, end) in [("[", "]"), ("{\"a\":", "}")] {
      for path in ["@self" as KVKeyPath, "wanted"] {
        func read(_ depth: Int) throws -> Any? {
          let nested = String(repeating: start, count: depth) + "1" + String(repeating: end, count: depth)
          return try excerpt(path, Data("{\"wanted\": 1, \"deep\": \(nested)}".utf8), 1_000).root
        }
        #expect(throws: Never.self) { try read(199) }
        for depth in [200, 100_000] {
          let error = #expect(throws: KVError.self) { try read(depth) }
          #expect(error?.code == .limitExceeded)
        }
      }
    }
  }

  @Test("DOC.3: names are compared in objects of any size")
  func manyNames() throws {
    let names = (0..<1_000).map { "\"name \($0)\": \($0)" }
    #expect(throws: Never.self) { try KVDocument(data: Data("{\(names.joined(separator: ","))}".utf8)) }
    for repeated in [3, 999] {
      let text = "{\(names.joined(separator: ",\n")),\n\"name \(repeated)\": 1}"
      for path in ["@self" as KVKeyPath, "x"] {
        let message = outcome { try excerpt(path, Data(text.utf8), 4_096).root }
        #expect(
          message.contains("line 1001, column 1, the object has a member \"name \(repeated)\" already"), "\(message)")
      }
    }
  }

  @Test("DOC.3: each name is compared with each", arguments: [1, 2, 15, 16, 17, 18, 33])
  func allNames(count: Int) throws {
    let names = (0..<count).map { "\"n\($0)\": 0" }
    for repeated in 0..<count {
      let text = "{\"o\": {\(names.joined(separator: ", ")), \"n\(repeated)\": 1}}"
      for path in ["@self" as KVKeyPath, "x", "o.n0"] {
        let message = outcome { try excerpt(path, Data(text.utf8), 64).root }
        #expect(message.contains("at o, line 1") && message.contains("\"n\(repeated)\" already"), "\(message)")
      }
    }
  }

  // MARK: Reading

  private func outcome(_ read: () throws -> Any?) -> String {
    do {
      let value = try read()
      return String(decoding: try KVDocument(value).data(), as: UTF8.self)
    } catch { return (error as? KVError)?.message ?? "\(error)" }
  }

  private func excerpt(_ path: KVKeyPath, _ data: Data, _ size: Int) throws -> KVDocumentExcerpt {
    try KVDocumentExcerpt(of: path, from: Chunks(data, size).next)
  }
}

/// A document in chunks.
final class Chunks {
  private var rest: Data
  private let size: Int

  init(_ data: Data, _ size: Int) {
    rest = data
    self.size = size
  }

  func next() -> Data? {
    defer { rest = rest.dropFirst(size) }
    return rest.isEmpty ? nil : Data(rest.prefix(size))
  }
}
