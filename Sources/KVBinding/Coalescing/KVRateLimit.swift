/// A limit of how often changes are delivered or propagated, with the clock that measures it: debounce or throttle (COA.10).
///
/// ```swift
/// try field.observe("text", owner: self) { form, change in form.search(change.new) }
///   .limited(by: .debounce(for: .milliseconds(300), on: .main))
/// try label.bind("text", to: "level", of: meter,
///   options: KVBindingOptions(concurrency: .limited(.throttle(for: .seconds(1), on: .main))))
/// ```
///
/// A limit is a description: each observation and binding that it is given to has its own timer. The registrations of an
/// observation of several key paths share it.
public struct KVRateLimit: Sendable {
  /// Whether each change begins the interval anew.
  let isDebounce: Bool
  let interval: Duration
  /// The executor on which the changes are delivered.
  let executor: any KVExecutor
  /// Returns the present time of the clock.
  let now: @Sendable () -> Duration
  /// Waits until a time of the clock, calls a function then, and returns a function that cancels the wait.
  let wait: Wait

  /// A function that begins to wait until a time; what it calls then receives whether the clock could wait.
  typealias Wait = @Sendable (Duration, @escaping @Sendable (Bool) -> Void) -> @Sendable () -> Void

  private init<C: Clock<Duration>>(isDebounce: Bool, _ interval: Duration, _ clock: C, _ executor: any KVExecutor) {
    if interval < .zero {
      KVDiagnostics.report(.warning, .registration, nil, nil) {
        "a rate limit of \(interval) limits nothing: an interval is not negative."
      }
    }
    self.isDebounce = isDebounce
    self.interval = interval
    self.executor = executor
    (now, wait) = (clock as? any SchedulingClock).map { Self.scheduling(by: $0) } ?? Self.sleeping(by: clock)
  }

  /// Returns functions of a clock that makes calls.
  private static func scheduling(by clock: some SchedulingClock) -> (now: @Sendable () -> Duration, wait: Wait) {
    let start = clock.now
    return (
      { start.duration(to: clock.now) }, { due, call in clock.schedule(at: start.advanced(by: due)) { call(true) } }
    )
  }

  /// Returns functions of a clock that lets tasks sleep.
  private static func sleeping(by clock: some Clock<Duration>) -> (now: @Sendable () -> Duration, wait: Wait) {
    let start = clock.now
    let wait: Wait = { due, call in
      let task = Task {
        let hasSlept = (try? await clock.sleep(until: start.advanced(by: due), tolerance: nil)) != nil
        if !Task.isCancelled { call(hasSlept) }
      }
      return { task.cancel() }
    }
    return ({ start.duration(to: clock.now) }, wait)
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
