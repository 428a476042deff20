import KVCore

/// A clock that stands still until the test advances it: for deadlines and delays without waiting (TST.3).
///
/// ```swift
/// let clock = KVManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(30)); return "late" }
/// try await clock.waitForSleep()        // until the task sleeps
/// clock.advance(by: .seconds(30))       // wakes it
/// try await task.value
/// ```
///
/// Advancing wakes sleepers in the order of their deadlines and returns at once; when they have done their work the test
/// finds out by awaiting them. It may be used on any thread.
public final class KVManualClock: Clock {
  /// A moment: the time since the clock was made.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock was made.
    public let offset: Duration

    /// Makes a moment.
    ///
    /// - Parameter offset: The time since the clock was made.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// Returns the moment that is later by a time.
    ///
    /// - Parameter duration: The time.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the time from this moment to another.
    ///
    /// - Parameter other: The other moment.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether a moment is earlier than another.
    ///
    /// - Parameters:
    ///   - left: A moment.
    ///   - right: Another.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }

    /// The time since the clock was made, as `30.0 seconds`.
    public var description: String { "\(offset)" }
  }

  private let room = Locked(WaitingRoom())

  /// Makes a clock that stands at zero.
  public init() {}

  /// The moment at which the clock stands.
  public var now: Instant { room.withLock { $0.now } }

  /// Nothing is too short.
  public var minimumResolution: Duration { .zero }

  /// The deadlines of those who sleep, the earliest first.
  public var pendingSleeps: [Instant] { room.withLock { $0.deadlines } }

  /// Waits until the clock is advanced to a moment.
  ///
  /// - Parameters:
  ///   - deadline: The moment; one that has come already is not waited for.
  ///   - tolerance: Of no effect.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await wait(.time(deadline))
  }

  /// Waits, without sleeping, until a number of tasks sleep.
  ///
  /// - Parameter count: How many at least.
  /// - Throws: `CancellationError` as soon as the task is cancelled, as it is at its time limit.
  public func waitForSleep(_ count: Int = 1) async throws { try await wait(.sleepers(count)) }

  /// Puts the clock forward, and wakes whose time has come.
  ///
  /// - Parameter duration: By how much; it must not be negative, which traps.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "a clock cannot be put back by \(duration)")
    wake(room.withLock { $0.advance(by: duration) })
  }

  private func wait(_ goal: WaitingRoom.Goal) async throws {
    let number = room.withLock { $0.takeNumber() }
    defer { room.withLock { $0.forget(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wake(room.withLock { $0.enter(number, goal, continuation) })
      }
    } onCancel: {
      wake(room.withLock { $0.cancel(number) })
    }
  }

  private func wake(_ calls: [WaitingRoom.Call]) { for call in calls { call.continuation.resume(with: call.result) } }
}
