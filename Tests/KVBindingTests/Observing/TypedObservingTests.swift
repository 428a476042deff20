import KVBinding
import KVCore
import TestModels
import Testing

@Suite("KVO.1, CO.1: handlers for values of a known type")
struct TypedObservingTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()

  private func watch<Value>(
    _ path: KVKeyPath, _ type: Value.Type, _ options: KVObservingOptions = [.old, .new]
  ) throws -> KVObservation {
    try person.observe(path, as: type, options: options) { [log] change in
      let moment = change.isPrior ? " prior" : change.isInitial ? " initial" : ""
      let atIndexes = change.indexes.map { " at \($0)" } ?? ""
      log.add("\(change.keyPath) \(change.kind)\(moment)\(atIndexes) \(brief(change.old)) → \(brief(change.new))")
    }
  }

  @Test("KVO.1: the property's own type, and the type inside its optional")
  func types() throws {
    let tokens = [try watch("age", Int.self), try watch("name", String.self), try watch("next", Villager.self)]
    person.age = 1
    person.name = nil
    person.name = "b"
    person.next = Villager("Bob")
    #expect(
      log.lines == [
        "age setting 0 → 1", "name setting Ada → nil", "name setting nil → b", "next setting nil → Bob",
      ])
    tokens.forEach { $0.cancel() }
  }

  @Test(
    "KVO.3, KVO.4: every set of options passes a typed handler what it passes another one",
    arguments: (0..<16).map { KVObservingOptions(rawValue: $0) })
  func options(_ options: KVObservingOptions) throws {
    person.next = Villager("Bob", age: 2)
    for (path, type) in [("age", Int.self), ("next.age", Int.self)] as [(KVKeyPath, Int.Type)] {
      let typed = try watch(path, type, options)
      person.age = 3
      person.next?.age = 4
      person.next = Villager("Eve", age: 5)
      typed.cancel()
      let lines = log.take()
      person.age = 0
      person.next = Villager("Bob", age: 2)
      let untyped = try log.watch(person, path, options)
      person.age = 3
      person.next?.age = 4
      person.next = Villager("Eve", age: 5)
      untyped.cancel()
      #expect(lines == log.take())
      person.age = 0
      person.next = Villager("Bob", age: 2)
    }
  }

  @Test("CO.2: a value of another type is converted")
  func conversion() throws {
    let tokens = [try watch("age", Double.self), try watch("age", Bool.self), try watch("anything", Int.self)]
    person.age = 3
    person.anything = 5
    person.anything = 6.7
    person.anything = nil
    #expect(
      log.lines == [
        "age setting 0.0 → 3.0", "age setting false → true", "anything setting nil → 5", "anything setting 5 → 6",
        "anything setting 6 → nil",
      ])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.1: a path, a dependent key, a struct, an operator")
  func locations() throws {
    let tokens = [
      try watch("next.age", Int.self), try watch("shout", String.self), try watch("home.street.number", Int.self),
      try watch("kids.@count", Int.self),
    ]
    person.next = Villager("Bob", age: 7)
    person.name = "b"
    person.home.street.number = 2
    person.kids = [person]
    person.kids = []
    #expect(
      log.lines == [
        "next.age setting nil → 7", "shout setting Ada → b", "home.street.number setting 1 → 2",
        "kids.@count setting 0 → 1", "kids.@count setting 1 → 0",
      ])
    tokens.forEach { $0.cancel() }
  }

  @Test("TOM.1: a collection: whole where it is set, the elements concerned where it is edited")
  func collections() throws {
    let tokens = [try watch("rows", [String].self), try watch("kids", [Villager].self)]
    person.rows = ["a"]
    try person.mutableArray(forKey: "rows").append("b")
    try person.mutableArray(forKey: "kids").append(Villager("Bob"))
    #expect(
      log.lines == ["rows setting [] → [a]", "rows insertion at [1] nil → [b]", "kids insertion at [0] nil → [Bob]"])
    tokens.forEach { $0.cancel() }
  }

  @Test("CO.6: a value that does not convert comes as nil, and is reported with the location of the registration")
  func mismatch() throws {
    let line: UInt = #line + 1
    let token = try person.observe("anything", as: Int.self, options: .new) { [log] change in
      log.add("\(brief(change.new))")
    }
    let events = capturingEvents { person.anything = "b" }.about("anything").filter { $0.topic == .faultyValue }
    #expect(log.lines == ["nil"])
    #expect(events.count == 1 && events.first?.level == .error)
    #expect(events.first?.location == "KVBindingTests/TypedObservingTests.swift:\(line)")
    #expect(
      events.first?.message
        == "Villager.anything is observed as Int, but holds the String \"b\", which does not convert")
    #expect(events.first?.object == ObjectIdentifier(person))
    token.cancel()
  }

  @Test("KVO.5: distinct compares typed values too")
  func distinct() throws {
    let token = try watch("age", Int.self, [.new, .distinct])
    person.age = 0
    person.age = 1
    person.age = 1
    #expect(log.lines == ["age setting nil → 1"])
    token.cancel()
  }
}

@Suite("KVO.21, TAB.10: typed observations of keys with conversions")
struct ConvertedObservingTests {
  private final class Ticket: KVObject {
    @KVProperty var priority = Priority.low
    @KVProperty var count = 1
    @KVProperty var code = Code(text: "a")

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Ticket.self) { key in
        key("priority", \.priority).lenient()
        key("count", \.count).lenient()
        key("code", \.code).converted(from: String.self) {
          Code(text: $0)
        } back: {
          $0.text
        }
      }
    }
  }

  private enum Priority: String, CaseIterable {
    case low, high
  }

  private struct Code: Equatable {
    let text: String
  }

  @Test("TAB.10: a typed observation reads by the conversions of the key, as value(forKeyPath:as:) does")
  func converts() throws {
    let ticket = Ticket()
    var texts: [String?] = []
    let tokens = try ["priority", "count", "code"].map { key in
      try ticket.observe(key, as: String.self) { texts += [$0.old, $0.new] }
    }
    ticket.priority = .high
    ticket.count = 2
    ticket.code = Code(text: "b")
    #expect(texts == ["low", "high", "1", "2", "a", "b"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.21: a key without such a conversion is refused")
  func refuses() throws {
    #expect(throws: KVError.self) { _ = try Villager("Ada").observe("age", as: String.self) { _ in } }
  }
}
