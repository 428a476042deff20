import Foundation
import KVBinding
import Testing

/// Random operations on an array controller beside a naive model of the rules (CTR).
///
/// `KV_CONTROLLER_STEPS` sets another number of steps for each seed, for longer runs.
@Suite struct ArrayControllerRandomTests {
  private static var steps: Int {
    ProcessInfo.processInfo.environment["KV_CONTROLLER_STEPS"].flatMap { Int($0) } ?? 700
  }

  @Test("CTR.6–31: each step has the state and the notifications of the rules", arguments: Array(1...8) as [UInt64])
  func random(seed: UInt64) throws {
    let run = try ControllerRun(seed: seed, isObserved: true)
    for step in 0..<Self.steps {
      let faults = try run.step()
      if faults.isEmpty { continue }
      Issue.record("seed \(seed), step \(step): \(run.log.suffix(6)): \(faults.joined(separator: "; "))")
      return
    }
  }

  @Test("CTR.45: unobserved keys have the same values", arguments: [11, 12] as [UInt64])
  func unobserved(seed: UInt64) throws {
    let run = try ControllerRun(seed: seed, isObserved: false)
    for step in 0..<Self.steps {
      let faults = try run.step()
      if faults.isEmpty { continue }
      Issue.record("seed \(seed), step \(step): \(run.log.suffix(6)): \(faults.joined(separator: "; "))")
      return
    }
  }
}
