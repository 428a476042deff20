import KVCore

/// The rate limit of an observation, whose registrations share a timer and are notified once (COA.10).
final class ObservationLimit: Sendable {
  private let limit: KVRateLimit
  private let limiter: RateLimiter
  private let waiting: WaitingRecords

  init(_ limit: KVRateLimit) {
    let waiting = WaitingRecords()
    self.limit = limit
    self.waiting = waiting
    limiter = RateLimiter(limit) { waiting.deliver() }
  }

  /// Returns the same limit with a timer of its own.
  func separate() -> ObservationLimit { ObservationLimit(limit) }

  /// Requests the delivery of a record, which has just been changed.
  func request(_ record: DeferredRecord) {
    waiting.append(record)
    limiter.request()
  }

  /// Forgets a record, and the delivery with the last one.
  func forget(_ record: DeferredRecord) {
    guard waiting.remove(record) else { return }
    limiter.cancel()
    // Another thread may have requested a delivery meanwhile.
    if !waiting.isEmpty { limiter.request() }
  }
}
