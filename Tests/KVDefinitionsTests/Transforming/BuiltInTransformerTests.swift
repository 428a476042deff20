import Foundation
import KVBinding
import KVCore
import KVDefinitions
import TestModels
import Testing

@Suite("TRN.2: built-in transformers")
struct BuiltInTransformerTests {
  private static let address = URL(string: "https://example.org/a?b=c")

  /// Name, value, result.
  nonisolated(unsafe) static let forward: [(String, Any?, Any?)] = [
    ("negateBoolean", true, false), ("negateBoolean", false, true), ("negateBoolean", nil, true),
    ("negateBoolean", 0, true), ("negateBoolean", 2.5, false), ("NSNegateBoolean", true, false),
    ("LogicalNegate", nil, true), ("InvertBoolean", true, false),
    ("isNil", nil, true), ("isNil", 0, false), ("isNil", [Int?](), false), ("NSIsNil", "", false),
    ("isNotNil", nil, false), ("isNotNil", 0, true), ("NSIsNotNil", [Int?.none], true), ("IsNotNil", 1, true),
    ("nilToZero", nil, 0), ("nilToZero", "a", "a"), ("NilToZero", 7, 7), ("nilToOne", nil, 1), ("NilToOne", 2, 2),
    ("oneMinus", 0.25, 0.75), ("oneMinus", nil, 1.0), ("oneMinus", 3, -2.0), ("OneMinus", true, 0.0),
    ("bitwiseComplement", 5, Int64(-6)), ("bitwiseComplement", nil, Int64(-1)),
    ("BitwiseComplement", Int64.max, Int64.min),
    ("url", "https://example.org/a?b=c", address), ("url", nil, nil), ("url", "", nil),
    ("URLFromString", "https://example.org/a?b=c", address),
    ("archive", ["b": [1, 2]] as [String: Any], Data(#"{"b":[1,2]}"#.utf8)), ("archive", nil, nil),
    ("NSUnarchiveFromData", Data("[1,2]".utf8), [1, 2]), ("NSKeyedUnarchiveFromData", Data("true".utf8), true),
    ("NSSecureUnarchiveFromData", nil, nil), ("unarchive", Data(#""a""#.utf8), "a"),
    ("format:%.2f", 3.14159, "3.14"), ("format:%d %%", 7, "7 %"), ("format:%d", -3.9, "-3"),
    ("format:%5d|", 42, "   42|"), ("format:%-5d|", 42, "42   |"), ("format:%05.1f", 2.25, "002.2"),
    ("format:%+d", 3, "+3"), ("format:%u", UInt64.max, "18446744073709551615"), ("format:0x%04X", 255, "0x00FF"),
    ("format:%#x", 255, "0xff"), ("format:%g", 0.5, "0.5"), ("format:%e", 1500.0, "1.500000e+03"),
    ("format:%@", 0.1, "0.1"), ("format:%@", 12, "12"), ("format:In progress: %d %%", 99.0, "In progress: 99 %"),
    ("format:%.2f", nil, nil), ("format:%.1f", 1e15, "1000000000000000.0"),
  ]

  @Test("TRN.2: what each makes of a value, by name", arguments: forward.indices)
  func table(_ index: Int) throws {
    let (name, value, expected) = Self.forward[index]
    let transformer = try KVTransformer.named(name)
    let result = try transformer.transform(value)
    #expect(transformer.name == name)
    #expect(isEqual(result, expected), "\(name) of \(value as Any) is \(result as Any)")
  }

  @Test("TRN.2, TRN.4: the names that KVBinding keeps for this library are those that it has")
  func names() {
    let library: Any.Type = FileTransformers.self
    let provided = (library as? any FileTransformerProviding.Type)?.byName ?? [:]
    #expect(provided.keys.sorted() == (FileTransformers.unarchiving + [FileTransformers.archiving]).sorted())
    #expect(provided.allSatisfy { $0.key == $0.value.name && KVTransformer.registeredNames.contains($0.key) })
  }

  /// Name, value, what it came from.
  nonisolated(unsafe) static let backward: [(String, Any?, Any?)] = [
    ("negateBoolean", true, false), ("negateBoolean", nil, true), ("oneMinus", nil, 1.0),
    ("bitwiseComplement", 4, Int64(-5)), ("url", address, "https://example.org/a?b=c"), ("url", nil, nil),
    ("archive", Data(#"{"a":1.5}"#.utf8), ["a": 1.5]), ("unarchive", [1], Data("[1]".utf8)),
    ("format:%.2f", "3.14", 3.14), ("format:%d %%", "7 %", Int64(7)), ("format:%d %%", " 7  %", Int64(7)),
    ("format:%5d|", "   42|", Int64(42)), ("format:%+d", "+3", Int64(3)), ("format:%05d", "00042", Int64(42)),
    ("format:0x%04X", "0x00FF", Int64(255)), ("format:%#x", "0xff", Int64(255)),
    ("format:%x", "ffffffffffffffff", Int64(-1)), ("format:%u", "18446744073709551615", UInt64.max),
    ("format:%e", "1.5e+03", 1500.0), ("format:%@", "12", Int64(12)), ("format:%@", "1.5", 1.5),
    ("format:%.1f", "-inf", -Double.infinity), ("format:%d", nil, nil),
  ]

  @Test("TRN.2: the reverse direction, by name", arguments: backward.indices)
  func backwardTable(_ index: Int) throws {
    let (name, value, expected) = Self.backward[index]
    let result = try KVTransformer.named(name).reverseTransform(value)
    #expect(isEqual(result, expected), "\(name) back from \(value as Any) is \(result as Any)")
  }

  @Test("TRN.2: back from the result is the value, for random values", arguments: [1, 2, 3] as [UInt64])
  func thereAndBack(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let notes = KVTransformer.archive([Note].self)
    for _ in 0..<500 {
      let integer = Int64(bitPattern: random.next())
      let cents = Double(random.below(2_000_000) - 1_000_000) / 100
      let eighths = Double(random.below(4096) - 2048) / 8
      let double = Double(bitPattern: random.next() & 0xBFEF_FFFF_FFFF_FFFF)
      try keeps("negateBoolean", random.below(2) == 0)
      try keeps("bitwiseComplement", integer)
      try keeps("oneMinus", eighths)
      try keeps("format:%d", integer)
      try keeps("format:%020d!", integer)
      try keeps("format:#%x", integer)
      try keeps("format:%.2f €", cents)
      try keeps("format:%.3f", eighths)
      try keeps("format:%@", integer)
      try keeps("format:%@", double)
      try keeps("format:%.17g", double)
      try keeps("url", URL(string: "https://example.org/\(integer)?n=\(random.below(9))").map(\.absoluteString))
      try keeps("archive", ["n": [Int(random.below(9)), eighths], "s": "\(integer)"] as [String: Any])
      let list = (0..<random.below(4)).map { Note(text: "\($0)", stars: random.below(2) == 0 ? nil : Int(integer)) }
      #expect(try notes.reverseTransform(notes.transform(list)) as? [Note] == list)
    }
  }

  private struct Note: Codable, Equatable {
    var text: String
    var stars: Int?
  }

  private func keeps(_ name: String, _ value: Any?) throws {
    let transformer = try KVTransformer.named(name)
    let back = try transformer.reverseTransform(transformer.transform(value))
    #expect(isEqual(back, value), "\(name) makes \(back as Any) of \(value as Any)")
  }

  @Test("TRN.2: a value in the place of nil")
  func nilTo() throws {
    let unknown = KVTransformer.nilTo("unknown")
    #expect(try unknown.transform(nil) as? String == "unknown")
    #expect(try unknown.transform("known") as? String == "known")
    #expect(try unknown.transform(["a", nil]) as? [String?] == ["a", "unknown"])
    #expect(!unknown.isReversible)
  }

  @Test("TRN.3: archives take whole collections")
  func wholes() throws {
    #expect(KVTransformer.archive.appliesToWholeCollections)
    #expect(try KVTransformer.archive([Int].self).transform([1]).map { "\($0)" } == "3 bytes")
  }

  @Test("TRN.2: archives of a type, and what they refuse")
  func archives() throws {
    let archive = KVTransformer.archive(Note.self)
    let data = try #require(try archive.transform(Note(text: "a/b", stars: 3)) as? Data)
    #expect(String(decoding: data, as: UTF8.self) == #"{"stars":3,"text":"a/b"}"#)
    #expect(try archive.inverted?.transform(data) as? Note == Note(text: "a/b", stars: 3))
    #expect(try archive.transform(nil) == nil)
    let error = #expect(throws: KVError.self) { try archive.reverseTransform(Data("{}".utf8)) }
    #expect(error?.code == .custom && error?.underlying is DecodingError)
    #expect(error?.message.hasPrefix("the transformer \"archive\" failed on the way back: ") == true)
    #expect(
      #expect(throws: KVError.self) { try archive.transform(1) }?.message
        == "the transformer \"archive\" cannot take a value: the Int 1 is not a Note.")
  }

  /// What fails, and the whole sentence.
  nonisolated(unsafe) static let faults: [(String, Bool, Any?, KVError.Code, String)] = [
    (
      "negateBoolean", true, "x", .typeMismatch,
      "the transformer \"negateBoolean\" cannot take a value: the String \"x\" is not a Bool."
    ),
    (
      "bitwiseComplement", true, 1e30, .numberOutOfRange,
      "the transformer \"bitwiseComplement\" cannot take a value: the Double 1e+30 does not fit in Int64."
    ),
    (
      "url", true, "a b", .invalidValue, "the transformer \"url\" cannot take a value: the String \"a b\" is not a URL."
    ),
    ("archive", false, 1, .typeMismatch, "the transformer \"archive\" reads Data: the Int 1 is not Data."),
    (
      "nilToZero", false, 1, .notReversible,
      "the transformer \"nilToZero\" works forward only. Give it a reverse function, or let values go one way."
    ),
    ("format:%d", true, "x", .typeMismatch, "the format \"%d\" needs a number: the String \"x\" is not one."),
    (
      "format:%d", true, 1e30, .numberOutOfRange,
      "the format \"%d\" cannot write a value: the Double 1e+30 does not fit in Int64."
    ),
    ("format:%d", false, 3, .typeMismatch, "the format \"%d\" reads a String: the Int 3 is not one."),
    ("format:%d %%", false, "7", .typeMismatch, "the format \"%d %%\" does not fit the String \"7\"."),
    ("format:%d", false, "7.5", .typeMismatch, "the format \"%d\" does not fit the String \"7.5\"."),
    ("format:a%da", false, "a", .typeMismatch, "the format \"a%da\" does not fit the String \"a\"."),
    (
      "format:no", true, 1, .unsupported,
      "\"no\" is not a format of a number: it has no number in it, such as %d or %.2f."
    ),
    (
      "format:%d %d", true, 1, .unsupported,
      "\"%d %d\" is not a format of a number: it has more than one number; write %% for a percent sign."
    ),
    (
      "format:50%", true, 1, .unsupported,
      "\"50%\" is not a format of a number: it has a % without one of d i u x X f F e E g G @ behind it; write %% for a "
        + "percent sign."
    ),
    (
      "format:%s", true, 1, .unsupported,
      "\"%s\" is not a format of a number: it has a % without one of d i u x X f F e E g G @ behind it; write %% for a "
        + "percent sign."
    ),
    (
      "format:%100d", true, 1, .unsupported,
      "\"%100d\" is not a format of a number: its width or precision is more than 99."
    ),
  ]

  @Test("TRN.2: whole sentences of errors", arguments: faults.indices)
  func errors(_ index: Int) {
    let (name, isForward, value, code, sentence) = Self.faults[index]
    let error = #expect(throws: KVError.self) {
      let transformer = try KVTransformer.named(name)
      _ = try isForward ? transformer.transform(value) : transformer.reverseTransform(value)
    }
    #expect(error?.code == code)
    #expect(error?.description == sentence)
  }
}

/// Whether values are equal as bindings see it: numbers of any type, and whatever is `Equatable`.
private func isEqual(_ left: Any?, _ right: Any?) -> Bool {
  guard let left, let right else { return left == nil && right == nil }
  func equals<T: Equatable>(_ left: T) -> Bool { (right as? T) == left }
  if let left = left as? any NumericValue, let right = right as? any NumericValue {
    return type(of: left) == type(of: right) ? "\(left)" == "\(right)" : left.number.double == right.number.double
  }
  if let left = left as? [Any], let right = right as? [Any] {
    return left.count == right.count && zip(left, right).allSatisfy { isEqual($0, $1) }
  }
  if let left = left as? [String: Any], let right = right as? [String: Any] {
    return left.keys == right.keys && left.allSatisfy { isEqual($0.value, right[$0.key]) }
  }
  return (left as? any Equatable).map { equals($0) } ?? false
}
