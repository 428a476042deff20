import KVTestSupport
import Testing

/// What the expectations promise on the side.
@Suite("TST.1, TST.2: promises on the side")
struct PromiseTests {
  private struct Stop: Error {}

  private let till = Till()
  private let other = Till()

  @Test("TST.1: where the body throws nothing is reported, though the path is not there either")
  func throwing() async throws {
    let binding = try KVPathBinding(from: till, "label", to: other, "number", options: .init(initialSync: .none))
    let failures = await KVFailureReporter.capturing {
      #expect(throws: Stop.self) { try expectChanges(of: till, [.set("numbr")]) { throw Stop() } }
      #expect(throws: Stop.self) { try expectNoChange(of: till, "numbr") { throw Stop() } }
      #expect(throws: Stop.self) { try expectCoalesced(of: till, .changed("numbr")) { throw Stop() } }
      #expect(throws: Stop.self) {
        try expectCoalesced(of: till, .changed("number")) {
          till.number = 2
          till.number = 3
          throw Stop()
        }
      }
      #expect(throws: Stop.self) {
        try expectNoBindingErrors {
          till.label = "many"
          throw Stop()
        }
      }
      #expect(throws: Stop.self) { try expectReleased { throw Stop() } }
      await #expect(throws: Stop.self) { try await expectChange(of: till, "numbr", to: 1) { throw Stop() } }
    }
    #expect(failures.isEmpty)
    #expect(binding.state == .failed)
  }

  @Test("TST.2: the clock that is given measures the time")
  func clocks() async throws {
    let clock = KVManualClock()
    let failures = Task {
      let till = Till()
      return await KVFailureReporter.capturing {
        await expectChanges(of: till, [.set("number")], within: .seconds(3600), clock: clock) {}
        await expectNoChange(of: till, "number", within: .seconds(3600), clock: clock) { await Task.yield() }
      }
    }
    try await clock.waitForSleep()
    clock.advance(by: .seconds(3600))
    try await clock.waitForSleep()
    clock.advance(by: .seconds(3600))
    #expect(
      await failures.value.map(\.message) == [
        """
        The changes of Till are not as expected within 3600.0 seconds: 1 of 1 expected did not come.
          expected         recorded
        - number: setting
        """
      ])
  }

  @Test("TST.2: no change for a while: one that comes late is found")
  func late() async {
    let shared = KVUncheckedSendable(till)
    let failures = await KVFailureReporter.capturing {
      await expectNoChange(of: till, "number", within: .seconds(3600)) {
        _ = Task.detached { shared.value.number = 2 }
      }
    }
    #expect(failures.map(\.message) == ["Till told of a change where none was expected:\n1  number  setting  1 → 2"])
  }

  @Test("TST.2: what the body returns comes through the asynchronous forms, too")
  func results() async {
    let shared = KVUncheckedSendable(till)
    let changed = await expectChanges(of: till, [.set("number")]) {
      await Task.detached { shared.value.number = 2 }.value
      return 1
    }
    let unchanged = await expectNoChange(of: till, "number") {
      await Task.yield()
      return 2
    }
    let bound = await expectNoBindingErrors {
      await Task.yield()
      return 3
    }
    #expect([changed, unchanged, bound] == [1, 2, 3])
  }

  @Test("TST.2: of a record that is expected everything counts but its object")
  func records() throws {
    let record = KVChange(object: other, keyPath: "rows", kind: .insertion, new: [1.0], indexes: [2])
    try expectChanges(of: till, [KVExpectedChange(record)]) { try till.mutableArray(forKey: "rows").append(1.0) }
    #expect(
      try messages {
        try expectChanges(of: till, [KVExpectedChange(record)]) {
          try till.mutableArray(forKey: "rows").insert(1.0, at: 0)
        }
      }.count == 1)
    let moments = [
      KVChange(object: till, keyPath: "number", new: 1, isInitial: true),
      KVChange(object: till, keyPath: "number", old: 1, isPrior: true), KVChange.setting(till, "number", 1, 2),
    ]
    expectChanges(of: till, moments.map { KVExpectedChange($0) }, options: [.old, .new, .initial, .prior]) {
      till.number = 2
    }
    #expect(
      messages {
        expectChanges(of: till, moments[2...].map { KVExpectedChange($0) }, options: [.old, .new, .initial]) {
          till.number = 1
          till.number = 2
        }
      }.count == 1)
  }

  @Test("TST.2: two objects are two values, whatever they hold")
  func objects() {
    let next = Till()
    expectChanges(of: till, [.set("next", from: nil, to: next)]) { till.next = next }
    #expect(messages { expectChanges(of: till, [.set("next", to: Till())]) { till.next = next } }.count == 1)
  }

  @Test("TST.2: sequences that are too long to pair as well as can be are compared index by index")
  func long() {
    let expected = (1...1_200).map { KVExpectedChange.set("number", to: $0 == 1 || $0 == 1_200 ? 0 : $0) }
    let message = messages { expectChanges(of: till, expected) { for number in 1...1_200 { till.number = number } } }
    #expect(
      message.first?.hasPrefix(
        """
        The changes of Till are not as expected: 2 of 1200 expected did not come, 2 of 1200 recorded were not expected.
        """) == true)
  }

  @Test("TST.2: one path to be watched may stand by itself")
  func onePath() {
    #expect(
      messages { expectChanges(of: till, [.set("number")], watching: ["label"]) { till.label = "x" } }.count == 1)
  }

  @Test("TST.2: what is recorded is listed with the line of the test")
  func listing() throws {
    var locations: [[String]] = []
    _ = try recordChanges(of: till, "number") { locations.append(KVDiagnostics.observations(of: till).map(\.location)) }
    #expect(locations == [["KVTestSupportTests/PromiseTests.swift:\(#line - 1)"]])
  }

  @Test("TST.2: a null placeholder stands for nil at the other end, also where ends are compared")
  func placeholders() throws {
    let binding = try KVPathBinding(
      from: till, "label", to: other, "label", options: .init(.twoWay, nullPlaceholder: "none"))
    #expect(other.label == "none")
    expectConsistent(binding)
    till.label = "x"
    expectConsistent(binding)
  }

  @Test("TST.2: endpoints that hold values without == agree if these read alike key by key")
  func withoutEquality() throws {
    let (shop, copy) = (Shop(), Shop())
    let binding = try KVPathBinding(from: shop, "plan", to: copy, "plan")
    shop.plan.floors = 3
    expectConsistent(binding)
    binding.cancel()
    let later = try KVPathBinding(
      from: shop, "plan", to: copy, "plan", options: .init(initialSync: .none, trigger: .explicit))
    shop.plan.floors = 4
    #expect(messages { expectConsistent(later) }.count == 1)
  }

  private struct Plan {
    var floors = 1
  }

  private final class Shop: KVObject {
    @KVProperty var plan = Plan()

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Shop.self) { key in key("plan", \.plan) }
    }
  }
}
