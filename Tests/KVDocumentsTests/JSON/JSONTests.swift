import Foundation
import KVBinding
import KVDocuments
import TestModels
import Testing

@Suite("JSONCoding reads and writes plain values")
struct JSONTests {
  private func read(_ text: String) throws -> Any? { try JSONCoding.value(from: Data(text.utf8)) }

  private func text(_ value: Any?, _ options: JSONCoding.Options = []) throws -> String {
    String(decoding: try JSONCoding.data(from: value, options: options), as: UTF8.self)
  }

  @Test("DOC.2: a number without fraction and exponent comes as Int, another number as Double, true as Bool")
  func numbers() throws {
    let values = try #require(try read("[1, -1, 0, 1.0, 1e2, 1.5, true, false, -0.25E-2]") as? [Any])
    let types = values.map { "\(type(of: $0))" }
    #expect(types == ["Int", "Int", "Int", "Double", "Double", "Double", "Bool", "Bool", "Double"])
    #expect(try text(values) == "[1,-1,0,1.0,100.0,1.5,true,false,-0.0025]")
    let object = try #require(try read(#"{"a": 1, "b": true, "c": "", "d": [], "e": {}}"#) as? [String: Any])
    #expect(
      object.sorted { $0.key < $1.key }.map { "\(type(of: $0.value))" }
        == ["Int", "Bool", "String", "Array<Any>", "Dictionary<String, Any>"])
    #expect(try read("9223372036854775807") as? Int == .max)
    #expect(try read("-9223372036854775808") as? Int == .min)
    #expect(try read("18446744073709551615") as? UInt64 == .max)
    #expect(try read("18446744073709551616") as? Int128 == 1 << 64)
    #expect(try read("-9223372036854775809") as? Int128 == -(1 << 63) - 1)
    #expect(try (read("-0") as? Double)?.sign == .minus)
    #expect(try read("1e-400") as? Double == 0)
    #expect(try read("5e-324") as? Double == .leastNonzeroMagnitude)
    #expect(try read("9007199254740993") as? Int == 9_007_199_254_740_993)
    #expect(try read("0.1000000000000000055511151231257827") as? Double == 0.1)
  }

  @Test("DOC.2: a number with a fraction or an exponent is the nearest double, however it is written")
  func nearestDoubles() throws {
    #expect(try read("9007199254740993.0") as? Double == 9_007_199_254_740_992)
    #expect(try read("922337203685477580.70e1") as? Double == 0x1p63)
    #expect(try read("90908760998499099.5") as? Double == 90_908_760_998_499_099.5)
    #expect(try read("1" + String(repeating: "0", count: 1_000) + "e-1000") as? Double == 1)
    #expect(try read("0." + String(repeating: "0", count: 1_000) + "25e1001") as? Double == 2.5)
    #expect(try (read("-1e-400") as? Double)?.sign == .minus)
    #expect(throws: KVError.self) { try read(String(repeating: "9", count: 400)) }
    #expect(throws: KVError.self) { try read("1e99999999999999999999") }
    #expect(try read("1e-99999999999999999999") as? Double == 0)
  }

  @Test("DOC.1: a null is an entry that reads as nil, a nil element, or nil")
  func nulls() throws {
    let object = try #require(try read(#"{"a": null, "b": 1}"#) as? [String: Any])
    #expect(object.keys.sorted() == ["a", "b"])
    #expect(try object.value(forKey: "a") == nil)
    #expect(try text(object) == #"{"a":null,"b":1}"#)
    let array = try read("[null, 1]")
    #expect(try #require(array as? [Any?]).map { $0 == nil } == [true, false])
    #expect(try text(array) == "[null,1]")
    #expect(try read(" null ") == nil)
    #expect(try text(nil) == "null")
    #expect(try text(["a": KVDocument.Null()]) == #"{"a":null}"#)
  }

  @Test("DOC.1: strings are read with their escapes resolved, and written with the escapes that JSON needs")
  func strings() throws {
    #expect(try read(#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#) as? String == "a\"\\/\u{8}\u{C}\n\r\té😀é")
    #expect(try text("a\"\\/\u{8}\u{C}\n\r\t\u{1}é😀") == #""a\"\\/\b\f\n\r\t\u0001é😀""#)
    #expect(try read("\"\\u0000\"") as? String == "\0")
    #expect(try read("\u{FEFF}[\"x\"]") as? [String] == ["x"])
    let odd = try #require(try read(#"{"": {"a.b": 1}}"#))
    #expect(try KVC.value(of: odd, forKeyPath: #"[""]["a.b"]"#) as? Int == 1)
  }

  @Test(
    "KVC.18: a fault is reported in one sentence",
    arguments: [
      "", "  \n ", "{", "[1 2]", "{\"a\" 1}", "{a: 1}", "tru", "nul", "01", "-", "1.", "1e", ".5", "+1", "1e999",
      "\"abc", "\"a\\x\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"",
      "[\"é\", x]", "[1]\n[2]", "{\n \"a\": [\n  1,\n  ?\n ]\n}", "NaN", "'a'", "[1]]",
    ])
  func faults(text: String) throws {
    let error = #expect(throws: KVError.self) { try read(text) }
    let message = try #require(error?.message)
    #expect(error?.code == .invalidDocument)
    #expect(message.hasPrefix("not JSON: ") && message.hasSuffix("."), "\(message)")
    #expect(!message.contains(". ") && !message.contains("\n"), "\(message)")
    #expect(error?.underlying != nil)
  }

  @Test(
    "KVC.18: a fault is reported with its path, its line and its column, and with what was expected there",
    arguments: [
      ("[1 2]", #"line 1, column 4, expected "," or "]", found "2""#),
      (#"{"a" 1}"#, #"line 1, column 6, expected ":", found "1""#),
      ("[\"é\", x]", #"[1], line 1, column 7, expected a value, found "x""#),
      ("[1]\n[2]", #"line 2, column 1, expected the end of the document, found "[""#),
      ("[1]]", #"line 1, column 4, expected the end of the document, found "]""#),
      ("{\n \"a\": [\n  1,\n  ?\n ]\n}", #"a[1], line 4, column 3, expected a value, found "?""#),
      ("", "line 1, column 1, expected a value, found the end of the document"),
      ("{a: 1}", #"line 1, column 2, expected a name in double quotes or "}", found "a""#),
      (#"{"a": 1,}"#, #"line 1, column 9, expected a name in double quotes, found "}""#),
      (#"{"a": [1, {"b": 1,"c" "#, #"a[1], line 1, column 23, expected ":", found the end of the document"#),
      ("[1,]", #"[1], line 1, column 4, expected a value, found "]""#),
      ("['a']", #"[0], line 1, column 2, expected a value, found "'""#),
      ("NaN", #"line 1, column 1, expected a value, found "NaN""#),
      ("-a", #"line 1, column 2, expected a digit, found "a""#),
      ("1.e1", #"line 1, column 3, expected a digit behind the point, found "e""#),
      ("[1e]", #"[0], line 1, column 4, expected a digit of the exponent, found "]""#),
      ("-012", "line 1, column 1, a number of several digits does not begin with 0"),
      (
        "\r\n \"a\nb\"",
        #"line 2, column 2, the string that begins here has no end on its line; a line break in it is written \n"#
      ),
      ("\"é\u{1}\"", "line 1, column 3, the byte 0x01 is a control character, which has to be escaped"),
      (#"["a\""#, "[0], line 1, column 2, the string that begins here has no end"),
      (#""a\x""#, #"line 1, column 3, a backslash stands only before one of " \ / b f n r t u"#),
      (#""\u12g4""#, #"line 1, column 2, "\u" stands before four hexadecimal digits"#),
      (#""\ud83dx""#, "line 1, column 2, the escape is half of a character, whose second half is missing"),
      (#""\ude00""#, "line 1, column 2, the escape is half of a character, whose first half is missing"),
      (#"{"a\nb": x}"#, #"a\nb, line 1, column 10, expected a value, found "x""#),
    ])
  func locations(text: String, place: String) throws {
    let error = #expect(throws: KVError.self) { try read(text) }
    #expect(error?.message == "not JSON: at \(place).")
  }

  @Test("KVC.18: a value that JSON describes and Swift cannot hold is reported with its path")
  func valuesOutOfRange() {
    let error = #expect(throws: KVError.self) { try read(#"{"a": [1, {"b.c": 1e999}]}"#) }
    #expect(error?.message == #"not JSON: at a[1]["b.c"], line 1, column 19, the number 1e999 is out of range."#)
  }

  @Test("KVC.18: Bytes that are no UTF-8 are a fault, not a replacement")
  func encoding() {
    let documents: [([UInt8], String)] = [
      ([0x22, 0xFF, 0x22], "it is not UTF-8"), ([0xFF, 0xFE, 0x31, 0x00], "it is not UTF-8"),
      ([0x22, 0xC0, 0x80, 0x22], "at line 1, column 2, the byte 0xC0 is not UTF-8"),
      ([0x5B, 0x22, 0xC3, 0xA9, 0x5C, 0x6E, 0xE2, 0x82, 0x22], "at [0], line 1, column 6, the byte 0xE2 is not UTF-8"),
      ([0x31, 0x0A, 0x20, 0x80], "at line 2, column 2, expected the end of the document, found the byte 0x80"),
    ]
    for (bytes, sentence) in documents {
      let error = #expect(throws: KVError.self) { try JSONCoding.value(from: Data(bytes)) }
      #expect(error?.message == "not JSON: \(sentence).")
    }
  }

  @Test("DOC.1: nesting is limited, reading and writing")
  func depth() throws {
    let deepest = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    let value = try read(deepest)
    #expect(try text(value) == deepest)
    let deeper = #expect(throws: KVError.self) { try read(String(repeating: "[", count: 100_000)) }
    #expect(deeper?.code == .limitExceeded)
    let written = #expect(throws: KVError.self) { try text([value as Any]) }
    #expect(written?.code == .limitExceeded)
  }

  @Test("DOC.1, DOC.2: any document reads as JSONSerialization reads it")
  func agreement() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<500 {
      let value = Self.randomValue(&random, depth: 0)
      for options in [JSONCoding.Options(), .pretty] {
        let data = try JSONCoding.data(from: value, options: options)
        let theirs = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        #expect(
          JSONAgreement.areSame(try JSONCoding.value(from: data), theirs), "\(String(decoding: data, as: UTF8.self))")
        #expect(KVC.areEqual(try JSONCoding.value(from: data), value))
      }
    }
  }

  @Test("DOC.1, KVC.18: any bytes at all are refused or read, as JSONSerialization does")
  func hostileBytes() throws {
    var random = SplitMix64(seed: 11)
    let alphabet = Array("{}[]\":,.0123456789-+eEtrufalsn \n\\\u{7F}é".utf8)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...12, using: &random)
      let data = Data((0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 })
      let mine = try? JSONCoding.value(from: data)
      if let theirs = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) {
        #expect(JSONAgreement.areSame(mine ?? nil, theirs), "\(String(decoding: data, as: UTF8.self))")
      }
    }
  }

  // MARK: Writing

  @Test("DOC.1: members are sorted; pretty output has two spaces a level, as Foundation lays it out")
  func writing() throws {
    let value: [String: Any] = ["b": [1, ["x": true]] as [Any], "a": [String: Int](), "c": [Int](), "é": "ü"]
    #expect(try text(value) == #"{"a":{},"b":[1,{"x":true}],"c":[],"é":"ü"}"#)
    #expect(
      try text(value, .pretty) == """
        {
          "a" : {

          },
          "b" : [
            1,
            {
              "x" : true
            }
          ],
          "c" : [

          ],
          "é" : "ü"
        }
        """)
  }

  @Test("DOC.1, DOC.2: all numbers, sets, typed collections and raw values can be written")
  func types() throws {
    enum Color: String { case red }
    let value: [String: Any] = [
      "a": UInt8(1), "b": Float(0.5), "c": Decimal(string: "0.1") as Any, "d": Set([3, 1, 2]), "e": ["k": Int?.none],
      "f": Color.red, "g": [Color?.some(.red), nil], "h": "xy".dropFirst(), "i": UInt64.max,
    ]
    #expect(
      try text(value) == #"""
        {"a":1,"b":0.5,"c":0.1,"d":[1,2,3],"e":{"k":null},"f":"red","g":["red",null],"h":"y",\#
        "i":18446744073709551615}
        """#)
  }

  @Test("DOC.1: dates and data are written where that is requested")
  func datesAndData() throws {
    let value: [String: Any] = ["d": Date(timeIntervalSince1970: 0), "x": Data([1, 2])]
    #expect(try text(value, [.datesAsText, .dataAsText]) == #"{"d":"1970-01-01T00:00:00Z","x":"AQI="}"#)
    #expect(throws: KVError.self) { try text(value, .datesAsText) }
    #expect(throws: KVError.self) { try text(value, .dataAsText) }
  }

  @Test("KVC.18: what JSON cannot hold is named by its path")
  func refusals() throws {
    final class Thing {}
    for (value, path) in [
      (["a": [1, ["b.c": Thing()]] as [Any]] as Any, #"a[1]["b.c"]"#), ([Double.nan], "[0]"),
      (["x": Double.infinity], "x"), (["x": ["y": Decimal.nan]], "x.y"), (["t": (1, 2)], "t"), ([[1: 2]], "[0]"),
    ] {
      let error = #expect(throws: KVError.self) { try text(value) }
      #expect(error?.code == .unsupported)
      #expect(error?.keyPath == path)
      #expect(error?.message.contains("at \(path), ") == true)
    }
    #expect(throws: KVError.self) { try text(Thing()) }
  }

  // MARK: Random documents

  private static func randomValue(_ random: inout SplitMix64, depth: Int) -> Any {
    switch Int.random(in: 0..<(depth < 4 ? 8 : 5), using: &random) {
    case 0: return Int.random(in: -1_000_000...1_000_000, using: &random)
    case 1: return Double.random(in: -1e6...1e6, using: &random)
    case 2: return Bool.random(using: &random)
    case 3: return randomText(&random)
    case 4: return Double(bitPattern: UInt64.random(in: 0..<0x7FF0_0000_0000_0000, using: &random))
    case 5: return (0..<Int.random(in: 0...4, using: &random)).map { _ in randomValue(&random, depth: depth + 1) }
    default:
      var object: [String: Any] = [:]
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        object[randomText(&random)] = randomValue(&random, depth: depth + 1)
      }
      return object
    }
  }

  private static func randomText(_ random: inout SplitMix64) -> String {
    let characters = Array("abc\"\\/\n\t\u{1}\u{7F}é😀\u{2028} ")
    let count = Int.random(in: 0...8, using: &random)
    return String((0..<count).map { _ in characters.randomElement(using: &random) ?? "x" })
  }
}
