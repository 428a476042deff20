import KVTestSupport
import Testing

/// `expectNoObserversLeft`: whoever is left is named.
struct ExpectNoObserversLeftTests {
  private let person = KVFixtures.Person()
  private let note = KVFixtures.Note()

  @Test("TST.2: an object that is not observed or bound any more is no failure")
  func none() throws {
    let failures = try KVFailureReporter.capturing {
      expectNoObserversLeft(on: person)
      expectNoObserversLeft(on: note)
      let token = try person.observe("name") { _ in }
      let binding = try note.bind("text", to: "name", of: person)
      token.cancel()
      binding.cancel()
      expectNoObserversLeft(on: person)
      expectNoObserversLeft(on: note)
    }
    #expect(failures.isEmpty)
  }

  @Test("TST.2: observations whose owner is gone count as ended")
  func orphans() throws {
    try person.observe("name", owner: KVFixtures.Note()) { _, _ in }
    #expect(KVFailureReporter.capturing { expectNoObserversLeft(on: person) }.isEmpty)
  }

  @Test(
    "TST.2: each observation and binding that is left is listed with its location, in one failure at the caller's line")
  func left() throws {
    let line: UInt = #line + 1
    let token = try person.observe("name") { _ in }
    try person.observe("age", options: .new, owner: note) { _, _ in }
    try note.bind("text", to: "name", of: person)
    let failures = KVFailureReporter.capturing { expectNoObserversLeft(on: person) }
    #expect(
      failures.map(\.brief) == [
        """
        \(line + 3): Person is still observed or bound.
        observed: name [old, new]: closure, registered at KVTestSupportTests/ExpectNoObserversLeftTests.swift:\(line)
        observed: age [new]: closure with owner of Note, registered at \
        KVTestSupportTests/ExpectNoObserversLeftTests.swift:\(line + 1)
        bound: Person.name → Note.text [active] (KVTestSupportTests/ExpectNoObserversLeftTests.swift:\(line + 2))
        """
      ])
    withExtendedLifetime(token) {}
  }

  @Test("TST.2: an object that is only the target of a binding has that listed, observable or not")
  func targets() throws {
    let other = KVFixtures.Person()
    let line: UInt = #line + 1
    try note.bind("text", to: "name", of: person)
    try other.bind("nickname", to: "name", of: person)
    let failures = KVFailureReporter.capturing {
      expectNoObserversLeft(on: note)
      expectNoObserversLeft(on: other)
    }
    let file = "KVTestSupportTests/ExpectNoObserversLeftTests.swift"
    #expect(
      failures.map(\.message) == [
        "Note is still observed or bound.\nbound: Person.name → Note.text [active] (\(file):\(line))",
        "Person is still observed or bound.\nbound: Person.name → Person.nickname [active] (\(file):\(line + 1))",
      ])
  }

  @Test("TST.2: an observer by a path through the object is listed, too, and one for a binding")
  func passing() throws {
    let (root, middle, note) = (KVFixtures.Person("Ada"), KVFixtures.Person("Grace"), KVFixtures.Note())
    root.next = middle
    let token = try root.observe("next.name") { _ in }
    let line = #line - 1
    let binding = try note.bind("text", to: "next.name", of: root)
    let failures = KVFailureReporter.capturing { expectNoObserversLeft(on: middle) }
    #expect(
      failures.map { $0.message.split(separator: "\n").map(String.init) } == [
        [
          "Person is still observed or bound.",
          """
          observed on the way: next.name [old, new]: closure, registered at \
          KVTestSupportTests/ExpectNoObserversLeftTests.swift:\(line)
          """,
          """
          observed on the way: next.name []: binding of Person.next.name → Note.text, registered at \
          KVTestSupportTests/ExpectNoObserversLeftTests.swift:\(line + 2)
          """,
        ]
      ])
    token.cancel()
    binding.cancel()
    expectNoObserversLeft(on: middle)
    // A path that comes back to its root is listed once.
    middle.next = middle
    let circle = try middle.observe("next.name") { _ in }
    let found = KVFailureReporter.capturing { expectNoObserversLeft(on: middle) }
    #expect(found.map { $0.message.split(separator: "\n").count } == [2])
    middle.next = nil
    circle.cancel()
  }
}
