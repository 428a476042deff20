import KVCore

/// A timer that calls a function on an executor at the times that a rate limit allows.
final class RateLimiter: Sendable {
  private struct State {
    /// The time of the next call; nil if no call is requested.
    var due: Duration?
    /// The time before which a throttled call is not made.
    var earliest: Duration?
    /// Sleeps until the next call is due.
    var timer: Task<Void, Never>?
  }

  private struct Reference: Sendable {
    weak let limiter: RateLimiter?
  }

  private let limit: KVRateLimit
  private let call: @Sendable () -> Void
  private let state = Locked(State())

  init(_ limit: KVRateLimit, _ call: @escaping @Sendable () -> Void) {
    self.limit = limit
    self.call = call
  }

  deinit { state.withLock { $0.timer }?.cancel() }

  /// Requests a call: at once, or later.
  func request() {
    let now = limit.now()
    let isNow = state.withLock { state in
      if limit.isDebounce {
        state.due = now + limit.interval
      } else if state.due == nil {
        guard let earliest = state.earliest, earliest > now else {
          state.earliest = now + limit.interval
          return true
        }
        state.due = earliest
      }
      if state.timer == nil {
        let reference = Reference(limiter: self)
        state.timer = Task { [limit] in await Self.run(limit, reference) }
      }
      return false
    }
    if isNow { fire() }
  }

  /// Drops the requested call.
  func cancel() {
    let timer = state.withLock { state in
      defer { (state.due, state.timer) = (nil, nil) }
      return state.timer
    }
    timer?.cancel()
  }

  /// Sleeps until the requested calls are due, without a reference to the limiter meanwhile.
  private static func run(_ limit: KVRateLimit, _ reference: Reference) async {
    while let due = reference.limiter?.state.withLock({ $0.due }) {
      // A clock that cannot sleep makes the call at once.
      let hasSlept = (try? await limit.sleep(due)) != nil
      if Task.isCancelled { return }
      if reference.limiter?.fireIfDue(always: !hasSlept) ?? true { return }
    }
  }

  /// Makes the call if it is due; returns whether no further call is requested.
  private func fireIfDue(always: Bool) -> Bool {
    let now = limit.now()
    let isDue = state.withLock { state -> Bool? in
      guard let due = state.due else {
        state.timer = nil
        return nil
      }
      guard always || due <= now else { return false }
      (state.due, state.timer, state.earliest) = (nil, nil, now + limit.interval)
      return true
    }
    if isDue == true { fire() }
    return isDue != false
  }

  private func fire() {
    if limit.executor.isCurrent { call() } else { limit.executor.enqueue(call) }
  }
}
