import Foundation
import KVBinding
import Testing

@Suite("KVJSON reads and writes plain values")
struct JSONTests {
  private func read(_ text: String) throws -> Any? { try KVJSON.value(from: Data(text.utf8)) }

  private func text(_ value: Any?, _ options: KVJSON.Options = []) throws -> String {
    String(decoding: try KVJSON.data(from: value, options: options), as: UTF8.self)
  }

  @Test("CO.2 A whole number comes as Int, another number as Double, true as Bool")
  func numbers() throws {
    let values = try #require(try read("[1, -1, 0, 1.0, 1e2, 1.5, true, false, -0.25E-2]") as? [Any])
    let types = values.map { "\(type(of: $0))" }
    #expect(types == ["Int", "Int", "Int", "Int", "Int", "Double", "Bool", "Bool", "Double"])
    #expect(try text(values) == "[1,-1,0,1,100,1.5,true,false,-0.0025]")
    let object = try #require(try read(#"{"a": 1, "b": true, "c": "", "d": [], "e": {}}"#) as? [String: Any])
    #expect(
      object.sorted { $0.key < $1.key }.map { "\(type(of: $0.value))" }
        == ["Int", "Bool", "String", "Array<Any>", "Dictionary<String, Any>"])
    #expect(try read("9223372036854775807") as? Int == .max)
    #expect(try read("-9223372036854775808") as? Int == .min)
    #expect(try read("18446744073709551615") as? UInt64 == .max)
    #expect(try read("18446744073709551616") as? Double == 0x1p64)
    #expect(try read("-9223372036854775809") as? Double == -0x1p63)
    #expect(try (read("-0") as? Double)?.sign == .minus)
    #expect(try read("1e-400") as? Int == 0)
    #expect(try read("5e-324") as? Double == .leastNonzeroMagnitude)
    #expect(try read("9007199254740993") as? Int == 9_007_199_254_740_993)
    #expect(try read("0.1000000000000000055511151231257827") as? Double == 0.1)
  }

  @Test("A null is an entry that reads as nil, a nil element, or nil")
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
    #expect(try text(["a": KVJSON.Null()]) == #"{"a":null}"#)
  }

  @Test("Strings come with their escapes resolved, and go with what needs it escaped")
  func strings() throws {
    #expect(try read(#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#) as? String == "a\"\\/\u{8}\u{C}\n\r\té😀é")
    #expect(try text("a\"\\/\u{8}\u{C}\n\r\t\u{1}é😀") == #""a\"\\/\b\f\n\r\t\u0001é😀""#)
    #expect(try read("\"\\u0000\"") as? String == "\0")
    #expect(try read("\u{FEFF}[\"x\"]") as? [String] == ["x"])
    let twice = try #require(try read(#"{"": {"a.b": 1, "a.b": 2}}"#))
    #expect(try KVC.value(of: twice, forKeyPath: #"[""]["a.b"]"#) as? Int == 1)
  }

  @Test(
    "KVC.18 A fault is reported in one sentence",
    arguments: [
      "", "  \n ", "{", "[1 2]", "{\"a\" 1}", "{a: 1}", "tru", "nul", "01", "-", "1.", "1e", ".5", "+1", "1e999",
      "\"abc", "\"a\\x\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"",
      "[\"é\", x]", "[1]\n[2]", "{\n \"a\": [\n  1,\n  ?\n ]\n}", "NaN", "'a'", "[1]]",
    ])
  func faults(text: String) throws {
    let error = #expect(throws: KVError.self) { try read(text) }
    let message = try #require(error?.message)
    #expect(error?.code == .invalidDocument)
    #expect(message.hasPrefix("no JSON: ") && message.hasSuffix("."), "\(message)")
    #expect(!message.contains(". ") && !message.contains("\n"), "\(message)")
    #expect(error?.underlying != nil)
  }

  @Test(
    "KVC.18 A fault is reported with its location, in Foundation's words",
    arguments: [
      ("[1 2]", 1, 4, 3), ("{\"a\" 1}", 1, 6, 5), ("[\"é\", x]", 1, 8, 7), ("[1]\n[2]", 2, 1, 4), ("[1]]", 1, 4, 3),
      ("{\n \"a\": [\n  1,\n  ?\n ]\n}", 4, 3, 17),
    ])
  func locations(text: String, line: Int, column: Int, offset: Int) throws {
    let message = try #require(#expect(throws: KVError.self) { try read(text) }?.message)
    // Foundation counts lines on Apple's platforms, and bytes off them.
    #expect(
      message.contains("line \(line), column \(column)") || message.hasSuffix(" character \(offset)."), "\(message)")
  }

  @Test("KVC.18 A value that JSON describes and Swift cannot hold is reported with its path")
  func valuesOutOfRange() {
    let error = #expect(throws: KVError.self) { try read(#"{"a": [1, {"b.c": 1e999}]}"#) }
    #expect(error?.message.hasPrefix(#"no JSON: at a[1]["b.c"], "#) == true, "\(error?.message ?? "")")
  }

  @Test("KVC.18 Bytes that are no UTF-8 are a fault, not a replacement")
  func encoding() {
    let documents: [[UInt8]] = [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0xFF, 0xFE, 0x31, 0x00], [0x22, 0xE2, 0x82, 0x22],
    ]
    for bytes in documents {
      #expect(throws: KVError.self) { try KVJSON.value(from: Data(bytes)) }
    }
  }

  @Test("Nesting is bounded, reading and writing")
  func depth() throws {
    let deepest = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    let value = try read(deepest)
    #expect(try text(value) == deepest)
    let deeper = #expect(throws: KVError.self) { try read(String(repeating: "[", count: 100_000)) }
    #expect(deeper?.code == .limitExceeded)
    let written = #expect(throws: KVError.self) { try text([value as Any]) }
    #expect(written?.code == .limitExceeded)
  }

  @Test("Any document reads as JSONSerialization reads it")
  func agreement() throws {
    var random = SplitMix(state: 7)
    for _ in 0..<500 {
      let value = Self.randomValue(&random, depth: 0)
      for options in [KVJSON.Options(), .pretty] {
        let data = try KVJSON.data(from: value, options: options)
        let theirs = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        #expect(Self.same(try KVJSON.value(from: data), theirs), "\(String(decoding: data, as: UTF8.self))")
        #expect(KVC.areEqual(try KVJSON.value(from: data), value))
      }
    }
  }

  @Test("Any bytes at all are refused or read, as JSONSerialization does")
  func hostileBytes() throws {
    var random = SplitMix(state: 11)
    let alphabet = Array("{}[]\":,.0123456789-+eEtrufalsn \n\\\u{7F}é".utf8)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...12, using: &random)
      let data = Data((0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 })
      let mine = try? KVJSON.value(from: data)
      if let theirs = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) {
        #expect(Self.same(mine ?? nil, theirs), "\(String(decoding: data, as: UTF8.self))")
      }
    }
  }

  // MARK: Writing

  @Test("Members come sorted; pretty output has two spaces a level, as Foundation lays it out")
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

  @Test("All numbers, sets, typed collections and raw values can be written")
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

  @Test("Dates and data are written where that is requested")
  func datesAndData() throws {
    let value: [String: Any] = ["d": Date(timeIntervalSince1970: 0), "x": Data([1, 2])]
    #expect(try text(value, [.datesAsText, .dataAsText]) == #"{"d":"1970-01-01T00:00:00Z","x":"AQI="}"#)
    #expect(throws: KVError.self) { try text(value, .datesAsText) }
    #expect(throws: KVError.self) { try text(value, .dataAsText) }
  }

  @Test("KVC.18 What JSON cannot hold is named by its path")
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

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private static func randomValue(_ random: inout SplitMix, depth: Int) -> Any {
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

  private static func randomText(_ random: inout SplitMix) -> String {
    let characters = Array("abc\"\\/\n\t\u{1}\u{7F}é😀\u{2028} ")
    let count = Int.random(in: 0...8, using: &random)
    return String((0..<count).map { _ in characters.randomElement(using: &random) ?? "x" })
  }

  private static func same(_ mine: Any?, _ theirs: Any) -> Bool {
    switch theirs {
    case is NSNull: return mine == nil || (mine as? any OptionalLike)?.isNil == true
    case let object as [String: Any]:
      guard let own = mine as? [String: Any] else { return false }
      return own.count == object.count && object.allSatisfy { same(own[$0.key], $0.value) }
    case let array as [Any]:
      guard let own = mine as? [Any] else { return false }
      return own.count == array.count && zip(own, array).allSatisfy { same($0, $1) }
    case let number as NSNumber where type(of: theirs) is NSNumber.Type:
      if let truth = mine as? Bool { return truth == number.boolValue }
      guard let own = (mine as? any KVNumeric)?.number.double else { return false }
      // Off Apple's platforms JSONSerialization reads some doubles through decimal numbers, and misses the last digit.
      return abs(own - number.doubleValue) <= abs(own) * 1e-14
    case let text as String: return mine as? String == text
    default: return KVC.areEqual(mine, theirs)
    }
  }
}

private protocol OptionalLike { var isNil: Bool { get } }
extension Optional: OptionalLike { var isNil: Bool { self == nil } }
