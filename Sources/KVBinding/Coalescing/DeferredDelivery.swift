import KVCore

/// The records of one registration that wait: in coalescing scopes, and for its rate limit (COA.10).
final class DeferredDelivery: Sendable {
  private struct State {
    /// The rate limit, and the record that it defers.
    var limit: (shared: ObservationLimit, record: DeferredRecord)?
    /// The records in scopes; the places of delivered ones are used again.
    var scoped: [(scope: ObjectIdentifier, record: DeferredRecord)] = []
  }

  private let state = Locked(State())

  /// Drops what is deferred, and with it the last references to what only that keeps alive (COA.6).
  func cancel(_ registration: Registration) {
    let (limit, scoped) = state.withLock { state in
      defer { state.scoped = [] }
      return (state.limit, state.scoped)
    }
    if let limit {
      withExtendedLifetime(limit.record.take()) {}
      limit.shared.forget(limit.record)
    }
    for (_, record) in scoped { withExtendedLifetime(record.take()) {} }
    if !scoped.isEmpty { CoalescingScope.current?.forget(registration) }
  }

  // MARK: Scopes

  /// Returns the place of the record that a scope defers; nil if it defers none.
  func record(in scope: CoalescingScope) -> DeferredRecord? {
    state.withLock { state in state.scoped.first { $0.scope == ObjectIdentifier(scope) }?.record }
  }

  /// Stores a record that a scope defers.
  ///
  /// - Returns: Its place.
  func begin(_ record: PendingRecord, of registration: Registration, in scope: CoalescingScope) -> DeferredRecord {
    let id = ObjectIdentifier(scope)
    let deferredRecord = state.withLock { state in
      if let index = state.scoped.firstIndex(where: { $0.record.begin(record) }) {
        state.scoped[index].scope = id
        return state.scoped[index].record
      }
      let deferredRecord = DeferredRecord()
      _ = deferredRecord.begin(record)
      state.scoped.append((id, deferredRecord))
      return deferredRecord
    }
    // Another thread may have cancelled it meanwhile.
    if registration.isEnded { withExtendedLifetime(deferredRecord.take()) {} }
    return deferredRecord
  }

  // MARK: Rate limit

  /// Sets the limit, in place of an earlier one; what that one has deferred is deferred by the new one.
  func setLimit(_ limit: ObservationLimit) {
    let (replaced, record) = state.withLock { state in
      let replaced = state.limit
      let record = replaced?.record ?? DeferredRecord()
      state.limit = (limit, record)
      return (replaced, record)
    }
    replaced?.shared.forget(record)
    if record.present != nil { limit.request(record) }
  }

  /// Defers a record until the rate limit allows its delivery.
  ///
  /// - Returns: Whether it was deferred. Initial and `prior` records and those of a dying object are not.
  func addLimited(_ registration: Registration, _ notice: borrowing _KVChangeNotice) -> Bool {
    guard notice.phase == .change, let root = registration.livingRoot(notice),
      let (limit, record) = state.withLock({ $0.limit })
    else { return false }
    var replaced: Any?
    defer { withExtendedLifetime(replaced) {} }
    while record.merge(notice, replacing: &replaced) == .absent {
      if record.begin(PendingRecord(registration, root, notice)) { break }
    }
    limit.request(record)
    // Another thread may have cancelled it meanwhile.
    if registration.isEnded { cancel(registration) }
    return true
  }
}
