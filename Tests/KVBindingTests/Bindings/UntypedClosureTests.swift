import KVBinding
import KVCore
import TestModels
import Testing

@Suite("Closures and lists without types")
struct UntypedClosureTests {
  let song = Song()
  let field = Field()

  @Test("TRN.1: a closure that does not say what it takes gets any value, as it is")
  func untyped() throws {
    try field.bind("title", to: "rating", of: song) { "No. \($0)" }
    #expect(field.title == "No. 3")
    song.rating = 4
    #expect(field.title == "No. 4")
    try field.bind("text", to: "tags", of: song) { value in
      if song.rating < 0 { return "none" }
      return "\(value)"
    }
    #expect(field.text == "[\"a\", \"b\"]")
    try field.bind("text", to: "note", of: song) { "a note: \($0)" }
    #expect(field.text == nil)
    song.note = "x"
    #expect(field.text == "a note: x")
    try field.bind("counted", to: "number", of: field) { "\($0)" }
    #expect(field.counted == "0")
    #expect(try KVTransformer { "No. \($0)" }.transform(1) as? String == "No. 1")
  }

  @Test("TRN.1: a closure that takes an optional is called for nil, also for any value")
  func optional() throws {
    try field.bind("title", to: "note", of: song) { (note: String?) in note ?? "none" }
    #expect(field.title == "none")
    try field.bind("counted", to: "note", of: song) { (note: Any?) in note == nil ? "nil" : "some" }
    #expect(field.counted == "nil")
    song.note = "x"
    #expect(field.title == "x" && field.counted == "some")
    #expect(try KVTransformer { (value: Any?) in value == nil }.transform(nil) as? Bool == true)
    try field.bind("title", to: "text", of: field) { (text: String?) in text ?? "–" }
    field.text = nil
    #expect(field.title == "–")
  }

  @Test("KVO.1: lists of paths take texts, key paths and typed paths")
  func lists() throws {
    var seen: [KVKeyPath] = []
    let texts = ["title", "rating"]
    let first = try song.observe(texts) { seen.append($0.keyPath) }
    let second = try song.observe([KVTypedKeyPath(Song.self).length, "note"]) { seen.append($0.keyPath) }
    try song.observe(texts, owner: field) { _, change in seen.append(change.keyPath) }
    song.title = "x"
    song.length = 1
    song.note = "n"
    #expect(seen == ["title", "title", "length", "note"])
    let error = #expect(throws: KVError.self) { try song.observe(["title", "a..b"]) { _ in } }
    #expect(error?.code == .invalidKeyPath)
    withExtendedLifetime((first, second)) {}
  }
}
