import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("Bindings")
struct BindingTests {
  let song = Song()
  let field = Field()

  @Test("BND.2: the target takes the source's value before the call returns, and follows it from then on")
  func oneWay() throws {
    try field.bind("title", to: "title", of: song)
    #expect(field.title == "Blue")
    song.title = "Green"
    #expect(field.title == "Green")
    field.title = "mine"
    #expect(song.title == "Green")
    song.title = "Red"
    #expect(field.title == "Red")
  }

  @Test("BND.1: two-way bindings propagate values in both directions; BND.5: and ignore their own changes")
  func twoWay() throws {
    let binding = try field.bind("counted", to: "title", of: song, options: .init(.twoWay, skipsEqual: false))
    #expect(field.counted == "Blue")
    #expect(field.sets == 1)
    song.title = "Green"
    #expect(field.sets == 2)
    field.counted = "mine"
    #expect(song.title == "mine")
    #expect(field.sets == 3)
    #expect(binding.state == .active)
    #expect(binding.description.hasPrefix("Song.title ⇄ Field.counted [active] (KVBindingTests/BindingTests.swift:"))
  }

  @Test("BND.1: once, to the source, and neither at first")
  func directions() throws {
    let once = try field.bind("title", to: "title", of: song, options: .once)
    song.title = "later"
    #expect(field.title == "Blue")
    #expect(once.state == .ended)

    field.number = 7
    let back = try field.bind("number", to: "rating", of: song, options: .toSource)
    #expect(song.rating == 7)
    field.number = 8
    #expect(song.rating == 8)
    song.rating = 1
    #expect(field.number == 8)
    back.cancel()
    field.number = 9
    #expect(song.rating == 1)
    #expect(back.state == .ended)
    back.cancel()

    try field.bind("value", to: "length", of: song, options: .init(.twoWay, initialSync: .none))
    #expect(field.value == 0 && song.length == 2.5)
    field.value = 1.5
    #expect(song.length == 1.5)
  }

  @Test("BND.2: the source takes the target's value if that is requested")
  func reverseSync() throws {
    field.title = "from the view"
    try field.bind("title", to: "title", of: song, options: .init(.twoWay, initialSync: .fromTarget))
    #expect(song.title == "from the view")
  }

  @Test("BND.3: values are transformed, then made to fit")
  func transforms() throws {
    try field.bind("text", to: "rating", of: song) { (stars: Int) in String(repeating: "*", count: stars) }
    #expect(field.text == "***")
    song.rating = 1
    #expect(field.text == "*")
    // Numbers fit across types (CO.2).
    try field.bind("value", to: "rating", of: song)
    #expect(field.value == 1)
    try field.bind(
      "number", to: "length", of: song, transform: { (minutes: Double) in Int(minutes * 60) },
      reverse: { Double($0) / 60 })
    #expect(field.number == 150)
    field.number = 60
    #expect(song.length == 1)
  }

  @Test("BND.3: the receiver's validator is called by option, and may replace the value")
  func validation() throws {
    try field.bind("title", to: "title", of: song, options: .init(.twoWay, validates: true))
    field.title = ""
    #expect(song.title == "untitled")
    #expect(field.title == "untitled")
  }

  @Test("BND.3: a setter of the source that stores something else reconciles both endpoints")
  func normalising() throws {
    let model = Field()
    try field.bind("number", to: "limited", of: model, options: .twoWay)
    field.number = 99
    #expect(model.limited == 10)
    #expect(field.number == 10)
    field.number = -5
    #expect(model.limited == 0 && field.number == 0)
  }

  @Test("BND.4: an equal value is not set, unless that is turned off")
  func equality() throws {
    field.counted = "Blue"
    field.sets = 0
    let binding = try field.bind("counted", to: "title", of: song)
    #expect(field.sets == 0)
    song.title = "Blue"
    #expect(field.sets == 0)
    binding.cancel()
    try field.bind("counted", to: "title", of: song, options: .init(skipsEqual: false))
    song.title = "Blue"
    #expect(field.sets == 2)
  }

  @Test("BND.6: several bindings write one target, and the last change wins")
  func severalSources() throws {
    let other = Song()
    try field.bind("title", to: "title", of: song)
    try field.bind("title", to: "title", of: other)
    song.title = "one"
    #expect(field.title == "one")
    other.title = "two"
    #expect(field.title == "two")
  }

  @Test("BND.6: chains propagate completely before the setter returns", arguments: [3, 1000])
  func chains(length: Int) throws {
    let fields = (0..<length).map { _ in Field() }
    for (field, next) in zip(fields, fields.dropFirst()) { try next.bind("title", to: "title", of: field) }
    fields[0].title = "through"
    #expect(fields.last?.title == "through")
    #expect(fields.allSatisfy { $0.title == "through" })
  }

  @Test("BND.9: bindings are ended by key, path and object, and listed")
  func unbinding() throws {
    let other = Song()
    try field.bind("title", to: "title", of: song)
    try field.bind("title", to: "title", of: other)
    try field.bind("number", to: "rating", of: song)
    #expect(field.bindings.map(\.source.description) == ["Song.title", "Song.title", "Song.rating"])
    #expect(song.bindings.count == 2)
    #expect(try field.bindings(to: "number").count == 1)
    #expect(try field.unbind("title", from: "title", of: song) == 1)
    song.title = "unheard"
    #expect(field.title == "Blue")
    other.title = "heard"
    #expect(field.title == "heard")
    #expect(field.unbindAll() == 2)
    #expect(field.bindings.isEmpty && song.bindings.isEmpty)
    #expect(field.title == "heard")
  }

  @Test("BND.3, BND.5: two ends that correct values each in its own way come to rest")
  func corrections() throws {
    let gauge = Gauge()
    let field = Field()
    let binding = try gauge.bind("level", to: "limited", of: field, options: .twoWay)
    #expect(gauge.level == 20 && binding.state == .active)
    try gauge.setValue(50, forKey: "level")
    #expect(field.limited == 10 && gauge.level == 20 && binding.state == .active)
  }

  @Test("BND.8: neither end is kept alive, and the binding ends with either")
  func lifetimes() throws {
    var song: Song? = Song()
    let binding = try field.bind("title", to: "title", of: try #require(song))
    song = nil
    #expect(binding.state == .ended)
    #expect(binding.source.object == nil && field.bindings.isEmpty)

    var target: Field? = Field()
    let second = try #require(target).bind("title", to: "title", of: self.song)
    target = nil
    #expect(second.state == .ended)
    #expect(self.song.bindings.isEmpty)

    var label: Label? = Label()
    let third = try #require(label).bind("text", to: "title", of: self.song)
    self.song.title = "shown"
    #expect(label?.text == "shown")
    label = nil
    self.song.title = "gone"
    #expect(third.state == .ended)
    expectNoObserversLeft(on: self.song)
  }

  @Test("BND.8: a binding that was made by its initialiser ends when it is dropped")
  func retained() throws {
    var binding: KVPathBinding? = try KVPathBinding(from: song, "title", to: field, "title")
    song.title = "1"
    #expect(field.title == "1" && binding?.isActive == true)
    binding = nil
    song.title = "2"
    #expect(field.title == "1")
    #expect(song.bindings.isEmpty)
  }

  @Test("BND.10: unresolved is not null: only a fallback is written for it, and a placeholder for nil")
  func placeholders() throws {
    let binding = try field.bind("title", to: "album.name", of: song)
    #expect(binding.state == .unresolved && field.title == "")
    song.album = Album()
    #expect(binding.state == .active && field.title == "Kind")
    song.album = nil
    #expect(binding.state == .unresolved && field.title == "Kind")
    binding.cancel()

    try field.bind("title", to: "album.name", of: song, options: .init(fallback: "no album"))
    #expect(field.title == "no album")

    try field.bind("text", to: "note", of: song, options: .init(.twoWay, nullPlaceholder: "–"))
    #expect(field.text == "–")
    song.note = "good"
    #expect(field.text == "good")
    field.text = "–"
    #expect(song.note == nil)
  }

  @Test("BND.3: a path of the target is followed, and a new object at its end gets the source's value")
  func targetPaths() throws {
    let binding = try field.bind("next.title", to: "title", of: song, options: .twoWay)
    #expect(binding.state == .unresolved)
    let next = Field()
    field.next = next
    #expect(next.title == "Blue")
    next.title = "edited"
    #expect(song.title == "edited")
    let other = Field()
    other.title = "unknown"
    field.next = other
    #expect(other.title == "edited" && song.title == "edited")
    next.title = "forgotten"
    #expect(song.title == "edited")
    let oneWay = Field()
    try oneWay.bind("next.title", to: "title", of: song)
    oneWay.next = Field()
    #expect(oneWay.next?.title == "edited")
  }

  @Test("BND.11: what fails after the set-up is the state of the binding, which lives on")
  func failures() throws {
    struct Broken: Error {}
    let binding = try field.bind("title", to: "rating", of: song) { (stars: Int) throws -> String in
      if stars == 0 { throw Broken() }
      return "\(stars)"
    }
    let events = capturingEvents { song.rating = 0 }
    #expect(events.about("rating").count == 1)
    #expect(binding.state == .failed && field.title == "3" && song.rating == 0)
    #expect(binding.lastError?.underlying is Broken)
    song.rating = 4
    #expect(binding.state == .active && binding.lastError == nil && field.title == "4")
  }

  @Test("BND.2: what fails at once is thrown, and nothing is bound")
  func setUpFailures() throws {
    #expect(throws: KVError.self) { try field.bind("number", to: "title", of: song) }
    let reported = capturingEvents {
      #expect(throws: KVError.self) { try field.bind("titel", to: "title", of: song) }
    }
    #expect(reported.about(song).isEmpty, "BND.11: what the call throws is not reported as well")
    #expect(throws: KVError.self) { try field.bind("title", to: "titel", of: song) }
    #expect(throws: KVError.self) {
      try field.bind("title", to: "rating", of: song, options: .twoWay) { (stars: Int) in "\(stars)" }
    }
    // No value comes yet, and the faults are found all the same.
    let events = try capturingEvents {
      try field.bind("titel", to: "album.name", of: song).cancel()
    }
    #expect(events.about(song).map(\.level) == [.warning])
    #expect(throws: KVError.self) { try field.bind("shout", to: "album.name", of: song) }
    #expect(throws: KVError.self) { try song.bind("title", to: "shout", of: field, options: .twoWay) }
    #expect(field.bindings.isEmpty && song.bindings.isEmpty)
    expectNoObserversLeft(on: song)
  }

  @Test("BND.1: several sources are combined")
  func combined() throws {
    let other = Song()
    try field.bind(
      "title", toAll: [.init(song, "title"), .init(other, "note")], by: .format("%{value1}@ (%{value2}@)"))
    #expect(field.title == "Blue ()")
    other.note = "live"
    #expect(field.title == "Blue (live)")
    song.title = "Green"
    #expect(field.title == "Green (live)")
    #expect(other.bindings.count == 1)
  }

  @Test("BND.8: a source that follows is listed, and its deallocation ends the binding")
  func followingSource() throws {
    var source: Song? = Song()
    let binding = try field.bind("number", to: "rating", of: try #require(source), options: .toSource)
    #expect(source?.bindings == [binding])
    source?.rating = 9
    #expect(field.number == 0)
    source = nil
    #expect(binding.state == .ended)
  }

  @Test("BND.2: a property that only reflection knows is refused before the first change")
  func unlisted() throws {
    #expect(throws: KVError.self) { try Unlisted().bind("name", to: "title", of: song) }
    let equal = Unlisted()
    equal.name = "Blue"
    #expect(throws: KVError.self) { try equal.bind("name", to: "title", of: song) }
  }

  @Test("BND.7: validated collections are set as wholes, and what setters make of them reconciles both endpoints")
  func mirrorsReconcile() throws {
    let (model, view) = (Sorted(), Field())
    try view.bind("rows", to: "rows", of: model, options: .twoWay)
    try view.mutableArray(forKey: "rows").append(contentsOf: ["b", "a"])
    #expect(model.rows == ["a", "b"] && view.rows == ["a", "b"])
    let token = try view.observe("rows") { [unowned view] change in
      if change.kind == .insertion, view.rows.first == "0" { view.rows.append("z") }
    }
    try model.mutableArray(forKey: "rows").insert("0", at: 0)
    #expect(view.rows == ["0", "a", "b", "z"] && model.rows == view.rows)
    token.cancel()
  }

  @Test("BND.3: a one-way target in an array keeps what its user sets, until the source changes")
  func indexTarget() throws {
    field.rows = ["a", "b"]
    try field.bind("rows[0]", to: "title", of: song)
    #expect(field.rows == ["Blue", "b"])
    try field.mutableArray(forKey: "rows").replace(at: 0, with: "mine")
    try field.mutableArray(forKey: "rows").append("c")
    #expect(field.rows == ["mine", "b", "c"])
    song.title = "Red"
    #expect(field.rows == ["Red", "b", "c"])
  }

  @Test("BND.1: an edit waits for its commit, or is discarded")
  func commits() throws {
    let binding = try field.bind("title", to: "title", of: song, options: .init(.twoWay, trigger: .onCommit))
    field.title = "draft"
    #expect(song.title == "Blue" && binding.hasPendingEdit)
    try field.commitEditing()
    #expect(song.title == "draft" && !binding.hasPendingEdit)
    field.title = "other"
    try field.discardEditing()
    #expect(field.title == "draft" && song.title == "draft")
    // A change of the source does not take the draft away.
    field.title = "half"
    song.title = "remote"
    #expect(field.title == "half" && binding.hasPendingEdit)
    try binding.discard()
    #expect(field.title == "remote")
    binding.cancel()

    let explicit = try field.bind("number", to: "rating", of: song, options: .init(.twoWay, trigger: .explicit))
    song.rating = 5
    #expect(field.number == 3)
    try explicit.updateTarget()
    #expect(field.number == 5)
    field.number = 2
    #expect(song.rating == 5)
    try explicit.updateSource()
    #expect(song.rating == 2)
  }
}

/// Holds values from 20 on only.
private final class Gauge: KVObject {
  private(set) var level = 20

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Gauge.self) { key in
      key("level", { $0.level }, set: { $0.level = max(20, $1) })
    }
  }
}
