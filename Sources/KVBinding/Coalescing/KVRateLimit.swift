/// A limit of how often changes are delivered or propagated, with the clock that measures it: debounce or throttle (COA.10).
///
/// ```swift
/// try field.observe("text", owner: self) { form, change in form.search(change.new) }
///   .limited(by: .debounce(for: .milliseconds(300), on: .main))
/// try label.bind("text", to: "level", of: meter,
///   options: KVBindingOptions(concurrency: .limited(.throttle(for: .seconds(1), on: .main))))
/// ```
///
/// A limit is a description: each observation and binding that it is given to has its own timer.
public struct KVRateLimit: Sendable {
  /// Whether each change begins the interval anew.
  let isDebounce: Bool
  let interval: Duration
  /// The executor on which the changes are delivered.
  let executor: any KVExecutor
  /// Returns the present time of the clock.
  let now: @Sendable () -> Duration
  /// Sleeps until a time of the clock.
  let sleep: @Sendable (Duration) async throws -> Void

  private init<C: Clock<Duration>>(isDebounce: Bool, _ interval: Duration, _ clock: C, _ executor: any KVExecutor) {
    if interval < .zero {
      KVDiagnostics.report(.warning, .registration, nil, nil) {
        "a rate limit of \(interval) limits nothing: an interval is not negative."
      }
    }
    self.isDebounce = isDebounce
    self.interval = interval
    self.executor = executor
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// Delivers the changes as one, after no further change for an interval.
  ///
  /// - Parameters:
  ///   - interval: The time without a change.
  ///   - clock: The clock that measures it.
  ///   - executor: The executor on which the change is delivered.
  /// - Returns: The limit.
  public static func debounce(
    for interval: Duration, clock: some Clock<Duration> = ContinuousClock(), on executor: some KVExecutor
  ) -> KVRateLimit { KVRateLimit(isDebounce: true, interval, clock, executor) }

  /// Delivers the first change at once, and the changes of each interval after it as one, at its end.
  ///
  /// - Parameters:
  ///   - interval: The minimum time between two deliveries.
  ///   - clock: The clock that measures it.
  ///   - executor: The executor on which the changes are delivered.
  /// - Returns: The limit.
  public static func throttle(
    for interval: Duration, clock: some Clock<Duration> = ContinuousClock(), on executor: some KVExecutor
  ) -> KVRateLimit { KVRateLimit(isDebounce: false, interval, clock, executor) }
}
