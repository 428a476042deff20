/// Runs bodies on one thread each, simultaneously, with a new subject per round, to find rare races (TST.3).
///
/// ```swift
/// race({ Order() }, { $0.number = 1 }, { order in _ = try? order.observe("number") { _ in } })
/// ```
///
/// All threads wait for each other before each round, and the function waits for all of them after it. The threads are
/// reused, so that a round takes some microseconds. A failed expectation in a body is reported after the round, on the
/// thread of the caller, and ends the race.
///
/// The subject is passed to all threads, whether or not it is `Sendable`: the bodies may only make those accesses that
/// it allows on several threads at once. The function blocks its thread. Two processors suffice for two bodies.
///
/// - Parameters:
///   - rounds: The number of rounds.
///   - setUp: Creates the subject of a round, on the thread of the caller.
///   - bodies: Two or more functions of the subject, which run simultaneously.
///   - afterEach: A function that checks the subject after a round, on the thread of the caller.
public func race<Subject>(
  rounds: Int = 200, _ setUp: () -> Subject, _ bodies: (@Sendable (Subject) -> Void)...,
  afterEach: ((Subject) -> Void)? = nil
) {
  let threads = RaceThreads(bodies)
  defer { threads.stop() }
  for _ in 0..<rounds where !threads.hasFailed {
    let subject = setUp()
    _ = threads.run(subject)
    afterEach?(subject)
  }
}

/// Runs bodies that may throw on one thread each, simultaneously, with a new subject per round (TST.3).
///
/// Otherwise it equals the form with bodies that do not throw.
///
/// - Parameters:
///   - rounds: The number of rounds.
///   - setUp: Creates the subject of a round, on the thread of the caller.
///   - bodies: Two or more functions of the subject, which run simultaneously.
///   - afterEach: A function that checks the subject after a round, on the thread of the caller.
/// - Throws: The error of a body, after all bodies have finished the round, which is the last one. If several bodies
///   throw, it is the error of the first one in the list. Otherwise any error of `setUp` and `afterEach`.
package func race<Subject>(
  rounds: Int = 200, _ setUp: () throws -> Subject, _ bodies: (@Sendable (Subject) throws -> Void)...,
  afterEach: ((Subject) throws -> Void)? = nil
) throws {
  let threads = RaceThreads(bodies)
  defer { threads.stop() }
  for _ in 0..<rounds where !threads.hasFailed {
    let subject = try setUp()
    if let error = threads.run(subject) { throw error }
    try afterEach?(subject)
  }
}

/// Runs bodies on one thread each, simultaneously, round after round (TST.3).
///
/// - Parameters:
///   - rounds: The number of rounds.
///   - bodies: Two or more functions, which run simultaneously.
public func race(rounds: Int = 200, _ bodies: (@Sendable () -> Void)...) {
  let threads = RaceThreads(bodies.map { body in { @Sendable (_: Void) in body() } })
  defer { threads.stop() }
  for _ in 0..<rounds where !threads.hasFailed { _ = threads.run(()) }
}

/// Runs bodies that may throw on one thread each, simultaneously, round after round (TST.3).
///
/// - Parameters:
///   - rounds: The number of rounds.
///   - bodies: Two or more functions, which run simultaneously.
/// - Throws: The error of a body, after all bodies have finished the round, which is the last one. If several bodies
///   throw, it is the error of the first one in the list.
package func race(rounds: Int = 200, _ bodies: (@Sendable () throws -> Void)...) throws {
  let threads = RaceThreads(bodies.map { body in { @Sendable (_: Void) in try body() } })
  defer { threads.stop() }
  for _ in 0..<rounds where !threads.hasFailed { if let error = threads.run(()) { throw error } }
}
