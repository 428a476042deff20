import Foundation
import KVCore
import Synchronization

/// Threads with one body each, which begin each round simultaneously.
// guard: `condition`; `bodies` are read within rounds and changed after the last one, `arrivals` is atomic. The subject
// is passed to all threads, as the bodies are expected to allow.
final class RaceThreads<Subject>: @unchecked Sendable {
  private var bodies: [@Sendable (Subject) throws -> Void]
  private let condition = NSCondition()
  private var round = 0
  private var subject: Subject?
  /// The number of threads that have not finished the round.
  private var busy = 0
  private var isStopped = false
  private var errors: [Int: any Error] = [:]
  /// The number of times that a thread was ready to begin a round.
  private let arrivals = Atomic<Int>(0)
  private let failures = Collected<KVTestFailure>()
  /// Whether an expectation of a body has failed.
  private(set) var hasFailed = false

  init(_ bodies: [@Sendable (Subject) throws -> Void]) {
    precondition(bodies.count >= 2, "a race needs two bodies or more, not \(bodies.count)")
    self.bodies = bodies
    for number in bodies.indices { Thread.detachNewThread { self.live(number) } }
  }

  // MARK: On the thread of the caller

  /// Runs a round, and returns the error of the first body that threw.
  func run(_ subject: Subject) -> (any Error)? {
    let thrown = condition.withLock {
      self.subject = subject
      (round, busy, errors) = (round + 1, bodies.count, [:])
      condition.broadcast()
      while busy > 0 { condition.wait() }
      self.subject = nil
      return errors
    }
    for failure in failures.take() {
      hasFailed = true
      KVFailureReporter.current.report(failure)
    }
    return bodies.indices.lazy.compactMap { thrown[$0] }.first
  }

  /// Ends the threads and releases the bodies, which no thread runs between rounds.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
    }
    bodies = []
  }

  // MARK: On a thread of its own

  private func live(_ number: Int) {
    KVFailureReporter.with(KVFailureReporter(into: failures)) {
      var last = 0
      while runRound(number, after: &last) {}
    }
  }

  private func runRound(_ number: Int, after last: inout Int) -> Bool {
    guard let result = result(number, after: &last) else { return false }
    condition.withLock {
      if case .failure(let error) = result { errors[number] = error }
      busy -= 1
      if busy == 0 { condition.broadcast() }
    }
    return true
  }

  /// Waits for a round and runs the body; releases the subject before the round is over for this thread.
  private func result(_ number: Int, after last: inout Int) -> Result<Void, any Error>? {
    let subject = condition.withLock {
      while round == last, !isStopped { condition.wait() }
      last = round
      return isStopped ? nil : self.subject
    }
    guard let subject else { return nil }
    meet(in: last)
    return Result { try bodies[number](subject) }
  }

  /// Waits, without sleeping, until all threads are ready: they wake from the condition one after the other.
  private func meet(in round: Int) {
    arrivals.add(1, ordering: .acquiringAndReleasing)
    var spins = 0
    while arrivals.load(ordering: .acquiring) < round * bodies.count {
      spins += 1
      if spins.isMultiple(of: 64) { yieldThread() }
    }
  }

  private func yieldThread() {
    #if os(Windows)
      Thread.sleep(forTimeInterval: 0.000_001)
    #else
      sched_yield()
    #endif
  }
}
