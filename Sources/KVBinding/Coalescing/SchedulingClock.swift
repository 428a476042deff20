/// A clock that makes calls at its instants by itself, while other clocks only let tasks sleep.
///
/// A rate limit waits by such a call if its clock can make one: no task has to run between the instant and the call. A
/// test that advances its clock relies on that (TST.3).
package protocol SchedulingClock: Clock<Duration> {
  /// Schedules a call.
  ///
  /// - Parameters:
  ///   - deadline: The instant. If it has passed, the call is made when the clock advances next, and never by this
  ///     method.
  ///   - call: A function, which is called at most once, outside of all locks.
  /// - Returns: A function that cancels the call.
  func schedule(at deadline: Instant, _ call: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}
