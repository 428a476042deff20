import KVBinding
import KVCore
import TestModels
import Testing

@Suite("Bindings that fail")
struct BindingFaultTests {
  /// Throws at one of its calls.
  final class Saboteur: @unchecked Sendable {
    var countdown = Int.max
    var isBroken: Bool {
      countdown -= 1
      return countdown == 0
    }

    func check() throws { if isBroken { throw Broken() } }
  }

  struct Broken: Error {}

  final class Guarded: KVObject {
    let saboteur: Saboteur
    @KVProperty var stored = 0

    init(_ saboteur: Saboteur) { self.saboteur = saboteur }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Guarded.self) { key in
        key("stored", \.stored).validated { value in
          if value < 0 { throw Broken() }
          return .valid
        }
      }
    }

    override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
      if saboteur.isBroken { throw KVError(.custom, "refused", component: key) }
      stored = value as? Int ?? 0
    }

    override func value(forUndefinedKey key: String) throws(KVError) -> Any? { stored }
  }

  @Test(
    "BND.11: whatever throws at whatever position, both ends keep values, the binding lives on and is in step later")
  func positions() throws {
    for position in 1...12 {
      let saboteur = Saboteur()
      let (source, target) = (Guarded(saboteur), Guarded(saboteur))
      let transformer = KVTransformer(
        forward: { (value: Int) throws -> Int in
          try saboteur.check()
          return value + 1
        },
        reverse: { value in
          try saboteur.check()
          return value - 1
        })
      let binding = try target.bind(
        "hooked", to: "stored", of: source,
        options: .init(.twoWay, transformer: transformer, validates: position.isMultiple(of: 2)))
      #expect(target.stored == 1)
      saboteur.countdown = position
      let events = capturingEvents {
        for value in 1...3 {
          source.stored = value * 10
          #expect(source.stored == value * 10)
          #expect(binding.state == (target.stored == value * 10 + 1 ? .active : .failed))
        }
      }
      #expect(events.about(source).count <= 1)
      saboteur.countdown = Int.max
      source.stored = 70
      #expect(target.stored == 71 && binding.state == .active && binding.lastError == nil, "position \(position)")
      try target.setValue(81, forKey: "hooked")
      #expect(source.stored == 80, "position \(position)")
      binding.cancel()
    }
  }

  @Test("BND.11: a validator that refuses leaves the source as it was")
  func validator() throws {
    let (model, field) = (Guarded(Saboteur()), Field())
    let binding = try field.bind("number", to: "stored", of: model, options: .init(.twoWay, validates: true))
    field.number = 5
    _ = capturingEvents { field.number = -5 }
    #expect(model.stored == 5 && field.number == -5)
    #expect(binding.state == .failed && binding.lastError?.code == .invalidValue)
    #expect(throws: KVError.self) { try binding.updateSource() }
    field.number = 6
    #expect(model.stored == 6 && binding.state == .active)
  }

  @Test("BND.11: the error of a value of another type names the transformer that converts it, which works")
  func namesTransformer() throws {
    let (song, field) = (Song(), Field())
    let error = #expect(throws: KVError.self) { try field.bind("title", to: "rating", of: song) }
    #expect(
      error?.message == """
        cannot set "title" of Field: the Int 3 is not a String. Write @KVKey(.lenient) before the property of the source, or .lenient() in its table, or bind with a \
        function that converts it: { (value: Int) in … }, or for a text transformer: .format("%d").
        """)
    try field.bind("title", to: "rating", of: song, options: .init(transformer: .format("%d")))
    #expect(field.title == "3")
    try field.bind("title", to: "rating", of: song) { (value: Int) in "No. \(value)" }
    #expect(field.title == "No. 3")
    let double = #expect(throws: KVError.self) { try field.bind("title", to: "length", of: song) }
    #expect(double?.message.hasSuffix(".format(\"%g\").") == true)
    try field.bind("title", to: "length", of: song, options: .init(transformer: .format("%g")))
    #expect(field.title == "2.5")
    let tags = #expect(throws: KVError.self) { try field.bind("title", to: "tags", of: song) }
    #expect(tags?.message.hasSuffix("{ (value: Array<String>) in … }.") == true)
    let wrong = #expect(throws: KVError.self) {
      try field.bind("number", to: "title", of: song) { (title: String) in "\(title)!" }
    }
    #expect(wrong?.message.contains("The function of the binding returns String") == true)
    field.unbindAll()
    let binding = try field.bind("text", to: "rating", of: song, options: .init(.toSource, initialSync: .none))
    field.text = "five"
    #expect(binding.lastError?.message.contains("reverse: { (value: String) in … }") == true)
  }

  @Test("BND.11: a value that does not fit leaves the target as it was")
  func misfits() throws {
    let (song, field) = (Song(), Field())
    song.note = "1"
    let binding = try field.bind("number", to: "note", of: song) { (text: String) -> Any? in Int(text) ?? text }
    #expect(field.number == 1)
    _ = capturingEvents { song.note = "one" }
    #expect(field.number == 1 && binding.lastError?.code == .typeMismatch)
    _ = capturingEvents { song.note = nil }
    #expect(field.number == 1 && binding.lastError?.code == .nilValue)
    song.note = "2"
    #expect(field.number == 2 && binding.state == .active)
  }

  @Test("BND.8: an endpoint that is deallocated while a value is propagated ends the binding")
  func deallocationInTheMiddle() throws {
    let song = Song()
    var field: Field? = Field()
    let binding = try #require(field).bind("title", to: "title", of: song) { (title: String) in
      if title == "kill" { field = nil }
      return title
    }
    song.title = "kill"
    #expect(field == nil && binding.state == .ended && song.bindings.isEmpty)
    song.title = "after"
  }

  @Test("BND.1: cancelling a binding while it propagates a value")
  func endInTheMiddle() throws {
    let (song, field) = (Song(), Field())
    let ending = Ending()
    ending.binding = try field.bind("title", to: "title", of: song) { (title: String) in
      if title == "end" { ending.binding?.cancel() }
      return title
    }
    song.title = "end"
    #expect(ending.binding?.state == .ended)
    song.title = "after"
    #expect(field.title == "Blue")
  }

  final class Ending { var binding: KVPathBinding? }

  @Test("BND.5: no flag stays set when a handler throws the flow of control about")
  func nestedHandlers() throws {
    let (song, field) = (Song(), Field())
    try field.bind("number", to: "rating", of: song, options: .twoWay)
    let token = try field.observe("number") { [unowned song] change in
      if change.new as? Int == 5 { song.rating = 4 }
      if change.new as? Int == 4 { song.rating = 3 }
    }
    song.rating = 5
    #expect(song.rating == 3 && field.number == 3)
    field.number = 5
    #expect(song.rating == 3 && field.number == 3)
    token.cancel()
  }
}
