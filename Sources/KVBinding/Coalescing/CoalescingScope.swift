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
  private var pending: [PendingRecord] = []
  private var positions = EntryPositions()
  /// The registration that was added last, and its position: repeated changes of one key need no search.
  private var last: (registration: Registration, position: EntryPosition)?
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

  /// The position of a registration's records: the index of the record, and of the entry in it.
  fileprivate typealias EntryPosition = (record: Int, entry: Int)

  /// The positions of the deferred records.
  fileprivate struct EntryPositions {
    var records: [MergeKey: Int] = [:]
    /// Each registration has one root and one path, and so one position.
    var observations: [ObjectIdentifier: EntryPosition] = [:]
  }

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
    for record in pending { record.deliver() }
  }

  /// Delivers the records of the scope of a task that is not current any more.
  func deliver() {
    let records = closed(isShared: true)
    // Tasks that were started in the body may keep the scope.
    pending = []
    positions = EntryPositions()
    last = nil
    for record in records { record.deliver() }
  }

  /// - Parameter isShared: Whether other tasks may have changed the values meanwhile.
  private func closed(isShared: Bool = false) -> [PendingRecord] {
    storeLatest()
    var pending = pending
    for index in pending.indices {
      if isShared { pending[index].refresh() }
      pending[index].close()
    }
    return pending
  }

  /// The deferred records at some time.
  struct Snapshot {
    fileprivate let pending: [PendingRecord]
  }

  /// Returns the currently deferred records.
  func snapshot() -> Snapshot {
    storeLatest()
    return Snapshot(pending: pending)
  }

  /// Drops the changes that were deferred since a snapshot and that have been undone (COA.8).
  func restore(_ snapshot: Snapshot) {
    storeLatest()
    // The dropped records are released after the scope is consistent.
    let dropped = (pending, last)
    var kept: [PendingRecord] = []
    for (index, record) in pending.enumerated() {
      var record = record
      let mark = index < snapshot.pending.count ? snapshot.pending[index] : nil
      if record.dropUndone(since: mark) { kept.append(record) }
    }
    pending = kept
    positions = EntryPositions()
    for (record, pending) in kept.enumerated() {
      for (entry, identity) in pending.identities.enumerated() {
        positions.records[identity.key] = record
        positions.observations[identity.registration] = (record, entry)
      }
    }
    last = nil
    withExtendedLifetime(dropped) {}
  }

  /// Defers a record, merged with earlier ones (COA.3).
  ///
  /// - Returns: Whether the record was deferred. `prior` records and those of a dying object cannot be deferred
  ///   (COA.7).
  func add(_ registration: Registration, _ notice: borrowing _KVChangeNotice) -> Bool {
    if notice.phase == .prior { return false }
    if last?.registration === registration {
      if notice.kind == .setting, let latest, latest.value.replace(from: notice) { return true }
    }
    return addElsewhere(registration, notice)
  }

  @inline(never)
  private func addElsewhere(_ registration: Registration, _ notice: borrowing _KVChangeNotice) -> Bool {
    // The release of a replaced value may run any code, even the last commit.
    let scope = Unmanaged.passUnretained(self).retain()
    defer { scope.release() }
    storeLatest()
    if last?.registration === registration { return merge(registration, notice) }
    if let position = positions.observations[ObjectIdentifier(registration)] {
      last = (registration, position)
      return merge(registration, notice)
    }
    guard let root = registration.livingRoot(notice) else { return false }
    let key = MergeKey(registration, root)
    let position: EntryPosition
    if let record = positions.records[key], !pending[record].isOrphaned {
      position = (record, pending[record].add(registration, notice))
    } else {
      position = (pending.count, 0)
      positions.records[key] = position.record
      pending.append(PendingRecord(registration, root, notice))
    }
    positions.observations[ObjectIdentifier(registration)] = position
    last = (registration, position)
    return true
  }
}

extension CoalescingScope {
  /// Merges a change into the records of the registration that was added last.
  private func merge(_ registration: Registration, _ notice: borrowing _KVChangeNotice) -> Bool {
    guard let position = last?.position else { return false }
    let displaced = pending[position.record].merge(notice, at: position.entry)
    if notice.kind == .setting, pending[position.record].endsInSetting(at: position.entry) {
      latest = LatestValue(notice)
    }
    // This may be the last reference, whose release may run any code.
    withExtendedLifetime(displaced) {}
    return true
  }

  /// Stores the latest value in its record.
  private func storeLatest() {
    guard let latest, let position = last?.position else { return }
    self.latest = nil
    let displaced = pending[position.record].setNew(latest.value.value, at: position.entry)
    withExtendedLifetime(displaced) {}
  }
}
