import KVCore

/// A one-task condition: the task waits for records until a deadline, without polling.
final class ChangeWaiter: Sendable {
  private let state = Locked(State())

  private struct State {
    /// Whether something has happened since the task last checked.
    var isAwake = false
    var isExpired = false
    var continuation: CheckedContinuation<Bool, Never>?
  }

  /// Wakes the task.
  func wake() {
    state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let continuation = state.continuation else {
        state.isAwake = true
        return nil
      }
      state.continuation = nil
      return continuation
    }?.resume(returning: true)
  }

  /// Ends the waiting.
  func expire() {
    state.withLock { state -> CheckedContinuation<Bool, Never>? in
      state.isExpired = true
      defer { state.continuation = nil }
      return state.continuation
    }?.resume(returning: false)
  }

  /// Waits until something has happened since the last call.
  ///
  /// - Returns: Whether it has; `false` after the deadline or the cancellation of the task.
  func next(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result = state.withLock { state -> Bool? in
          if state.isAwake {
            state.isAwake = false
            return true
          }
          if state.isExpired { return false }
          state.continuation = continuation
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      expire()
    }
  }
}

extension KVChangeRecorder {
  /// Waits until a condition is satisfied, which is checked after each record.
  ///
  /// - Returns: Whether the condition was satisfied before the deadline.
  func wait(
    within limit: Duration, clock: any Clock<Duration>, isolation: isolated (any Actor)? = #isolation,
    until condition: () -> Bool
  ) async -> Bool {
    let waiter = ChangeWaiter()
    add(waiter)
    defer { remove(waiter) }
    // Clocks trap on durations that they cannot represent.
    let limit = min(max(limit, .zero), .seconds(100 * 365 * 86_400))
    let deadline = Task {
      // Cancelled if the condition was satisfied; no task waits then.
      try? await clock.sleep(for: limit)
      waiter.expire()
    }
    defer { deadline.cancel() }
    while await waiter.next() { if condition() { return true } }
    return condition()
  }
}
