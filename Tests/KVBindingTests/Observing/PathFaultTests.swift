import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.13, KVO.17: paths that cannot be observed")
struct PathFaultTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()

  private func refusal(_ path: KVKeyPath, of root: some KVObservable, _ options: KVObservingOptions = .new) -> KVError?
  {
    let error = #expect(throws: KVError.self) { try root.observe(path, options: options) { _ in } }
    expectNoObserversLeft(on: root)
    return error
  }

  @Test("KVO.13: a key that does not exist, at the root and behind objects that are there")
  func undefinedKeys() {
    let error = refusal("nmae", of: person)
    #expect(error?.code == .undefinedKey)
    #expect(error?.message.hasPrefix("undefined key \"nmae\" of Villager. Did you mean \"name\"?") == true)
    #expect(error?.keyPath == "nmae" && error?.rootType == "Villager")
    person.next = Villager("Bob")
    let behind = refusal("next.nothing", of: person)
    #expect(behind?.code == .undefinedKey && behind?.component == "nothing" && behind?.keyPath == "next.nothing")
    #expect(refusal("home.nothing", of: person)?.code == .undefinedKey)
    #expect(refusal("name.nothing", of: person)?.code == .undefinedKey)
  }

  @Test("KVO.13: a key that can never notify: the sentence says how it could")
  func notObservableKeys() {
    let error = refusal("silent", of: person)
    #expect(error?.code == .notObservable)
    #expect(
      error?.message == #"""
        "silent" of Villager never notifies of a change. If "silent" is a stored property, declare it @KVProperty var \#
        silent, or add the line key("silent", \.silent) to the keyTable of Villager, which tells of writes by key; if it \#
        is computed, add .affected(by:) or .notifiesManually() to its line.
        """#)
    #expect(refusal("hidden.name", of: person)?.code == .notObservable)
    #expect(refusal("self", of: person)?.code == .notObservable)
  }

  @Test("KVO.17: a path through the elements of a collection: the sentence names what there is instead")
  func throughCollections() throws {
    let error = refusal("kids.name", of: person)
    #expect(error?.code == .notObservable)
    #expect(
      error?.message == """
        "kids.name" leads through the elements of a collection, which have no single value. Use \
        observeElements(of: "kids", "name") to observe each element, "kids" to observe the collection, or an operator \
        such as "kids.@count".
        """)
    person.next = Villager("Bob")
    let behind = refusal("next.friends.name", of: person)
    #expect(behind?.message.contains(#"observeElements(of: "next.friends", "name")"#) == true)
    person.pupils = [person]
    #expect(refusal("pupils.name", of: person)?.code == .notObservable)
    person.pupils = []
  }

  @Test("KVO.13: what cannot be checked yet is checked when it appears, and reported; the path is observed on")
  func laterFaults() throws {
    let token = try log.watch(person, "anything.nickname")
    let events = capturingEvents {
      person.anything = Villager("Bob")
    }.about("anything.nickname")
    #expect(events.first?.level == .error && events.first?.topic == .faultyPath)
    #expect(
      events.first?.message.hasPrefix(#"observing Villager.anything.nickname: undefined key "nickname" of Villager."#)
        == true)
    #expect(events.first?.object == ObjectIdentifier(person))
    #expect(log.take() == ["anything.nickname setting nil → nil"])
    let record: KVRecord = ["nickname": "x"]
    let none = capturingEvents { person.anything = record }.about("anything.nickname").filter { $0.level == .error }
    record["nickname"] = "y"
    #expect(log.lines.last == "anything.nickname setting x → y")
    #expect(none.count <= 1)
    token.cancel()
  }

  @Test("KVO.17: a collection that appears later in the middle of a path is reported")
  func laterCollections() throws {
    let token = try log.watch(person, "pupils.name")
    let pupil = Villager("Bob")
    let events = capturingEvents { person.pupils = [pupil] }.about("pupils.name")
    #expect(events.first?.message.contains("leads through the elements of a collection") == true)
    _ = log.take()
    pupil.name = "unheard"
    #expect(log.lines == [])
    token.cancel()
  }

  @Test("KVO.18: an operator that does not exist or cannot compute is refused at registration")
  func operators() throws {
    #expect(refusal("kids.@nothing", of: person)?.code == .unknownOperator)
    #expect(refusal("name.@sum.age", of: person)?.keyPath == "name.@sum.age")
    #expect(refusal("silent.@self", of: person) != nil)
  }

  @Test("KVO.13: a text that is no path is refused")
  func malformed() {
    let text = "a..b"
    let error = #expect(throws: KVError.self) { try person.observe(text, options: .new) { _ in } }
    #expect(error?.code == .invalidKeyPath)
  }

  @Test("KVO.13: a refused registration leaves nothing behind, on any object of the path")
  func nothingLeft() {
    let next = Villager("Bob", next: Villager("Eve"))
    person.next = next
    #expect(refusal("next.next.nothing", of: person) != nil)
    expectNoObserversLeft(on: next)
    person.next = nil
    next.next = nil
  }

  @Test("TAB.5, KVO.13: a table that lists keys only: nothing else is observed, or named")
  func listedKeysOnly() {
    let error = refusal("secret", of: Closed())
    #expect(error?.code == .undefinedKey && error?.message.contains("Known keys: open") == true)
  }
}

private final class Closed: KVObject {
  @KVProperty var open = 1
  @KVProperty var secret = 2

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Closed.self, listedKeysOnly: true) { key in key("open", \.open) }
  }
}
