import KVCore

/// The changes of one registration that a rate limit defers, merged as in a coalescing scope (COA.10).
final class LimitedDelivery: Sendable {
  private let record = Locked<PendingRecord?>(nil)
  private let limiter = Locked<RateLimiter?>(nil)

  /// Sets the limit, in place of an earlier one; what that one has deferred is deferred by the new one.
  func setLimit(_ limit: KVRateLimit) {
    let limiter = RateLimiter(limit) { [weak self] in self?.deliver() }
    self.limiter.exchange(limiter)?.cancel()
    if record.withLock({ $0 != nil }) { limiter.request() }
  }

  /// Defers a record.
  ///
  /// - Returns: Whether it was deferred. Initial and `prior` records and those of a dying object are not.
  func add(_ registration: Registration, _ notice: borrowing _KVChangeNotice) -> Bool {
    guard notice.phase == .change, let root = registration.livingRoot(notice) else { return false }
    // What is replaced may be the last reference to an object.
    let replaced = record.withLock { record -> Any? in
      if record != nil { return record?.merge(notice, at: 0) ?? nil }
      record = PendingRecord(registration, root, notice)
      return nil
    }
    withExtendedLifetime(replaced) {}
    limiter.withLock { $0 }?.request()
    return true
  }

  /// Drops what is deferred.
  func cancel() {
    limiter.withLock { $0 }?.cancel()
    withExtendedLifetime(take()) {}
  }

  private func deliver() {
    guard var record = take() else { return }
    record.close()
    record.deliver(isWithinLimit: true)
  }

  private func take() -> PendingRecord? { record.exchange(nil) }
}
