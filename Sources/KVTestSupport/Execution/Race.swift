/// Runs bodies on a thread each, at once, with a new subject each round: for races that only happen now and then (TST.3).
///
/// ```swift
/// race({ Order() }, { $0.number = 1 }, { order in _ = try? order.observe("number") { _ in } })
/// ```
///
/// All threads wait for each other before each round, and the call waits for all of them after it. They are the same in
/// each round, so that a round costs some microseconds. Where a body expects something that does not hold, that is
/// told when the round is over, on the thread of the caller, and there are no more rounds.
///
/// The subject goes to all threads as it is, whether it is `Sendable` or not: the bodies must only do with it what it
/// allows on several threads at once. The call blocks its thread; two bodies are fine on two processors.
///
/// - Parameters:
///   - rounds: How often.
///   - setUp: Makes the subject of a round, on the thread of the caller.
///   - bodies: What happens to it, two or more of them.
///   - afterEach: Looks at the subject after a round, on the thread of the caller.
public func race<Subject>(
  rounds: Int = 200, _ setUp: () -> Subject, _ bodies: (@Sendable (Subject) -> Void)...,
  afterEach: ((Subject) -> Void)? = nil
) {
  let threads = RaceThreads(bodies)
  defer { threads.end() }
  for _ in 0..<rounds where !threads.hasFailed {
    let subject = setUp()
    _ = threads.run(subject)
    afterEach?(subject)
  }
}

/// Runs bodies that may throw on a thread each, at once, with a new subject each round (TST.3).
///
/// Otherwise it is as the form whose bodies do not throw.
///
/// - Parameters:
///   - rounds: How often.
///   - setUp: Makes the subject of a round, on the thread of the caller.
///   - bodies: What happens to it, two or more of them.
///   - afterEach: Looks at the subject after a round, on the thread of the caller.
/// - Throws: The error of a body, when all have ended their round, which is the last: that of the first in the list, if
///   several throw. Else what `setUp` and `afterEach` throw.
public func race<Subject>(
  rounds: Int = 200, _ setUp: () throws -> Subject, _ bodies: (@Sendable (Subject) throws -> Void)...,
  afterEach: ((Subject) throws -> Void)? = nil
) throws {
  let threads = RaceThreads(bodies)
  defer { threads.end() }
  for _ in 0..<rounds where !threads.hasFailed {
    let subject = try setUp()
    if let error = threads.run(subject) { throw error }
    try afterEach?(subject)
  }
}

/// Runs bodies on a thread each, at once, round after round (TST.3).
///
/// - Parameters:
///   - rounds: How often.
///   - bodies: What is run, two or more of them.
public func race(rounds: Int = 200, _ bodies: (@Sendable () -> Void)...) {
  let threads = RaceThreads(bodies.map { body in { @Sendable (_: Void) in body() } })
  defer { threads.end() }
  for _ in 0..<rounds where !threads.hasFailed { _ = threads.run(()) }
}

/// Runs bodies that may throw on a thread each, at once, round after round (TST.3).
///
/// - Parameters:
///   - rounds: How often.
///   - bodies: What is run, two or more of them.
/// - Throws: The error of a body, when all have ended their round, which is the last: that of the first in the list, if
///   several throw.
public func race(rounds: Int = 200, _ bodies: (@Sendable () throws -> Void)...) throws {
  let threads = RaceThreads(bodies.map { body in { @Sendable (_: Void) in try body() } })
  defer { threads.end() }
  for _ in 0..<rounds where !threads.hasFailed { if let error = threads.run(()) { throw error } }
}
