import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.17: observing each element of a collection")
struct ElementsTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()
  private let a = Villager("a")
  private let b = Villager("b")
  private let c = Villager("c")

  private func watch(
    _ path: KVKeyPath = "kids", _ elementPath: KVKeyPath = "name", _ options: KVObservingOptions = [.old, .new]
  ) throws -> KVObservation {
    try person.observeElements(of: path, elementPath, options: options) { [log] in log.add($0) }
  }

  /// Sets the names of some people, and returns who was heard.
  private func received(_ people: Villager...) -> [String] {
    _ = log.take()
    for villager in people { villager.name = villager.name }
    return log.changes.suffix(log.take().count).map { brief($0.object) }
  }

  @Test("KVO.17: the elements that are there, and those that come; not those that are gone")
  func arrays() throws {
    person.kids = [a]
    let token = try watch()
    a.name = "a2"
    #expect(log.take() == ["name setting a → a2"])
    let kids = person.mutableArray(forKey: "kids")
    try kids.append(contentsOf: [b, c])
    #expect(received(a, b, c) == ["a2", "b", "c"])
    try kids.remove(at: 1)
    #expect(received(a, b, c) == ["a2", "c"])
    try kids.replace(at: 0, with: b)
    #expect(received(a, b, c) == ["b", "c"])
    person.kids = [a, c]
    #expect(received(a, b, c) == ["a2", "c"])
    person.kids.removeAll()
    #expect(received(a, b, c) == [])
    person.kids.append(a)
    token.cancel()
    #expect(received(a, b, c) == [])
    #expect(KVDiagnostics.observations(of: a).isEmpty && KVDiagnostics.observations(of: person).isEmpty)
  }

  @Test("KVO.17: the elements of a set")
  func sets() throws {
    person.friends = [a]
    let token = try watch("friends")
    let friends = person.mutableSet(forKey: "friends")
    try friends.add(b)
    #expect(received(a, b, c) == ["a", "b"])
    try friends.set([b, c])
    #expect(received(a, b, c) == ["b", "c"])
    try friends.formIntersection([c])
    #expect(received(a, b, c) == ["c"])
    person.friends = []
    #expect(received(a, b, c) == [])
    token.cancel()
  }

  @Test("KVO.17: an element that occurs twice is observed once, until both are gone")
  func duplicates() throws {
    person.kids = [a, a]
    let token = try watch()
    #expect(received(a) == ["a"])
    try person.mutableArray(forKey: "kids").remove(at: 0)
    #expect(received(a) == ["a"])
    try person.mutableArray(forKey: "kids").append(a)
    try person.mutableArray(forKey: "kids").replace(at: 0, with: b)
    #expect(received(a, b) == ["a", "b"])
    try person.mutableArray(forKey: "kids").remove(at: 1)
    #expect(received(a, b) == ["b"])
    token.cancel()
  }

  @Test("KVO.17: a collection behind other objects, and a path from each element")
  func paths() throws {
    let token = try watch("next.kids", "next.name")
    a.next = Villager("x")
    person.next = Villager("Bob")
    person.next?.kids = [a]
    a.next?.name = "y"
    a.next = Villager("z")
    #expect(log.take() == ["next.name setting x → y", "next.name setting y → z"])
    person.next = nil
    a.next?.name = "unheard"
    #expect(log.lines == [])
    token.cancel()
  }

  @Test("KVO.17: the first value of each element, and of each that comes later")
  func initial() throws {
    person.kids = [a, b]
    let token = try watch("kids", "name", [.new, .initial])
    #expect(log.take() == ["name setting initial nil → a", "name setting initial nil → b"])
    try person.mutableArray(forKey: "kids").append(c)
    #expect(log.lines == ["name setting initial nil → c"])
    token.cancel()
  }

  @Test("KVO.17: elements that cannot be observed: refused at first, reported later")
  func faults() throws {
    person.rows = ["a"]
    let error = #expect(throws: KVError.self) { try person.observeElements(of: "rows", "count") { _ in } }
    #expect(error?.code == .notObservable && error?.message.contains("an element of \"rows\" is a String") == true)
    person.kids = [a]
    #expect(throws: KVError.self) { try person.observeElements(of: "kids", "nothing") { _ in } }
    expectNoObserversLeft(on: a)
    person.rows = []
    let token = try person.observeElements(of: "rows", "count") { _ in }
    let events = capturingEvents { person.rows = ["x"] }.about("rows")
    #expect(events.first?.level == .error && events.first?.topic == .faultyPath)
    token.cancel()
  }

  @Test("KVO.8, KVO.17: an element that a handler removes at once is not observed any more", arguments: [false, true])
  func removedInAHandler(_ isSetting: Bool) throws {
    let first = try person.observe("kids", options: .new) { [person, a] change in
      guard person.kids.contains(a) else { return }
      if isSetting { person.kids = [] } else { try? person.mutableArray(forKey: "kids").remove(at: 0) }
    }
    let token = try watch()
    try person.mutableArray(forKey: "kids").insert(a, at: 0)
    #expect(person.kids.isEmpty)
    #expect(received(a) == [])
    person.kids = [a]
    #expect(received(a) == [])
    first.cancel()
    try person.mutableArray(forKey: "kids").append(a)
    #expect(received(a) == ["a"])
    try person.mutableArray(forKey: "kids").remove(at: 0)
    #expect(received(a) == [])
    token.cancel()
  }

  @Test("KVO.8, KVO.17: an element that a handler puts in place of another one is observed")
  func replacedInAHandler() throws {
    let first = try person.observe("kids", options: .new) { [person, a, b] _ in
      if person.kids == [a] { person.kids = [b] }
    }
    let token = try watch()
    person.kids = [a]
    #expect(received(a, b) == ["b"])
    first.cancel()
    token.cancel()
  }
}
