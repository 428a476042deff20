import KVCore

/// A timer that calls a function on an executor at the times that a rate limit allows.
final class RateLimiter: Sendable {
  private struct State {
    /// The time of the next call; nil if no call is requested.
    var due: Duration?
    /// The time before which a throttled call is not made.
    var earliest: Duration?
    /// A function that cancels the wait for the next call; nil if there is none.
    var cancelWait: (@Sendable () -> Void)?
    /// The number of waits that were begun.
    var waits = 0
  }

  private let limit: KVRateLimit
  private let call: @Sendable () -> Void
  private let state = Locked(State())

  init(_ limit: KVRateLimit, _ call: @escaping @Sendable () -> Void) {
    self.limit = limit
    self.call = call
  }

  deinit { state.withLock { $0.cancelWait }?() }

  /// Requests a call: at once, or later.
  func request() {
    let now = limit.now()
    let isNow = state.withLock { state in
      let due: Duration
      if limit.isDebounce {
        due = now + limit.interval
      } else if let requested = state.due {
        due = requested
      } else {
        guard let earliest = state.earliest, earliest > now else {
          state.earliest = now + limit.interval
          return true
        }
        due = earliest
      }
      state.due = due
      if state.cancelWait == nil { wait(until: due, &state) }
      return false
    }
    if isNow { fire() }
  }

  /// Drops the requested call.
  func cancel() {
    let cancelWait = state.withLock { state in
      defer { (state.due, state.cancelWait) = (nil, nil) }
      return state.cancelWait
    }
    cancelWait?()
  }

  /// Waits until the requested call is due, without a reference to the limiter meanwhile.
  private func wait(until due: Duration, _ state: inout State) {
    state.waits += 1
    let number = state.waits
    state.cancelWait = limit.wait(due) { [weak self] hasWaited in self?.endWait(number, hasWaited: hasWaited) }
  }

  /// Makes the call if it is due, and waits again if a later change has put it off.
  private func endWait(_ number: Int, hasWaited: Bool) {
    let now = limit.now()
    let isDue = state.withLock { state in
      // The wait may have been cancelled meanwhile.
      guard number == state.waits, state.cancelWait != nil, let due = state.due else { return false }
      // A clock that cannot wait makes the call at once.
      guard !hasWaited || due <= now else {
        wait(until: due, &state)
        return false
      }
      (state.due, state.cancelWait, state.earliest) = (nil, nil, now + limit.interval)
      return true
    }
    if isDue { fire() }
  }

  private func fire() {
    if limit.executor.isCurrent { call() } else { limit.executor.enqueue(call) }
  }
}
