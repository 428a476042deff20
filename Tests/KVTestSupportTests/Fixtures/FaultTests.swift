import KVTestSupport
import Testing

/// What fails on purpose, and what runs code as it dies.
struct FaultTests {
  private let faulty = KVFixtures.Faulty()
  private let fault = KVFixtures.Fault()

  @Test("TST.3: the faulty object works until it is made to fail, operation by operation, and again afterwards")
  func operations() throws {
    try faulty.setValue("a", forKey: "hooked")
    try faulty.setValue(5, forKey: "amount")

    faulty.failing = [.reading]
    #expect(failure { _ = try faulty.value(forKey: "hooked") } == "reading fails on purpose.")
    faulty.failing = [.writing]
    #expect(failure { try faulty.setValue("b", forKey: "hooked") } == "writing fails on purpose.")
    #expect(try faulty.value(forKey: "hooked", as: String.self) == "a")
    faulty.failing = [.writingNil]
    #expect(failure { try faulty.setValue(nil, forKey: "amount") } == "writingNil fails on purpose.")
    #expect(faulty.amount == 5)

    faulty.failing = []
    try faulty.setValue(nil, forKey: "amount")
    #expect(faulty.amount == 0)
    for key in ["failing", "stored", "nothing"] {
      let errors = [
        #expect(throws: KVError.self) { try faulty.value(forKey: key) },
        #expect(throws: KVError.self) { try faulty.setValue(1, forKey: key) },
      ]
      #expect(errors.map { $0?.code } == [.undefinedKey, .undefinedKey])
    }
  }

  @Test("TST.3: its amount is observed, and refuses what is below zero when it is validated")
  func validating() throws {
    var received = 0
    let token = try faulty.observe("amount") { _ in received += 1 }
    let person = KVFixtures.Person()
    let binding = try faulty.bind("amount", to: "age", of: person, options: KVBindingOptions(validates: true))
    person.age = -1
    #expect(faulty.amount == 36)
    #expect(binding.lastError?.code == .invalidValue)
    #expect(binding.lastError?.underlying as? KVFixtures.Fault == fault)
    person.age = 1
    #expect(faulty.amount == 1)
    #expect(received == 2)
    withExtendedLifetime(token) {}
  }

  @Test("TST.3: a failing transformer fails for the chosen values, both ways, and leaves the others as they are")
  func transformer() throws {
    let always = KVTransformer.failing()
    for value in [1, nil] as [Any?] {
      let errors = [
        #expect(throws: KVError.self) { _ = try always.transform(value) },
        #expect(throws: KVError.self) { _ = try always.reverseTransform(value) },
      ]
      #expect(errors.map { $0?.underlying as? KVFixtures.Fault } == [fault, fault])
      #expect(errors[0]?.message == "the transformer \"failing\" failed: a fault on purpose.")
    }
    let own = KVError(.invalidValue, "too big")
    let some = KVTransformer.failing(own) { ($0 as? Int ?? 0) > 9 }
    #expect(try some.transform(9) as? Int == 9)
    #expect(try some.reverseTransform([1, 10]) as? [Int] == [1, 10])
    #expect(try some.transform(nil) == nil)
    let error = #expect(throws: KVError.self) { _ = try some.transform(10) }
    #expect(error?.message == "too big")
  }

  @Test("TST.3: a binding through a failing transformer fails, and goes on with the next value")
  func binding() throws {
    let (person, note) = (KVFixtures.Person(), KVFixtures.Note())
    let transformer = KVTransformer.failing { $0 as? String == "bad" }
    let binding = try note.bind("text", to: "name", of: person, options: KVBindingOptions(transformer: transformer))
    person.name = "bad"
    #expect((binding.state, note.text) == (.failed, "Ada"))
    person.name = "good"
    #expect((binding.state, note.text) == (.active, "good"))
  }

  @Test("TST.3: a mortal object runs its closure once, in its deinit, and notifies of what that changes")
  func mortal() throws {
    var (calls, received) = ([String](), [String]())
    var mortal: KVFixtures.Mortal? = KVFixtures.Mortal("alive") { dying in
      calls.append(dying.name)
      dying.name = "dying"
    }
    let token = try mortal!.observe("name", as: String.self) { received.append($0.new ?? "nil") }
    expectReleased(&mortal)
    #expect(calls == ["alive"])
    #expect(received == ["dying"])
    withExtendedLifetime(token) {}
    expectReleased { KVFixtures.Mortal() }
  }

  private func failure(_ body: () throws -> Void) -> String? {
    let error = #expect(throws: KVError.self, performing: body)
    #expect(error?.code == .custom)
    #expect(error?.underlying as? KVFixtures.Fault == fault)
    return error?.message
  }
}
