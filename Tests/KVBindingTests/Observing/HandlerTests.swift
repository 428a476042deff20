import KVBinding
import KVCore
import TestModels
import Testing

@Suite("KVO.7, KVO.8: handlers that register, cancel and change")
struct HandlerTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()

  @Test(
    "KVO.7, KVO.11: a path that is registered while a middle is about to change follows the new object",
    arguments: 0...2
  )
  func registeringAPathDuringAChange(_ variant: Int) throws {
    let (log, old, new) = (ChangeLines(), Villager("old"), Villager("new"))
    let root = Villager("root", next: old)
    var tokens: [KVObservation] = []
    defer { tokens = [] }  // a handler refers to them
    let register = { if tokens.count < 2 { tokens.append(try log.watch(root, "next.name", [.old, .new])) } }
    if variant == 2 {
      tokens.append(try root.observe("name", options: []) { _ in })
      try root.withChange(forKey: "next") {
        try register()
        root.next = new
      }
    } else {
      tokens.append(try root.observe("next", options: .prior) { if $0.isPrior { try? register() } })
      if variant == 0 { root.next = new } else { try root.setValue(new, forKey: "next") }
    }
    _ = log.take()
    old.name = "unheard"
    new.name = "x"
    #expect(log.lines == ["next.name setting new → x"])
    withExtendedLifetime((tokens, old)) {}
  }

  @Test(
    "KVO.7: one that is added in a handler is notified of later changes only",
    arguments: [KVObservingOptions(), .prior])
  func adding(_ options: KVObservingOptions) throws {
    var added: KVObservation?
    let token = try person.observe("name", options: options) { [person, log] change in
      log.add("A\(change.isPrior ? " prior" : "")")
      if added == nil { added = try? log.watch(person, "name", [], as: "N") }
    }
    person.name = "b"
    let first = options.isEmpty ? ["A"] : ["A prior", "A"]
    #expect(log.take() == first)
    person.name = "c"
    #expect(log.lines == first + ["N: name setting nil → nil"])
    token.cancel()
    added?.cancel()
  }

  @Test("KVO.7: one that is cancelled in a handler is not called any more, before or behind in the order")
  func cancelling() throws {
    var tokens: [KVObservation] = []
    defer { tokens = [] }
    for index in 1...4 {
      tokens.append(
        try person.observe("name", options: []) { [log] _ in
          log.add("\(index)")
          if index == 2 { tokens[0].cancel() }
          if index == 2 { tokens[2].cancel() }
        })
    }
    person.name = "b"
    #expect(log.take() == ["1", "2", "4"])
    person.name = "c"
    #expect(log.take() == ["2", "4"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.7: one that cancels itself in its prior record is not notified of the change")
  func cancellingInPrior() throws {
    var token: KVObservation?
    defer { token = nil }
    token = try person.observe("name", options: [.prior]) { [log] change in
      log.add(brief(change))
      token?.cancel()
    }
    let other = try log.watch(person, "name", [], as: "B")
    person.name = "b"
    #expect(log.lines == ["name setting prior nil → nil", "B: name setting nil → nil"])
    #expect(person.name == "b")
    other.cancel()
  }

  @Test("KVO.7: cancelling and changing in the first record")
  func initial() throws {
    let other = try log.watch(person, "name", [.new], as: "other")
    var token: KVObservation?
    token = try person.observe("name", options: [.initial, .new]) { [person, log] change in
      log.add(change, as: "new")
      if change.isInitial { person.name = "inner" }
    }
    #expect(
      log.take() == [
        "new: name setting initial nil → Ada", "other: name setting nil → inner", "new: name setting nil → inner",
      ])
    token?.cancel()
    other.cancel()
  }

  @Test("KVO.7: registering in the first record")
  func registeringInInitial() throws {
    var inner: KVObservation?
    let token = try person.observe("name", options: [.initial]) { [person, log] change in
      log.add("outer")
      if change.isInitial { inner = try? log.watch(person, "name", [.initial], as: "inner") }
    }
    #expect(log.take() == ["outer", "inner: name setting initial nil → nil"])
    person.name = "x"
    #expect(log.lines == ["outer", "inner: name setting nil → nil"])
    inner?.cancel()
    token.cancel()
  }

  @Test("KVO.8: a change of the same key in a handler is delivered completely before the outer delivery goes on")
  func nestedByTheFirst() throws {
    let first = try person.observe("name") { [person, log] change in
      log.add(change, as: "A")
      if change.new as? String == "outer" { person.name = "inner" }
    }
    let second = try log.watch(person, "name", as: "B")
    person.name = "outer"
    #expect(
      log.lines == [
        "A: name setting Ada → outer", "A: name setting outer → inner", "B: name setting outer → inner",
        "B: name setting Ada → outer",
      ])
    #expect(person.name == "inner")
    first.cancel()
    second.cancel()
  }

  @Test("KVO.8: a change of the same key in the last handler")
  func nestedByTheLast() throws {
    let first = try log.watch(person, "name", as: "A")
    let second = try person.observe("name") { [person, log] change in
      log.add(change, as: "B")
      if change.new as? String == "outer" { person.name = "inner" }
    }
    person.name = "outer"
    #expect(
      log.lines == [
        "A: name setting Ada → outer", "B: name setting Ada → outer", "A: name setting outer → inner",
        "B: name setting outer → inner",
      ])
    first.cancel()
    second.cancel()
  }

  @Test("KVO.8: a change of another key in a handler")
  func nestedOtherKey() throws {
    let age = try log.watch(person, "age")
    let name = try person.observe("name", options: .new) { [person, log] change in
      log.add(change)
      person.age += 1
      log.add("back")
    }
    person.name = "b"
    #expect(log.lines == ["name setting nil → b", "age setting 0 → 1", "back"])
    age.cancel()
    name.cancel()
  }

  @Test("KVO.8: a change in a prior record is delivered completely, and overwritten by the change that is under way")
  func nestedInPrior() throws {
    var isDone = false
    let token = try person.observe("name", options: [.old, .new, .prior]) { [person, log] change in
      log.add(change)
      guard change.isPrior, !isDone else { return }
      isDone = true
      person.name = "inner"
    }
    person.name = "outer"
    #expect(
      log.lines == [
        "name setting prior Ada → nil", "name setting prior Ada → nil", "name setting Ada → inner",
        "name setting Ada → outer",
      ])
    #expect(person.name == "outer")
    token.cancel()
  }

  @Test("KVO.8: a path that is replaced in a handler: the outer delivery goes on, and then follows the new object")
  func nestedReplacing() throws {
    let bob = Villager("Bob")
    let eve = Villager("Eve")
    let first = try person.observe("next", options: []) { [person] _ in if person.next === bob { person.next = eve } }
    let second = try log.watch(person, "next.name")
    person.next = bob
    #expect(log.take() == ["next.name setting Bob → Eve", "next.name setting nil → Bob"])
    bob.name = "unheard"
    eve.name = "Eva"
    #expect(log.lines == ["next.name setting Eve → Eva"])
    first.cancel()
    second.cancel()
  }

  @Test("KVO.7: the last token of a key cancelled in its handler, and another registered in its place")
  func replacingTheRegistration() throws {
    var token: KVObservation?
    var rounds = 0
    func register() {
      token = try? person.observe("next.name", options: []) { [log] _ in
        rounds += 1
        log.add("\(rounds)")
        token?.cancel()
        register()
      }
    }
    register()
    for name in ["a", "b", "c"] { person.next = Villager(name) }
    #expect(log.lines == ["1", "2", "3"])
    #expect(KVDiagnostics.observations(of: person).count == 1)
    token?.cancel()
    token = nil
  }

  @Test("KVO.8: two observers that set each other's object settle, if they compare")
  func eachOther() throws {
    let other = Villager("other")
    let there = try person.observe("name", options: [.new, .distinct]) { [log] change in
      log.add(change, as: "A")
      other.name = change.new as? String
    }
    let back = try other.observe("name", options: [.new, .distinct]) { [log, person] change in
      log.add(change, as: "B")
      person.name = change.new as? String
    }
    person.name = "x"
    #expect(log.lines == ["A: name setting nil → x", "B: name setting nil → x"])
    #expect(other.name == "x")
    there.cancel()
    back.cancel()
  }
}
