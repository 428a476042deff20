import KVBinding
import KVCore
import TestModels
import Testing

/// All orders of registering, changing and dying on `root.next.next.name`, compared with a model that polls the path.
@Suite("LIF.1: every order of events")
struct InterleavingTests {
  @Test(
    "LIF.1, LIF.2, KVO.11: up to a depth: notified is what changed, nothing after deallocation, and nothing is left",
    arguments: LifeStep.allCases, [LifeWorld.Ownership.object, .plain])
  func everyOrder(first: LifeStep, ownership: LifeWorld.Ownership) throws {
    var count = 0
    try explore([first], ownership, &count)
    if first == .registerToken || first == .registerOwner { #expect(count > (Extent.isFull ? 5_000 : 500)) }
  }

  private func explore(_ steps: [LifeStep], _ ownership: LifeWorld.Ownership, _ count: inout Int) throws {
    let captures = LifeCapture.Count()
    let (isMeaningful, fault) = try run(steps, ownership, captures)
    guard isMeaningful else { return }
    count += 1
    if let fault { Issue.record("\(steps): \(fault)") }
    if captures.alive != 0 { Issue.record("\(steps): \(captures.alive) closures are left") }
    guard steps.count < (Extent.isFull ? 6 : 5), fault == nil, captures.alive == 0 else { return }
    for step in LifeStep.allCases { try explore(steps + [step], ownership, &count) }
  }

  /// Runs the steps; says whether the last of them could do anything, and what was wrong.
  private func run(
    _ steps: [LifeStep], _ ownership: LifeWorld.Ownership, _ captures: LifeCapture.Count
  ) throws -> (Bool, String?) {
    let world = LifeWorld(ownership, captures)
    for (index, step) in steps.enumerated() {
      guard world.isPossible(step) else { return (false, nil) }
      let expected = try world.take(step)
      if world.received.sorted() != expected.sorted() {
        return (true, "step \(index): heard \(world.received), not \(expected)")
      }
      world.received = []
    }
    if let fault = world.faultOfListings { return (true, fault) }
    return (true, world.faultOfDropping())
  }
}
