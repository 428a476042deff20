import KVCore

/// The deferred changes of one receiver.
struct PendingRecord {
  /// One deferred change.
  struct Part {
    let kind: KVChange.Kind
    let indexes: [Int]?
    var old: Any?
    var new: Any?
    /// Whether the old value is known.
    var hasOld = true
    /// Whether it is an insertion that found nil.
    var isFromNil = false
  }

  /// The deferred changes of one registration.
  private struct Entry {
    let registration: Registration
    let isInitial: Bool
    var parts: [Part] = []

    /// Whether the changes can be delivered through this registration (COA.6).
    var isOpen: Bool { !registration.isEnded && !registration.isPaused && !registration.isOrphaned }

    /// Adds a change; a setting that follows a setting keeps the first old and the last new value.
    ///
    /// - Returns: The value that the change replaces.
    mutating func merge(_ notice: borrowing _KVChangeNotice) -> Any? {
      // A transaction that fails compares all changes with the values that it restores.
      if !wantsRecord, !parts.isEmpty, !WriteLog.isActive { return nil }
      if notice.kind == .setting, parts.last?.kind == .setting {
        return setNew(notice.newValue)
      } else {
        parts.append(
          Part(
            kind: notice.kind, indexes: notice.indexes, old: notice.oldValue, new: notice.newValue,
            hasOld: notice.hasOldValue || notice.kind != .setting,
            isFromNil: notice.kind == .insertion && notice.hasOldValue))
        return nil
      }
    }

    /// Replaces the new value of the last change, and returns the replaced value.
    mutating func setNew(_ value: Any?) -> Any? {
      var value = value
      swap(&parts[parts.count - 1].new, &value)
      return value
    }

    var wantsRecord: Bool { if case .action(_, let takesChange) = registration.kind { takesChange } else { true } }
  }

  /// One entry per registration; the first registration that still exists delivers its changes.
  private var entries: [Entry] = []
  /// Kept alive until the delivery (COA.7).
  private let root: AnyObject
  private let key: KVKey

  init(_ registration: Registration, _ root: AnyObject, _ notice: borrowing _KVChangeNotice) {
    self.root = root
    key = notice.key
    _ = add(registration, notice)
  }

  /// Whether no registration is left; another target may have been allocated at the address of the old one.
  var isOrphaned: Bool { entries.allSatisfy(\.registration.isOrphaned) }

  /// Adds a registration and its first change; returns the index of its entry.
  mutating func add(_ registration: Registration, _ notice: borrowing _KVChangeNotice) -> Int {
    entries.append(Entry(registration: registration, isInitial: notice.phase == .initial))
    _ = merge(notice, at: entries.count - 1)
    return entries.count - 1
  }

  /// Adds a change of a registration; returns the replaced value, which must not be released in here.
  mutating func merge(_ notice: borrowing _KVChangeNotice, at entry: Int) -> Any? { entries[entry].merge(notice) }

  /// Whether the last change of a registration is a setting, whose new value further settings replace.
  func endsInSetting(at entry: Int) -> Bool {
    entries[entry].wantsRecord && entries[entry].parts.last?.kind == .setting
  }

  /// Replaces the new value of the last change; returns the replaced value as ``merge(_:at:)`` does.
  mutating func setNew(_ value: Any?, at entry: Int) -> Any? { entries[entry].setNew(value) }

  /// Drops the changes of each registration that a transaction has undone, as far as they were added since a mark.
  ///
  /// - Parameter mark: The record at the begin of the transaction; nil if it was added since.
  /// - Returns: Whether changes are left.
  mutating func dropUndone(since mark: PendingRecord?) -> Bool {
    let before = mark?.entries ?? []
    entries = entries.indices.compactMap { index in
      let entry = entries[index]
      guard index < before.count else { return entry.isInitial || isUndone(entry, entry.parts[...]) ? nil : entry }
      var parts = entry.parts.dropFirst(before[index].parts.count)
      if let last = before[index].parts.last, last.kind == .setting, parts.isEmpty, let latest = entry.parts.last {
        // A setting after a setting replaces its new value.
        parts = [Part(kind: .setting, indexes: nil, old: last.new, new: latest.new)]
      }
      return parts.isEmpty || isUndone(entry, parts) ? before[index] : entry
    }
    return !entries.isEmpty
  }

  /// Returns whether changes have no effect on the present value.
  private func isUndone(_ entry: Entry, _ parts: ArraySlice<Part>) -> Bool {
    guard !entry.registration.isEnded, parts.allSatisfy(\.hasOld) else { return entry.registration.isEnded }
    let now = entry.registration.value(of: root, from: 0)
    return Equality.areEqual(ToManyParts.undone(Array(parts), from: now), now)
  }

  /// The keys under which the scope finds the record and its registrations, in their order.
  var identities: [(key: MergeKey, registration: ObjectIdentifier)] {
    entries.map { (MergeKey($0.registration, root), ObjectIdentifier($0.registration)) }
  }

  /// Replaces the new values of settings by the present ones, which may be those of other tasks.
  mutating func refresh() {
    for index in entries.indices where endsInSetting(at: index) {
      let registration = entries[index].registration
      if registration.wantsNew, !registration.isEnded { _ = setNew(registration.value(of: root, from: 0), at: index) }
    }
  }

  /// Composes the changes of each registration, before the delivery may change the value again.
  mutating func close() {
    for index in entries.indices where entries[index].parts.count > 1 {
      let parts = entries[index].parts
      if var composed = ToManyParts.composed(parts) {
        composed.isFromNil = parts[0].isFromNil
        entries[index].parts = [composed]
        continue
      }
      let new = entries[index].registration.value(of: root, from: 0)
      // A setting without a known old value hides the changes before it, but not those before an earlier setting.
      let hasOld = parts.first?.kind == .setting ? parts[0].hasOld : parts.allSatisfy(\.hasOld)
      entries[index].parts = [
        Part(
          kind: .setting, indexes: nil, old: hasOld ? ToManyParts.undone(parts, from: new) : nil, new: new,
          hasOld: hasOld)
      ]
    }
  }

  /// Delivers one record for all entries, if a registration still exists (COA.6).
  ///
  /// - Parameter isWithinLimit: Whether the rate limit of the registration allows the delivery now.
  func deliver(isWithinLimit: Bool = false) {
    guard let entry = entries.first(where: \.isOpen), let part = entry.parts.first else { return }
    let registration = entry.registration
    if part.hasOld, !entry.isInitial, registration.options.contains(.distinct),
      Registration.isUnchanged(part.kind, part.old, part.new)
    {
      return
    }
    // A handler may open a scope, change the key and so be called again, without end (KVO.23).
    guard NestedDeliveries.begin(key, of: type(of: root), ObjectIdentifier(root), isPending: true) else { return }
    defer { NestedDeliveries.end() }
    _KVChangeNotice.with(
      key, of: root, part.kind, at: part.indexes, from: part.old, to: part.new,
      hasOld: part.kind == .insertion ? part.isFromNil : part.hasOld,
      phase: entry.isInitial ? .initial : .change
    ) { isWithinLimit ? registration.deliverTraced($0) : registration.deliverWithinLimit($0) }
  }
}
