import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("DEP.3: keys that affect each other")
struct DependentCircleTests {
  private let heat = Heat()
  private let log = ChangeLines()

  private func watchAll() throws -> [KVObservation] {
    [try log.watch(heat, "celsius"), try log.watch(heat, "fahrenheit"), try log.watch(heat, "kelvin")]
  }

  private let lines = ["celsius setting 0 → 100", "fahrenheit setting 32 → 212", "kelvin setting 273 → 373"]

  @Test("DEP.3: each observer is notified once of a change, whichever key is set and however")
  func once() throws {
    let tokens = try watchAll()
    heat.celsius = 100
    #expect(log.take() == lines)
    heat.celsius = 0
    _ = log.take()
    try heat.setValue(100, forKey: "celsius")
    #expect(log.take() == lines)
    try heat.setValue(0, forKey: "celsius")
    _ = log.take()
    try heat.setValue(212, forKey: "fahrenheit")
    #expect(log.take() == lines)
    try heat.setValue(32, forKey: "fahrenheit")
    _ = log.take()
    heat.kelvin = 373
    #expect(log.take() == lines)
    tokens.forEach { $0.cancel() }
    expectNoObserversLeft(on: heat)
  }

  @Test("DEP.3: prior and old in a circle")
  func prior() throws {
    let token = try log.watch(heat, "celsius", [.old, .new, .prior])
    try heat.setValue(212, forKey: "fahrenheit")
    #expect(log.lines == ["celsius setting prior 0 → nil", "celsius setting 0 → 100"])
    token.cancel()
  }

  @Test("DEP.3, KVO.16: a setter within a manual change of a key of the circle notifies on its own")
  func manual() throws {
    let token = try log.watch(heat, "celsius")
    heat.withChange(forKey: "fahrenheit") { heat.celsius = 100 }
    #expect(log.lines == ["celsius setting 0 → 100", "celsius setting 0 → 100"])
    token.cancel()
  }

  @Test("DEP.3: a circle through two objects")
  func twoObjects() throws {
    let other = Heat()
    heat.peer = other
    other.peer = heat
    let tokens = [try log.watch(heat, "sum"), try log.watch(other, "sum")]
    heat.celsius = 100
    #expect(log.lines == ["sum setting 0 → 100", "sum setting 0 → 100"])
    tokens.forEach { $0.cancel() }
    heat.peer = nil
    expectNoObserversLeft(on: heat)
    expectNoObserversLeft(on: other)
  }
}

/// A temperature, whose units depend on each other.
private final class Heat: KVObject {
  @KVProperty var celsius = 0
  @KVProperty var peer: Heat?
  var fahrenheit: Int {
    get { celsius * 9 / 5 + 32 }
    set { celsius = (newValue - 32) * 5 / 9 }
  }
  var kelvin: Int {
    get { celsius + 273 }
    set { celsius = newValue - 273 }
  }
  var sum: Int { celsius + (peer?.celsius ?? 0) }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Heat.self) { key in
      key("celsius", \.celsius).affected(by: "fahrenheit", "kelvin")
      key("fahrenheit", \.fahrenheit).affected(by: "celsius")
      key("kelvin", \.kelvin).affected(by: "fahrenheit")
      key("peer", \.peer)
      key("sum", \.sum).affected(by: "celsius", "peer.sum")
    }
  }
}
