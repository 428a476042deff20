import KVBinding
import KVCore
import TestModels
import Testing

@Suite("KVO.5, KVO.14: the notifications of values that are set")
struct SettingTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()

  @Test("KVO.2: nil is nil, as old, as new and as the first value")
  func nilValues() throws {
    person.name = nil
    let token = try log.watch(person, "name", [.old, .new, .initial])
    person.name = "a"
    person.name = nil
    person.name = nil
    #expect(
      log.lines == [
        "name setting initial nil → nil", "name setting nil → a", "name setting a → nil", "name setting nil → nil",
      ])
    #expect(log.changes.allSatisfy { $0.object === person && $0.keyPath == "name" })
    token.cancel()
  }

  @Test("KVO.5: an equal value is reported too")
  func equalValues() throws {
    let tokens = [try log.watch(person, "name"), try log.watch(person, "age")]
    person.name = "Ada"
    person.age = 0
    try person.setValue(0, forKey: "age")
    #expect(log.lines == ["name setting Ada → Ada", "age setting 0 → 0", "age setting 0 → 0"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.5: distinct leaves changes to an equal value out, of paths and of dependent keys too")
  func distinct() throws {
    person.next = Villager("Bob")
    let tokens = [
      try log.watch(person, "age", [.distinct]), try log.watch(person, "next.name", [.new, .distinct]),
      try log.watch(person, "shout", [.old, .distinct]),
    ]
    person.age = 0
    person.next = Villager("Bob")
    person.name = "Ada"
    #expect(log.take() == [])
    person.age = 1
    person.next = Villager("Eve")
    person.name = "Grace"
    #expect(log.lines == ["age setting nil → nil", "next.name setting nil → Eve", "shout setting Ada → nil"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.3: initial is delivered before registration returns; a later change is delivered as to others")
  func initial() throws {
    let token = try log.watch(person, "name", [.old, .new, .initial])
    log.add("registered")
    person.name = "b"
    #expect(log.lines == ["name setting initial nil → Ada", "registered", "name setting Ada → b"])
    token.cancel()
  }

  @Test("KVO.3: initial of a path through nil, and of one that ends in a collection")
  func initialOfPaths() throws {
    let tokens = [
      try log.watch(person, "next.name", [.new, .initial]), try log.watch(person, "rows", [.new, .initial]),
    ]
    #expect(log.lines == ["next.name setting initial nil → nil", "rows setting initial nil → []"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.4: in the prior record the object has its old value, in the other one its new value")
  func moments() throws {
    let token = try person.observe("name", options: [.initial, .prior]) { [person, log] change in
      let moment = change.isInitial ? "initial" : change.isPrior ? "prior" : "after"
      log.add("\(moment): \(person.name ?? "nil")")
    }
    person.name = "b"
    #expect(log.lines == ["initial: Ada", "prior: Ada", "after: b"])
    token.cancel()
  }

  @Test("KVO.14: a write by key path is reported where the key is, and on the path from the root")
  func writeByPath() throws {
    let next = Villager("Bob")
    person.next = next
    let tokens = [try log.watch(next, "name"), try log.watch(person, "next.name")]
    try person.setValue("Rob", forKeyPath: "next.name")
    #expect(log.lines == ["name setting Bob → Rob", "next.name setting Bob → Rob"])
    #expect(log.changes.map { ObjectIdentifier($0.object) } == [ObjectIdentifier(next), ObjectIdentifier(person)])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.14: a plain stored property is reported when it is written by key, under any of its names, and else not")
  func plainProperty() throws {
    let tokens = [try log.watch(person, "plain"), try log.watch(person, "simple")]
    person.plain = "silent"
    #expect(log.take() == [])
    try person.setValue("x", forKey: "plain")
    try person.setValue("y", forKey: "simple")
    #expect(
      log.lines == [
        "plain setting silent → x", "simple setting silent → x", "plain setting x → y", "simple setting x → y",
      ])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.14: a setter that stores something else is reported with what it stored", arguments: [false, true])
  func transformingSetter(_ prior: Bool) throws {
    let model = SettersModel()
    let token = try log.watch(model, "title", prior ? [.old, .new, .prior] : [.old, .new])
    try model.setValue("abc", forKey: "title")
    #expect(log.lines.last == "title setting m → ABC")
    token.cancel()
  }

  @Test("KVO.8: a setter that sets another observed key: the inner change is delivered first")
  func settersOfSetters() throws {
    let model = SettersModel()
    let tokens = [try log.watch(model, "name"), try log.watch(model, "age")]
    try model.setValue(7, forKey: "age")
    #expect(log.lines == ["name setting m → age7", "age setting 0 → 7"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.14: an observed key of one object says nothing of another object, or of another key")
  func otherObjects() throws {
    let token = try log.watch(person, "name")
    let other = Villager("other")
    other.name = "x"
    person.age = 5
    #expect(log.lines == [])
    token.cancel()
  }

  @Test("KVC.14: a write that is refused is not reported, and later changes are reported as ever")
  func refusedWrites() throws {
    let tokens = [try log.watch(person, "age", [.old, .new, .prior]), try log.watch(person, "next.age")]
    person.next = Villager("Bob")
    _ = log.take()
    #expect(throws: KVError.self) { try person.setValue(nil, forKey: "age") }
    #expect(throws: KVError.self) { try person.setValue([1], forKey: "age") }
    #expect(throws: KVError.self) { try person.setValue("x", forKeyPath: "next.age") }
    #expect(throws: KVError.self) { try person.setValue(1, forKey: "nothing") }
    #expect(throws: KVError.self) { try person.setValues(forKeys: ["age": 5, "nothing": 1]) }
    #expect(log.take() == [])
    person.age = 4
    try person.setValue(5, forKeyPath: "next.age")
    #expect(log.lines == ["age setting prior 0 → nil", "age setting 0 → 4", "next.age setting 0 → 5"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVC.15: several values at once are reported once a key")
  func severalValues() throws {
    let tokens = [try log.watch(person, "age"), try log.watch(person, "name"), try log.watch(person, "shout")]
    try person.setValues(forKeys: ["name": "x", "age": 5])
    #expect(log.lines == ["age setting 0 → 5", "name setting Ada → x", "shout setting Ada → x"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.2: a record can be made, and written")
  func records() {
    let made = KVChange(
      object: person, keyPath: "rows", kind: .removal, old: ["a"], indexes: [2, 4], isPrior: true)
    #expect(made.description == "rows: removal (prior) at 2, 4 [\"a\"] → nil")
    #expect(made.kind == .removal && made.isPrior && !made.isInitial && made.new == nil)
    let plain = KVChange(object: person, keyPath: "name", old: "Ada", new: "Grace")
    #expect(plain.description == "name: setting \"Ada\" → \"Grace\"")
    let prior = KVValueChange<Int>(keyPath: "count", old: 1, isPrior: true)
    #expect(prior.description == "count: setting (prior) 1 → nil")
    let initial = KVValueChange<Int>(keyPath: "count", new: 1, isInitial: true)
    #expect(initial.description == "count: setting (initial) nil → 1")
  }

  @Test("KVO.2: a record that is kept keeps its values, whatever happens to the object")
  func keptRecords() throws {
    let token = try log.watch(person, "rows")
    person.rows = ["a"]
    person.rows.append("b")
    person.rows = []
    #expect(log.changes.map { brief($0.old) } == ["[]", "[a]", "[a, b]"])
    #expect(log.changes.map { brief($0.new) } == ["[a]", "[a, b]", "[]"])
    token.cancel()
  }
}

/// Its setters do more than to store.
private final class SettersModel: KVObject {
  @KVProperty var name = "m"
  private var title = "m"
  private var age = 0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: SettersModel.self) { key in
      key("title", { $0.title }, set: { $0.title = $1.uppercased() })
      key(
        "age", { $0.age },
        set: { model, age in
          model.name = "age\(age)"
          model.age = age
        })
    }
  }
}
