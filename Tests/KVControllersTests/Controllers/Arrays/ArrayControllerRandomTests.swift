import Foundation
import KVControllers
import TestModels
import Testing

/// Random operations on an array controller beside a naive model of the rules (CTR).
///
/// `KV_CONTROLLER_STEPS` sets another number of steps for each seed, for longer runs.
@Suite struct ArrayControllerRandomTests {
  private static var steps: Int {
    ProcessInfo.processInfo.environment["KV_CONTROLLER_STEPS"].flatMap { Int($0) } ?? Extent.rounds(200, of: 700)
  }

  @Test(
    "CTR.6–31, UND.3: each step has the state and the notifications of the rules", arguments: Array(1...8) as [UInt64])
  func random(seed: UInt64) throws { try walk(seed, ControllerRun<Tune>(seed: seed, isObserved: true)) }

  @Test("CTR.2, CTR.28, CTR.36: the same of values, many of which are equal", arguments: Array(21...28) as [UInt64])
  func values(seed: UInt64) throws { try walk(seed, ControllerRun<RandomNote>(seed: seed, isObserved: true)) }

  @Test("CTR.14: the same of the members of a set", arguments: Array(31...34) as [UInt64])
  func members(seed: UInt64) throws {
    try walk(seed, ControllerRun<RandomCard>(seed: seed, isObserved: true) { RandomBox($0) })
  }

  @Test("CTR.40: unobserved keys have the same values", arguments: [11, 12] as [UInt64])
  func unobserved(seed: UInt64) throws { try walk(seed, ControllerRun<Tune>(seed: seed, isObserved: false)) }

  private func walk<Element: RandomElement>(_ seed: UInt64, _ run: ControllerRun<Element>) throws {
    for step in 0..<Self.steps {
      let faults = try run.step()
      if faults.isEmpty { continue }
      Issue.record("seed \(seed), step \(step): \(run.log.suffix(6)): \(faults.joined(separator: "; "))")
      return
    }
  }
}
