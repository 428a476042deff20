import KVTestSupport
import Testing

@Suite("TST.2: consistency of bindings of every kind")
struct ConsistencyTests {
  private let till = Till()
  private let other = Till()

  private func faults(_ body: () throws -> Void) rethrows -> [String] {
    try KVFailureReporter.capturing(body).map { $0.message.split(separator: "\n").last.map(String.init) ?? "" }
  }

  @Test("TST.2: combined sources, placeholders and fallbacks count")
  func combined() throws {
    let label = KVFixtures.Person()
    try label.bind(
      "name", toAll: [.init(till, "number"), .init(other, "number")], by: .format("%{value1}@-%{value2}@"))
    expectConsistent(bindingsOf: label)
    other.number = 5
    #expect(label.name == "1-5")
    expectConsistent(bindingsOf: label)
    expectConsistent(bindingsOf: other)
    try other.bind("label", to: "label", of: till, options: .init(nullPlaceholder: "none"))
    expectConsistent(bindingsOf: till)
    #expect(other.label == "none")
    other.label = "else"
    #expect(faults { expectConsistent(bindingsOf: till) }.count == 1)
  }

  @Test("TST.2: mirrored arrays and validating bindings count")
  func mirrored() throws {
    let rows = try KVPathBinding(from: till, "rows", to: other, "rows", options: .twoWay)
    try till.mutableArray(forKey: "rows").append(3.0)
    try other.mutableArray(forKey: "rows").remove(at: 0)
    #expect(till.rows == [12.5, 3])
    expectConsistent(rows)
    let (one, two) = (KVFixtures.Person(), KVFixtures.Person())
    let ages = try KVPathBinding(from: one, "age", to: two, "age", options: .init(.twoWay, validates: true))
    one.age = 20
    expectConsistent(ages)
    #expect(
      KVFailureReporter.capturing {
        expectNoBindingErrors { one.age = -1 }
      }.count == 1)
    #expect(faults { expectConsistent(ages) }.count == 1)
    one.age = 30
    expectConsistent(ages)
  }

  @Test("TST.2: a dispatched binding is consistent once its work has run")
  func dispatched() throws {
    let executor = KVManualExecutor()
    let binding = try KVPathBinding(
      from: till, "number", to: other, "number", options: .init(concurrency: .dispatched(executor)))
    executor.runAll()
    expectConsistent(binding)
    till.number = 8
    #expect(faults { expectConsistent(binding) } == ["  Till.number is 1, but Till.number comes to 8."])
    executor.runAll()
    expectConsistent(binding)
  }

  @Test("TST.2: failures of dispatched work are reported where the work runs, or by the name of an object")
  func errors() throws {
    let executor = KVManualExecutor()
    let binding = try KVPathBinding(
      from: till, "label", to: other, "number",
      options: .init(initialSync: .none, concurrency: .dispatched(executor)))
    #expect(
      KVFailureReporter.capturing {
        expectNoBindingErrors {
          till.label = "many"
          executor.runAll()
        }
        expectNoBindingErrors(of: till) {
          till.label = "more"
          executor.runAll()
        }
      }.count == 2)
    withExtendedLifetime(binding) {}
  }

  @Test("TST.2: one object's error in the middle of others is counted once")
  func bothEndpoints() throws {
    let binding = try KVPathBinding(from: till, "label", to: till, "number", options: .init(initialSync: .none))
    let found = KVFailureReporter.capturing { expectNoBindingErrors(of: till, till, other) { till.label = "many" } }
    #expect(found.map { $0.message.hasPrefix("A binding failed:") } == [true])
    withExtendedLifetime(binding) {}
  }
}
