import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.18: paths that end in an operator")
struct OperatorPathTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()
  private let a = Villager("a", age: 1)
  private let b = Villager("b", age: 2)

  @Test("KVO.18: a change of the collection is reported, as a setting, whatever its kind")
  func collection() throws {
    person.kids = [a]
    let tokens = [
      try log.watch(person, "kids.@count", [.old, .new, .prior]), try log.watch(person, "kids.@sum.age"),
    ]
    let kids = person.mutableArray(forKey: "kids")
    try kids.append(b)
    #expect(
      log.take() == [
        "kids.@count setting prior 1 → nil", "kids.@count setting 1 → 2", "kids.@sum.age setting 1 → 3",
      ])
    try kids.replace(at: 1, with: a)
    #expect(log.take().last == "kids.@sum.age setting 3 → 2")
    person.kids = []
    #expect(
      log.take() == [
        "kids.@count setting prior 2 → nil", "kids.@count setting 2 → 0", "kids.@sum.age setting 2 → 0",
      ])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.18: a nil collection, one behind other objects, and a set")
  func otherPlaces() throws {
    let tokens = [
      try log.watch(person, "pupils.@count"), try log.watch(person, "next.friends.@max.age"),
    ]
    person.pupils = [a]
    person.pupils = nil
    #expect(log.take().count == 2)
    person.next = Villager("Bob")
    person.next?.friends = [a, b]
    try person.mutableSet(forKeyPath: "next.friends").remove(b)
    #expect(
      log.lines == [
        "next.friends.@max.age setting nil → nil", "next.friends.@max.age setting nil → 2",
        "next.friends.@max.age setting 2 → 1",
      ])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.18: changes of what the operator reads of elements notify, unless the option leaves them out")
  func elements() throws {
    person.kids = [a]
    let without = try log.watch(person, "kids.@sum.age", [.old, .new, .membershipOnly], as: "without")
    let with = try log.watch(person, "kids.@sum.age", as: "with")
    a.age = 5
    #expect(log.take() == ["with: kids.@sum.age setting 1 → 5"])
    try person.mutableArray(forKey: "kids").append(b)
    #expect(log.take() == ["without: kids.@sum.age setting 5 → 7", "with: kids.@sum.age setting 5 → 7"])
    b.age = 10
    #expect(log.take() == ["with: kids.@sum.age setting 7 → 15"])
    try person.mutableArray(forKey: "kids").remove(at: 0)
    _ = log.take()
    a.age = 100
    #expect(log.lines == [])
    with.cancel()
    b.age = 11
    #expect(log.lines == [])
    expectNoObserversLeft(on: b)
    without.cancel()
  }

  @Test("KVO.18: prior, old and the object of the record for a change of an element")
  func elementRecords() throws {
    person.next = Villager("Bob")
    person.next?.kids = [a, b]
    let token = try log.watch(person, "next.kids.@avg.next.age", [.old, .new, .prior])
    a.next = Villager("x", age: 4)
    #expect(
      log.take() == [
        "next.kids.@avg.next.age setting prior 0.0 → nil", "next.kids.@avg.next.age setting 0.0 → 2.0",
      ])
    a.next?.age = 8
    #expect(
      log.take() == [
        "next.kids.@avg.next.age setting prior 2.0 → nil", "next.kids.@avg.next.age setting 2.0 → 4.0",
      ])
    #expect(log.changes.allSatisfy { ($0.object as? Villager)?.name == "Ada" })
    token.cancel()
  }

  @Test("KVO.18: one change that concerns several elements is reported once")
  func sharedObject() throws {
    let shared = Villager("s", age: 1)
    a.next = shared
    b.next = shared
    person.kids = [a, b, a]
    let token = try log.watch(person, "kids.@sum.next.age", [.old, .new])
    shared.age = 2
    #expect(log.lines == ["kids.@sum.next.age setting 3 → 6"])
    token.cancel()
  }

  @Test("KVO.18: on a path without an operator, the option has no effect")
  func optionElsewhere() throws {
    let token = try log.watch(person, "name", [.new, .membershipOnly])
    person.name = "Bea"
    #expect(log.lines == ["name setting nil → Bea"])
    #expect(KVDiagnostics.observations(of: person).map(\.options) == [[.new, .membershipOnly]])
    token.cancel()
  }

  @Test("KVO.18: over an empty collection what cannot be computed is accepted, and reported when an element comes")
  func emptyCollection() throws {
    for path in ["kids.@avg.name", "kids.@avg.nothing"] as [KVKeyPath] {
      let token = try log.watch(person, path)
      let events = try capturingEvents(level: .error) { try person.mutableArray(forKey: "kids").append(a) }
      #expect(events.about(path.description).about(person).map(\.topic) == [.faultyPath])
      #expect(log.take() == ["\(path) setting 0.0 → nil"])
      #expect(throws: KVError.self) { try log.watch(person, path) }
      person.kids = []
      _ = log.take()
      token.cancel()
    }
  }
}
