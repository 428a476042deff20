import KVBinding
import KVCore

/// A clock that only the test advances, to test deadlines and delays without waiting (TST.3).
///
/// ```swift
/// let clock = KVManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(30)); return "late" }
/// try await clock.waitForSleep()        // until the task sleeps
/// clock.advance(by: .seconds(30))       // wakes the task
/// try await task.value
/// ```
///
/// Advancing wakes sleeping tasks in the order of their deadlines, and returns at once: await a task to know that it
/// has finished its work. A rate limit with this clock needs no task: what is due has been enqueued on its executor when
/// the method returns, and ``advance(by:running:limit:fileID:filePath:line:column:)`` runs it. The clock may be used on
/// any thread.
public final class KVManualClock: Clock {
  /// An instant of the clock: the time since its creation.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the creation of the clock.
    package let offset: Duration

    /// Creates an instant.
    ///
    /// - Parameter offset: The time since the creation of the clock.
    package init(offset: Duration = .zero) { self.offset = offset }

    /// Returns the instant after a duration.
    ///
    /// - Parameter duration: The duration.
    /// - Returns: The later instant.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the duration from this instant to another one.
    ///
    /// - Parameter other: The other instant.
    /// - Returns: The duration, which is negative if the other instant is earlier.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns whether an instant is earlier than another one.
    ///
    /// - Parameters:
    ///   - left: An instant.
    ///   - right: Another instant.
    /// - Returns: Whether the left instant is earlier.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }

    /// The time since the creation of the clock, such as `30.0 seconds`.
    public var description: String { "\(offset)" }
  }

  private let room = Locked(SleeperQueue())

  /// Creates a clock whose time is zero.
  public init() {}

  /// The current instant of the clock.
  public var now: Instant { room.withLock { $0.now } }

  /// The minimum resolution, which is zero.
  public var minimumResolution: Duration { .zero }

  /// The deadlines of the sleeping tasks and of the scheduled calls, the earliest first.
  package var pendingSleeps: [Instant] { room.withLock { $0.deadlines } }

  /// Sleeps until the clock is advanced to a deadline.
  ///
  /// - Parameters:
  ///   - deadline: The deadline. If it has passed, the method returns at once.
  ///   - tolerance: Has no effect.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await wait(.time(deadline))
  }

  /// Waits, without sleeping itself, until a number of tasks sleep.
  ///
  /// - Parameter count: The minimum number of sleeping tasks. A rate limit that defers a change counts as one.
  /// - Throws: `CancellationError` as soon as the task is cancelled, for example at the time limit of its test.
  public func waitForSleep(_ count: Int = 1) async throws { try await wait(.sleepers(count)) }

  /// Advances the clock, and wakes the tasks whose deadlines have passed.
  ///
  /// - Parameter duration: The duration. A negative duration traps.
  public func advance(by duration: Duration) {
    let end = beginAdvancing(by: duration)
    while step(upTo: end) {}
  }

  /// Begins to advance the clock; returns the instant at which it is to stand then.
  func beginAdvancing(by duration: Duration) -> Instant {
    precondition(duration >= .zero, "a clock cannot be put back by \(duration)")
    return room.withLock { $0.beginAdvancing(by: duration) }
  }

  /// Advances the clock to the next deadline, or to the end; false if it stands there already.
  func step(upTo end: Instant) -> Bool {
    guard let calls = room.withLock({ $0.advance(upTo: end) }) else { return false }
    wake(calls)
    return true
  }

  private func wait(_ goal: SleeperQueue.Goal) async throws {
    let number = room.withLock { $0.takeNumber() }
    defer { room.withLock { $0.forget(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enter(number, goal) { continuation.resume(with: $0) }
      }
    } onCancel: {
      wake(room.withLock { $0.cancel(number) })
    }
  }

  private func enter(_ number: Int, _ goal: SleeperQueue.Goal, _ resume: @escaping SleeperQueue.Resume) {
    wake(room.withLock { $0.enter(number, goal, resume) })
  }

  private func wake(_ calls: [SleeperQueue.Call]) { for call in calls { call.resume(call.result) } }
}

// Within the file, for the lock.
extension KVManualClock: SchedulingClock {
  /// Schedules a call, which ``advance(by:)`` makes (TST.3).
  ///
  /// - Parameters:
  ///   - deadline: The instant. If it has passed, the call is made when the clock is advanced next, even by nothing.
  ///   - call: A function, which is called at most once.
  /// - Returns: A function that cancels the call.
  package func schedule(at deadline: Instant, _ call: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let number = room.withLock { $0.takeNumber() }
    enter(number, .call(deadline)) { _ in call() }
    return { [self] in _ = room.withLock { $0.remove(number) } }
  }
}
