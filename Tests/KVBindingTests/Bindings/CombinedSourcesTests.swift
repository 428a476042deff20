import KVBinding
import KVCore
import TestModels
import Testing

/// Has values that may be nil, and a way that may lead nowhere.
private final class Switchboard: KVObject {
  @KVProperty var first: Bool?
  @KVProperty var second: Bool?
  @KVProperty var text: String?
  @KVProperty var other: String?
  @KVProperty var next: Switchboard?
  @KVProperty var isOn = false

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Switchboard.self) { key in
      key("first", \.first)
      key("second", \.second)
      key("text", \.text)
      key("other", \.other)
      key("next", \.next)
      key("isOn", \.isOn)
    }
  }
}

@Suite("BND.1: bindings of several sources")
struct CombinedSourcesTests {
  private let source = Switchboard()
  private let target = Switchboard()

  private var flags: [KVBindingSource] {
    get throws { [try .init(source, "first"), try .init(source, "second")] }
  }

  private var texts: [KVBindingSource] {
    get throws { [try .init(source, "text"), try .init(source, "other")] }
  }

  @Test("BND.1: a source value serves several bindings, and several key paths of one")
  func usedAgain() throws {
    let text = try KVBindingSource(source, "text")
    source.text = "a"
    let both = try target.bind("text", toAll: [text, text], by: .joined(separator: "+"))
    try target.bind("other", toAll: [text], by: .firstNonNil)
    #expect(target.text == "a+a" && target.other == "a" && source.bindings.count == 2)
    source.text = "b"
    #expect(target.text == "b+b" && target.other == "b")
    both.cancel()
    source.text = "c"
    #expect(target.text == "b+b" && target.other == "c")
    target.unbindAll()
    #expect(source.bindings.isEmpty && KVDiagnostics.observations(of: source).isEmpty)
  }

  @Test("BND.1: a source whose object is gone is refused")
  func gone() throws {
    var short: Switchboard? = Switchboard()
    let gone = try KVBindingSource(#require(short), "text")
    short = nil
    let error = #expect(throws: KVError.self) {
      try target.bind("text", toAll: [.init(source, "text"), gone], by: .firstNonNil)
    }
    #expect(error?.code == .unresolvedPath && error?.message.contains("Switchboard.text is gone") == true)
    #expect(target.bindings.isEmpty && source.bindings.isEmpty)
  }

  @Test(
    "BND.1: and, or; a nil is false",
    arguments: [(true, true), (true, false), (false, false), (nil, true), (true, nil), (nil, nil)] as [(Bool?, Bool?)])
  func booleans(first: Bool?, second: Bool?) throws {
    let all = try target.bind("isOn", toAll: flags, by: .and)
    (source.first, source.second) = (first, second)
    #expect(target.isOn == (first == true && second == true))
    all.cancel()
    try target.bind("isOn", toAll: flags, by: .or)
    #expect(target.isOn == (first == true || second == true))
  }

  @Test("BND.1: and, or take only what is true or false")
  func noBoolean() throws {
    source.text = "perhaps"
    let error = #expect(throws: KVError.self) { try target.bind("isOn", toAll: texts, by: .or) }
    #expect(error?.code == .typeMismatch && error?.message.contains("one is the String \"perhaps\"") == true)
  }

  @Test("BND.1: values are joined, without those that are nil or empty")
  func joined() throws {
    try target.bind(
      "text", toAll: texts + [.init(source, "first")], by: .joined(separator: ", "))
    #expect(target.text == "")
    source.other = "b"
    #expect(target.text == "b")
    source.text = "a"
    source.first = true
    #expect(target.text == "a, b, true")
    source.other = ""
    #expect(target.text == "a, true")
  }

  @Test("BND.1: the first value that is not nil")
  func firstNonNil() throws {
    target.text = "before"
    try target.bind("text", toAll: texts, by: .firstNonNil)
    #expect(target.text == nil)
    source.other = "b"
    #expect(target.text == "b")
    source.text = "a"
    #expect(target.text == "a")
    source.text = nil
    #expect(target.text == "b")
  }

  @Test("BND.10: the null placeholder stands in for each nil, and for one that is the result")
  func nullPlaceholder() throws {
    source.other = "b"
    try target.bind("text", toAll: texts, by: .joined(separator: ", "), options: .init(nullPlaceholder: "-"))
    #expect(target.text == "-, b")
    source.other = nil
    #expect(target.text == "-, -")
    try target.bind("other", toAll: texts, by: KVCombiner { _ in nil }, options: .init(nullPlaceholder: "none"))
    #expect(target.other == "none")
  }

  @Test("BND.10: while the path of any source leads nowhere the target gets the fallback, or nothing")
  func fallback() throws {
    target.other = "before"
    let sources: [KVBindingSource] = try [.init(source, "text"), .init(source, "next.text")]
    source.text = "a"
    let binding = try target.bind(
      "text", toAll: sources, by: .joined(separator: "+"), options: .init(nullPlaceholder: "-", fallback: "nowhere"))
    let plain = try target.bind("other", toAll: sources, by: .joined(separator: "+"))
    #expect(target.text == "nowhere" && target.other == "before")
    #expect(binding.state == .unresolved && plain.state == .unresolved)
    source.next = Switchboard()
    #expect(target.text == "a+-" && target.other == "a" && plain.state == .active)
    source.next?.text = "b"
    #expect(target.text == "a+b" && target.other == "a+b")
    source.next = nil
    #expect(target.text == "nowhere" && target.other == "a+b" && plain.state == .unresolved)
  }

  @Test("BND.1: one path of an object is mapped to another by a function")
  func mapped() throws {
    let song = Song()
    let binding = try song.bind("title", to: "rating", of: song) { (stars: Int) in
      String(repeating: "*", count: stars)
    }
    #expect(song.title == "***" && song.bindings == [binding])
    song.rating = 1
    #expect(song.title == "*")
    song.title = "mine"
    #expect(song.rating == 1)
    #expect(binding.description.hasPrefix("Song.rating → Song.title [active] (KVBindingTests/CombinedSources"))
    binding.cancel()
    song.rating = 2
    #expect(song.title == "mine")
  }

  @Test("BND.10: one path of an object is mapped to another with a value for nil")
  func mappedNull() throws {
    let binding = try source.bind("other", to: "text", of: source, options: .init(nullPlaceholder: "none"))
    #expect(source.other == "none")
    source.text = "a"
    #expect(source.other == "a")
    source.text = nil
    #expect(source.other == "none")
    binding.cancel()
    try source.bind("other", to: "text", of: source)
    #expect(source.other == nil)
  }
}
