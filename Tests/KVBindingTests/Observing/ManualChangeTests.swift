import KVBinding
import KVCore
import TestModels
import Testing

@Suite("KVO.16: manual changes")
struct ManualChangeTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()

  @Test("KVO.16: nested brackets of one key each notify at their end, with the value from their own beginning")
  func nested() throws {
    let token = try log.watch(person, "plain")
    person.willChangeValue(forKey: "plain")
    person.plain = "x"
    person.willChangeValue(forKey: "plain")
    person.plain = "y"
    person.didChangeValue(forKey: "plain")
    #expect(log.take() == ["plain setting x → y"])
    person.didChangeValue(forKey: "plain")
    #expect(log.lines == ["plain setting plain → y"])
    token.cancel()
  }

  @Test("KVO.16: setters inside a bracket notify on their own")
  func settersInside() throws {
    let token = try log.watch(person, "name", [.old, .new, .prior])
    person.withChange(forKey: "name") {
      person.name = "in1"
      person.name = "in2"
    }
    #expect(
      log.lines == [
        "name setting prior Ada → nil", "name setting prior Ada → nil", "name setting Ada → in1",
        "name setting prior in1 → nil", "name setting in1 → in2", "name setting Ada → in2",
      ])
    token.cancel()
  }

  @Test("KVO.16: brackets of different keys may cross; each names its key")
  func crossed() throws {
    let tokens = [try log.watch(person, "plain"), try log.watch(person, "age")]
    person.willChangeValue(forKey: "plain")
    person.willChangeValue(forKey: "age")
    person.plain = "x"
    person.didChangeValue(forKey: "plain")
    #expect(log.take() == ["plain setting plain → x"])
    person.didChangeValue(forKey: "age")
    #expect(log.take() == ["age setting 0 → 0"])
    try person.setValue("after", forKey: "plain")
    #expect(log.lines == ["plain setting x → after"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.16: a body that throws still closes its bracket")
  func throwing() throws {
    struct Failure: Error {}
    let token = try log.watch(person, "plain")
    #expect(throws: Failure.self) {
      try person.withChange(forKey: "plain") { () throws(Failure) in
        person.plain = "x"
        throw Failure()
      }
    }
    #expect(log.take() == ["plain setting plain → x"])
    #expect(person.withChange(forKey: "plain") { 5 } == 5)
    #expect(log.lines == ["plain setting x → x"])
    token.cancel()
  }

  @Test("KVO.16: a closing without an opening is reported, and corrupts nothing")
  func unmatched() throws {
    let token = try log.watch(person, "name")
    let events = capturingEvents {
      person.didChangeValue(forKey: "name")
      person.didChange(.insertion, at: [0], forKey: "rows")
    }.about(person)
    #expect(events.count == 2)
    #expect(events.first?.level == .warning && events.first?.topic == .unmatchedChange)
    #expect(
      events.first?.message == """
        didChangeValue(forKey: "name") of Villager without willChangeValue(forKey:) before it: nothing is delivered. \
        withChange(forKey:) cannot be left unmatched.
        """)
    #expect(log.lines == [])
    person.name = "x"
    person.withChange(forKey: "name") {}
    #expect(log.lines == ["name setting Ada → x", "name setting x → x"])
    token.cancel()
  }

  @Test("KVO.16: a bracket that ends as another change than it began is reported, and delivered as it was begun")
  func mismatched() throws {
    person.rows = ["a", "b"]
    let token = try log.watch(person, "rows")
    let events = capturingEvents {
      person.willChange(.removal, at: [0], forKey: "rows")
      person.didChange(.insertion, at: [1], forKey: "rows")
      person.willChangeValue(forKey: "rows")
      person.didChange(.insertion, at: [0], forKey: "rows")
      person.willChange(.replacement, at: [1], forKey: "rows")
      person.didChange(.replacement, at: [1], forKey: "rows")
    }.about(person)
    #expect(
      log.lines == [
        "rows removal at [0] [a] → nil", "rows setting [a, b] → [a, b]", "rows replacement at [1] [b] → [b]",
      ])
    #expect(events.count == 2)
    #expect(events.first?.level == .warning && events.first?.topic == .unmatchedChange)
    #expect(
      events.first?.message == """
        a change of "rows" of Villager was begun as removal at 0 and ended as insertion at 1: it is delivered as it was \
        begun. Brackets of one key must nest, and end with what they began with.
        """)
    token.cancel()
  }

  @Test("KVO.16: an opening without a closing silences nothing")
  func unclosed() throws {
    let token = try log.watch(person, "name")
    person.willChangeValue(forKey: "name")
    person.name = "y"
    person.name = "z"
    #expect(log.lines == ["name setting Ada → y", "name setting y → z"])
    token.cancel()
  }

  @Test("KVO.16: a bracket is not confused by observers that come or go within it")
  func registeringWithin() throws {
    let events = try capturingEvents {
      let first = try log.watch(person, "plain", as: "A")
      person.willChangeValue(forKey: "plain")
      let second = try log.watch(person, "plain", as: "B")
      first.cancel()
      person.plain = "x"
      person.didChangeValue(forKey: "plain")
      #expect(log.take() == [])
      person.withChange(forKey: "plain") {}
      #expect(log.lines == ["B: plain setting x → x"])
      second.cancel()
    }.about(person)
    #expect(events.isEmpty)
  }

  @Test("KVO.16: a key may be named by an alias")
  func alias() throws {
    let token = try log.watch(person, "plain")
    person.willChangeValue(forKey: "simple")
    person.plain = "x"
    person.didChangeValue(forKey: "plain")
    #expect(log.lines == ["plain setting plain → x"])
    token.cancel()
  }

  @Test("KVO.11, KVO.16: a middle object that is replaced by hand")
  func middle() throws {
    let bob = Villager("Bob")
    person.hidden = Villager("Eve")
    let token = try log.watch(person, "hidden.name")
    let old = person.hidden
    person.withChange(forKey: "hidden") { person.hidden = bob }
    old?.name = "unheard"
    bob.name = "Rob"
    #expect(log.lines == ["hidden.name setting Eve → Bob", "hidden.name setting Bob → Rob"])
    token.cancel()
  }

  @Test("DEP.1, KVO.16: both sources of a dependent key within crossing brackets: one record for each")
  func bothSources() throws {
    let model = FullName("F", "L")
    let token = try log.watch(model, "full", [.old, .new, .prior])
    model.willChangeValue(forKey: "first")
    model.willChangeValue(forKey: "last")
    model.plainFirst = "X"
    model.plainLast = "Y"
    model.didChangeValue(forKey: "last")
    model.didChangeValue(forKey: "first")
    #expect(
      log.lines == [
        "full setting prior F L → nil", "full setting prior F L → nil", "full setting F L → X Y",
        "full setting F L → X Y",
      ])
    token.cancel()
  }

  @Test("DEP.1, KVO.16: a dependent key bracketed as well as its source: each is a record")
  func dependentToo() throws {
    let model = FullName("F", "L")
    let token = try log.watch(model, "full")
    try model.withChange(forKey: "full") { try model.setValue("Z", forKey: "first") }
    #expect(log.lines == ["full setting F L → Z L", "full setting F L → Z L"])
    token.cancel()
  }

  @Test("KVO.16, TOM.1, TOM.2: a scoped change in part reports its kind, also if the body throws")
  func scopedParts() throws {
    let village = Villager()
    let log = ChangeLines()
    let tokens = try ["rows", "tags"].map { try log.watch(village, $0) }
    let count = village.withChange(.insertion, at: [0, 1], forKey: "rows") {
      village.rows = ["a", "b"]
      return 2
    }
    #expect(count == 2)
    #expect(throws: ScopeFailure.self) {
      try village.withChange(.removal, at: [1], forKey: "rows") {
        village.rows = ["a"]
        throw ScopeFailure()
      }
    }
    village.withChange(.insertion, members: ["x"], forKey: "tags") { _ = village.tags.insert("x") }
    #expect(
      log.lines.filter { !$0.contains("setting") } == [
        "rows insertion at [0, 1] nil → [a, b]", "rows removal at [1] [b] → nil", "tags insertion nil → [x]",
      ])
    let silent = Villager()
    #expect(silent.withChange(.removal, at: [0], forKey: "rows") { 1 } == 1)
    #expect(silent.withChange(.removal, members: ["x"], forKey: "tags") { 1 } == 1)
    tokens.forEach { $0.cancel() }
  }

  @Test("TOM.1: an index that a manual change gives twice is that of one element")
  func twice() throws {
    let village = Villager()
    village.rows = ["a", "b", "c", "d"]
    let log = ChangeLines()
    let token = try log.watch(village, "rows")
    let mirror = Villager()
    try mirror.bind("rows", to: "rows", of: village)
    _ = log.take()
    village.withChange(.removal, at: [3, 0, 0], forKey: "rows") { village.rows = ["b", "c"] }
    #expect(log.take().filter { !$0.contains("setting") } == ["rows removal at [0, 3] [a, d] → nil"])
    #expect(mirror.rows == ["b", "c"])
    token.cancel()
  }
}

/// A dependent key, and sources that are stored plainly.
private final class FullName: KVObject {
  var plainFirst: String
  var plainLast: String

  init(_ first: String, _ last: String) {
    plainFirst = first
    plainLast = last
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: FullName.self) { key in
      key("first", \.plainFirst)
      key("last", \.plainLast)
      key("full") { "\($0.plainFirst) \($0.plainLast)" }.affected(by: "first", "last")
    }
  }
}
