import KVCore

/// The records that one thread defers between the begin and the commit of its outermost scope.
final class CoalescingScope {
  /// The scope of the current thread or task.
  static var current: CoalescingScope? { unmanaged?.takeUnretainedValue() }

  /// The scope of the current thread or task, not retained: it lives until its last commit.
  @inline(__always)
  static var unmanaged: Unmanaged<CoalescingScope>? {
    ThreadDeliveries.current._withUnsafeGuaranteedRef { $0.scope } ?? TaskScope.current
  }

  /// The number of begins without a commit.
  var depth = 1
  /// The number of transactions that run in the scope.
  private var transactions = 0
  private var pending: [DeferredGroup] = []
  /// The indexes of the groups of actions.
  private var groups: [MergeKey: Int] = [:]
  /// The registration that was added last, by its number, and its record: repeated changes of one key need no search.
  ///
  /// The registration is not retained, since it may be cancelled (COA.6).
  private var last: (registration: UInt32, record: DeferredRecord)?
  /// The latest value of that registration if it was set repeatedly, which is boxed when another change arrives.
  private var latest: LatestValue?

  /// A retained value; a class, so that it survives while the release of the value that it replaces reenters here.
  private final class LatestValue {
    let value: RetainedValue

    init?(_ notice: borrowing _KVChangeNotice) {
      guard let value = RetainedValue(notice) else { return nil }
      self.value = value
    }
  }

  deinit { for group in pending { group.drop() } }

  /// Begins a scope, or increments the depth of the current one.
  static func begin() {
    if let current { return current.depth += 1 }
    ThreadDeliveries.current._withUnsafeGuaranteedRef { $0.scope = .passRetained(CoalescingScope()) }
  }

  /// Ends a scope; the outermost scope delivers the deferred records.
  static func commit() {
    guard let scope = current else { return }
    // The scope of a task ends with its body. There, a commit without a begin does nothing, as anywhere (COA.1).
    let isOfTask = ThreadDeliveries.current._withUnsafeGuaranteedRef { $0.scope == nil }
    if isOfTask, scope.depth <= 1 { return }
    scope.depth -= 1
    guard scope.depth == 0 else { return }
    // The scope ends before the delivery, so that changes by handlers are delivered at once (COA.5).
    ThreadDeliveries.current._withUnsafeGuaranteedRef { $0.scope = nil }
    let pending = scope.closed()
    Unmanaged.passUnretained(scope).release()
    for group in pending { group.deliver() }
  }

  /// Delivers the records of the scope of a task that is not current any more.
  func deliver() { for group in closed(isShared: true) { group.deliver() } }

  /// Removes and returns what the scope has deferred, composed.
  ///
  /// - Parameter isShared: Whether other tasks may have changed the values meanwhile.
  private func closed(isShared: Bool = false) -> [DeferredGroup] {
    storeLatest()
    last = nil
    groups = [:]
    let pending = pending
    self.pending = []
    for record in pending.lazy.flatMap(\.records) {
      _ = record.update { isShared ? $0.refreshed().closed() : $0.closed() }
    }
    return pending
  }

  /// Begins a transaction, which ends with ``endTransaction(undoing:)``.
  func beginTransaction() {
    storeLatest()
    transactions += 1
    for record in pending.lazy.flatMap(\.records) { record.mark(transactions) }
  }

  /// Ends a transaction.
  ///
  /// - Parameter isUndone: Whether the changes that have been undone are dropped (COA.8).
  func endTransaction(undoing isUndone: Bool) {
    guard transactions > 0 else { return }
    defer { transactions -= 1 }
    storeLatest()
    guard isUndone else { return pending.lazy.flatMap(\.records).forEach { $0.unmark(transactions) } }
    last = nil
    var kept: [DeferredGroup] = []
    for var group in pending {
      group.records.removeAll { !$0.update { $0.withoutUndone(transactions) } }
      if !group.records.isEmpty { kept.append(group) }
    }
    pending = kept
    groups = [:]
    for (index, group) in kept.enumerated() { if let key = group.key { groups[key] = index } }
  }

  /// Defers a record, merged with earlier ones (COA.3).
  ///
  /// - Returns: Whether the record was deferred. `prior` records and those of a dying object cannot be deferred
  ///   (COA.7).
  func add(_ registration: Registration, _ notice: borrowing _KVChangeNotice) -> Bool {
    if notice.phase == .prior { return false }
    if last?.registration == registration.order, notice.kind == .setting, let latest,
      latest.value.replace(from: notice)
    {
      return true
    }
    return addElsewhere(registration, notice)
  }

  @inline(never)
  private func addElsewhere(_ registration: Registration, _ notice: borrowing _KVChangeNotice) -> Bool {
    // The release of a replaced value may run any code, even the last commit.
    let scope = Unmanaged.passUnretained(self).retain()
    defer { scope.release() }
    storeLatest()
    // The deallocation of an owner that is not observable is detected now.
    guard let delivery = registration.deferred, !registration.isOrphaned else {
      registration.cancel()
      return true
    }
    if last?.registration != registration.order {
      last = delivery.record(in: self).map { (registration.order, $0) }
    }
    switch last?.record.merge(notice) {
    case .endsInSetting: latest = LatestValue(notice)
    case .merged: break
    case .absent, nil:
      guard let root = registration.livingRoot(notice) else { return false }
      let record = delivery.begin(PendingRecord(registration, root, notice), of: registration, in: self)
      last = (registration.order, record)
      append(record, MergeKey(registration, root))
    }
    return true
  }

  private func append(_ record: DeferredRecord, _ key: MergeKey?) {
    if let key, let index = groups[key], !pending[index].isOrphaned { return pending[index].records.append(record) }
    if let key { groups[key] = pending.count }
    pending.append(DeferredGroup(key: key, records: [record]))
  }

  /// Stores the latest value in its record.
  private func storeLatest() {
    guard let latest, let last else { return }
    self.latest = nil
    last.record.setNew(latest.value.value)
  }

  /// Releases the latest value of a registration that was cancelled.
  func forget(_ registration: Registration) {
    guard last?.registration == registration.order else { return }
    let forgotten = (last, latest)
    (last, latest) = (nil, nil)
    withExtendedLifetime(forgotten) {}
  }
}
