import KVCore

/// The records that one thread defers between the begin and the commit of its outermost scope.
final class CoalescingScope {
  /// The scope of the current thread or task.
  static var current: CoalescingScope? { unmanaged?.object }

  /// The scope of the current thread or task, not retained: it lives until its last commit.
  @inline(__always)
  static var unmanaged: _KVReference<CoalescingScope>? {
    ThreadDeliveries.current.borrow { deliveries in
      if let scope = deliveries.scope { return scope }
      return deliveries.scopeDepth > 0 ? make(in: deliveries) : TaskScope.current
    }
  }

  /// Makes the scope of a thread, when it is first used.
  @inline(never)
  private static func make(in deliveries: ThreadDeliveries) -> _KVReference<CoalescingScope> {
    let scope = _KVReference.retaining(CoalescingScope())
    deliveries.scope = scope
    return scope
  }

  /// In the scope of a task, what counts it while somebody wants to know when outermost changes end.
  var boundary: ChangeBoundary?
  /// In the scope of a task, the number of begins without a commit; see ``ThreadDeliveries/scopeDepth``.
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
  private var latest: _KVReference<LatestValue>?

  /// A retained value in an object, which is released by hand: counting references would be half of the time of a set.
  private final class LatestValue {
    let registration: UInt32
    let value: RetainedValue

    init(_ value: consuming RetainedValue, of registration: UInt32) {
      self.registration = registration
      self.value = value
    }
  }

  deinit {
    latest?.release()
    for group in pending { group.drop() }
  }

  /// Begins a scope, or increments the depth of the current one.
  static func begin() {
    ThreadDeliveries.current.borrow { deliveries in
      if deliveries.scopeDepth == 0, let scope = TaskScope.current {
        scope.borrow { $0.depth += 1 }
      } else {
        if deliveries.scopeDepth == 0 { deliveries.scopeBoundary = ChangeBoundary.begin() }
        deliveries.scopeDepth += 1
      }
    }
  }

  /// Ends a scope; the outermost scope delivers the deferred records.
  static func commit() {
    let (scope, boundary) = ThreadDeliveries.current.borrow {
      deliveries -> (_KVReference<CoalescingScope>?, ChangeBoundary?) in
      guard deliveries.scopeDepth > 0 else {
        // The scope of a task ends with its body. There, a commit without a begin does nothing, as anywhere (COA.1).
        TaskScope.current?.borrow { if $0.depth > 1 { $0.depth -= 1 } }
        return (nil, nil)
      }
      deliveries.scopeDepth -= 1
      guard deliveries.scopeDepth == 0 else { return (nil, nil) }
      // The scope ends before the delivery, so that changes by handlers are delivered at once (COA.5).
      defer { (deliveries.scope, deliveries.scopeBoundary) = (nil, nil) }
      return (deliveries.scope, deliveries.scopeBoundary)
    }
    defer { boundary?.end() }
    guard let scope = scope?.takeObject() else { return }
    // Records are found by the address of their scope, which must not be used again meanwhile.
    withExtendedLifetime(scope) { for group in scope.closed() { group.deliver() } }
  }

  /// Calls a function outside of all scopes: what it defers is not deferred to the end of the current one.
  static func leaving<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    let deliveries = ThreadDeliveries.current.object
    let outer = (deliveries.scope, deliveries.scopeDepth, deliveries.scopeBoundary, deliveries.hasLeftScopes)
    (deliveries.scope, deliveries.scopeDepth, deliveries.scopeBoundary, deliveries.hasLeftScopes) = (nil, 0, nil, true)
    defer {
      (deliveries.scope, deliveries.scopeDepth, deliveries.scopeBoundary, deliveries.hasLeftScopes) = outer
    }
    try body()
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
    for record in pending.lazy.flatMap(\.records) { record.close(isShared: isShared) }
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
    // The replaced value is released last. That can run any code, which may end the scope: nothing is used after it.
    if let latest, notice.kind == .setting,
      latest.borrow({ $0.registration == registration.order && $0.value.replace(from: notice) })
    {
      return true
    }
    return addElsewhere(registration, notice)
  }

  @inline(never)
  private func addElsewhere(_ registration: Registration, _ notice: borrowing _KVChangeNotice) -> Bool {
    // The release of a replaced value may run any code, even the last commit.
    let scope = _KVReference.retaining(self)
    defer { scope.release() }
    storeLatest()
    // The deallocation of an owner that is not observable is detected now.
    if registration.isOrphaned {
      registration.cancel()
      return true
    }
    let delivery = registration.deferred
    if last?.registration != registration.order {
      last = delivery.record(in: self).map { (registration.order, $0) }
    }
    // What is replaced is released last: it may be the last reference to an object, whose end can run any code.
    var replaced: Any?
    defer { withExtendedLifetime(replaced) {} }
    switch last?.record.merge(notice, replacing: &replaced) {
    case .endsInSetting:
      if let value = RetainedValue(notice) {
        latest = .retaining(LatestValue(value, of: registration.order))
      }
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
  ///
  /// Releasing the replaced value may end an object, and that may defer another value.
  private func storeLatest() {
    while let latest, let last {
      self.latest = nil
      let value = latest.takeObject()
      last.record.setNew(value.value.value)
    }
  }

  /// Releases the latest value of a registration that was cancelled.
  func forget(_ registration: Registration) {
    guard last?.registration == registration.order else { return }
    last = nil
    let latest = latest
    self.latest = nil
    latest?.release()
  }
}
