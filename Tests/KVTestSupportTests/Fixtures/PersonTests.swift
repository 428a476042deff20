import KVTestSupport
import Testing

/// `KVFixtures.Person`: every key does what it says.
struct PersonTests {
  private typealias Person = KVFixtures.Person

  /// A key with a value that differs from the sample's, and whether it is heard when it is written by key.
  struct Case: @unchecked Sendable, CustomStringConvertible {  // guard: values, made anew for each run
    let key: String
    let value: Any?
    var description: String { key }

    init(_ key: String, _ value: Any?) {
      self.key = key
      self.value = value
    }
  }

  static var writable: [Case] {
    [
      Case("name", "Grace"), Case("nickname", nil), Case("nickname", "Lady"), Case("age", 40), Case("height", 1.8),
      Case("size", 1.9), Case("isMember", true), Case("mood", KVFixtures.Mood.merry),
      Case("hand", KVFixtures.Hand.left), Case("address", KVFixtures.Address(city: "Paris")),
      Case("address.city", "Rome"), Case("address.street", "Via"), Case("address.lines", ["a"]),
      Case("stamp", KVFixtures.Stamp(year: 1900)), Case("next", nil), Case("next.age", 5), Case("scores", [9]),
      Case("scores[0]", 8), Case("friends", [Person]()), Case("friends[1].name", "Alonzo"), Case("tags", Set(["x"])),
      Case("phones", ["x": "1"]), Case("phones.home", "2"), Case("anything", "text"), Case("anything", nil),
      Case("luckyNumber", 13), Case("plain", "plainer"), Case("shout", "ALAN"), Case("status", "old"),
    ]
  }

  @Test("TST.3: each key that can be written is read back and reported once, with old and new", arguments: writable)
  func writing(example: Case) throws {
    let person = Person.sample()
    let old = try person.value(forKeyPath: example.key)
    #expect(!KVC.areEqual(old, example.value))
    var changes: [KVChange] = []
    let token = try person.observe(example.key) { changes.append($0) }
    try person.setValue(example.value, forKeyPath: example.key)
    #expect(KVC.areEqual(try person.value(forKeyPath: example.key), example.value))
    try #require(changes.count == 1, "\(changes)")
    #expect(KVC.areEqual(changes[0].old, old))
    #expect(KVC.areEqual(changes[0].new, example.value))
    withExtendedLifetime(token) {}
  }

  @Test("TST.3: the list of writable keys is that of the table")
  func complete() throws {
    let listed = Set(Self.writable.map { String($0.key.prefix { $0 != "." && $0 != "[" }) })
    let keys = Person.keyTable.keys
    #expect(
      Set(keys.filter { !$0.isReadOnly }.map(\.name)).symmetricDifference(listed) == ["mentor", "size"])
    #expect(keys.filter(\.isReadOnly).map(\.name).sorted() == ["greeting", "serial"])
  }

  @Test("TST.3: a weak object is reported when it is written by key and when it is deallocated, and is not kept alive")
  func mentor() throws {
    let person = Person.sample()
    var mentor: Person? = Person("Mary")
    var names: [String?] = []
    let token = try person.observe("mentor.name") { names.append($0.new as? String) }
    try person.setValue(mentor, forKey: "mentor")
    mentor?.name = "Mary Somerville"
    expectReleased(&mentor)
    #expect(person.mentor == nil)
    #expect(names == ["Mary", "Mary Somerville", nil])
    withExtendedLifetime(token) {}
  }

  @Test("TST.3: computed keys depend on what they are computed from")
  func dependent() throws {
    let person = Person.sample()
    var received: [String] = []
    let tokens = try ["greeting", "shout"].map { key in
      try person.observe(key) { received.append("\(key) \($0.old ?? "nil") → \($0.new ?? "nil")") }
    }
    person.nickname = nil
    person.name = "Grace"
    person.shout = "ALAN"
    #expect(
      received == [
        "greeting Hello, Countess → Hello, Ada", "greeting Hello, Ada → Hello, Grace", "shout ADA → GRACE",
        "greeting Hello, Grace → Hello, alan", "shout GRACE → ALAN",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("TST.3: properties that are set in Swift are reported once, and the plain one is not")
  func direct() throws {
    let person = Person.sample()
    var received: [String] = []
    let tokens = try ["status", "plain", "height", "size"].map { key in
      try person.observe(key) { _ in received.append(key) }
    }
    person.status = "old"
    person.plain = "plainer"
    person.height = 2
    #expect(received == ["status", "height", "size"])
    withExtendedLifetime(tokens) {}
  }

  @Test("TST.3: what can only be read: a constant, a computed key, and what reflection finds")
  func readOnly() throws {
    let person = Person.sample()
    #expect(try person.value(forKey: "serial", as: Int.self) == 1)
    #expect(try person.value(forKey: "remark", as: String.self) == "found by reflection")
    #expect(try person.value(forKeyPath: "stamp.year", as: Int.self) == 1840)
    for key in ["serial", "greeting", "remark"] {
      let error = #expect(throws: KVError.self) { try person.setValue(1, forKey: key) }
      #expect(error?.code == .notSettable)
    }
    for key in ["serial", "remark"] {
      let error = #expect(throws: KVError.self) { _ = try person.observe(key) { _ in } }
      #expect(error?.code == .notObservable)
    }
  }

  @Test("TST.3: validators refuse and replace, strings are taken where the key is lenient, raw values of enums")
  func conversions() throws {
    let person = Person.sample()
    let error = #expect(throws: KVError.self) { try person.validate(-1, forKeyPath: "age") }
    #expect(error?.code == .invalidValue)
    #expect(error?.underlying as? KVFixtures.Fault == KVFixtures.Fault("an age cannot be negative"))
    guard case .replaced(let value) = try person.validate(200, forKeyPath: "age") else {
      Issue.record("not replaced")
      return
    }
    #expect(value as? Int == 150)
    guard case .valid = try person.validate(99, forKeyPath: "age") else {
      Issue.record("not valid")
      return
    }
    try person.setValue("13", forKey: "luckyNumber")
    #expect(person.luckyNumber == 13)
    #expect(throws: KVError.self) { try person.setValue("13", forKey: "age") }
    try person.setValue("merry", forKey: "mood")
    #expect(person.mood == .merry)
    #expect(Person.keyTable.keys.first { $0.name == "height" }?.metadata["unit"] as? String == "m")
  }

  @Test("TST.3: a sample is made anew, with the same contents each time")
  func sample() throws {
    let (first, second) = (Person.sample(), Person.sample())
    #expect(first !== second)
    first.friends[0].name = "changed"
    #expect(first.next === first.friends[0])
    #expect(second.friends.map(\.name) == ["Grace", "Alan"])
    #expect(second.friends.map(\.serial) == [2, 3])
    #expect(try second.value(forKeyPath: "scores.@sum.self", as: Int.self) == 6)
    #expect(second.greeting == "Hello, Countess")
    expectReleased { Person.sample() }
  }
}
