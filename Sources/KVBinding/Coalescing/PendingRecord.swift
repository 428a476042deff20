import KVCore

/// The deferred changes of one registration.
struct PendingRecord {
  private let registration: Registration
  /// Kept alive until the delivery (COA.7).
  private let root: AnyObject
  private let key: InternedKey
  private let isInitial: Bool
  private var parts: [KeyChange] = []
  /// The changes before each transaction that is running, with the number of transactions around it.
  private var marks: [(depth: Int, parts: [KeyChange])] = []

  init(_ registration: Registration, _ root: AnyObject, _ notice: borrowing _KVChangeNotice) {
    self.registration = registration
    self.root = root
    key = notice.key
    isInitial = notice.phase == .initial
    _ = merge(notice)
  }

  /// Whether the owner of the registration has been deallocated.
  var isOrphaned: Bool { registration.isOrphaned }
  /// Whether the changes can be delivered (COA.6).
  var isOpen: Bool { !registration.isEnded && !registration.isPaused && !registration.isOrphaned }
  private var wantsRecord: Bool {
    if case .action(_, let takesChange) = registration.kind { takesChange } else { true }
  }
  /// Whether the last change is a setting, whose new value further settings replace.
  var endsInSetting: Bool { wantsRecord && parts.last?.kind == .setting }

  /// Adds a change; a setting that follows a setting keeps the first old and the last new value.
  ///
  /// - Returns: The value that the change replaces, which must not be released in here.
  mutating func merge(_ notice: borrowing _KVChangeNotice) -> Any? {
    // All changes are compared with the values that a failed transaction restores, and with the first value if the
    // last one is to be distinct from it.
    if !wantsRecord, !parts.isEmpty, !WriteLog.isActive, !registration.options.contains(.distinct) { return nil }
    if notice.kind == .setting, parts.last?.kind == .setting { return setNew(notice.newValue) }
    parts.append(KeyChange(notice))
    return nil
  }

  /// Replaces the new value of the last change, and returns the replaced value.
  mutating func setNew(_ value: Any?) -> Any? {
    var value = value
    swap(&parts[parts.count - 1].new, &value)
    return value
  }

  // MARK: Transactions

  /// Remembers the changes before a transaction.
  mutating func mark(_ depth: Int) { marks.append((depth, parts)) }

  /// Forgets the changes before a transaction, if there were any, and returns them.
  mutating func unmark(_ depth: Int) -> [KeyChange]? { marks.last?.depth == depth ? marks.removeLast().parts : nil }

  /// Returns the record without the changes that a transaction has undone; nil if none is left.
  func withoutUndone(_ depth: Int) -> PendingRecord? {
    var result = self
    guard let mark = marks.last, mark.depth == depth else {
      guard isInitial else { return isUndone(parts[...]) ? nil : self }
      // The registration stays, and has the value that the transaction has put back.
      result.parts = [parts[0]]
      return result.refreshed()
    }
    result.marks.removeLast()
    var added = parts.dropFirst(mark.parts.count)
    if let last = mark.parts.last, last.kind == .setting, added.isEmpty, let latest = parts.last {
      // A setting after a setting replaces its new value.
      added = [.setting(key, from: last.new, to: latest.new)]
    }
    if added.isEmpty || isUndone(added) { result.parts = mark.parts }
    return result
  }

  /// Returns whether changes have no effect on the present value.
  private func isUndone(_ parts: ArraySlice<KeyChange>) -> Bool {
    guard !registration.isEnded, parts.allSatisfy(\.isReversible) else { return registration.isEnded }
    let now = registration.value(of: root, from: 0)
    return Equality.areEqual(ToManyParts.undone(Array(parts), from: now), now)
  }

  // MARK: Delivery

  /// Whether ``refreshed()`` or ``closed()`` may change something.
  func needsClosing(_ isShared: Bool) -> Bool { parts.count > 1 || isShared && endsInSetting }

  /// Returns the record with the present value as the new one of a setting: other tasks may have changed it.
  func refreshed() -> PendingRecord {
    guard endsInSetting, registration.wantsNew, !registration.isEnded else { return self }
    var result = self
    _ = result.setNew(registration.value(of: root, from: 0))
    return result
  }

  /// Returns the record with its changes composed to one, before the delivery may change the value again.
  func closed() -> PendingRecord {
    guard parts.count > 1 else { return self }
    var result = self
    if let composed = ToManyParts.composed(parts) {
      result.parts = [composed]
      return result
    }
    let new = registration.value(of: root, from: 0)
    // A setting without a known old value hides the changes before it, but not those before an earlier setting.
    let hasOld = parts.first?.kind == .setting ? parts[0].hasOld : parts.allSatisfy(\.isReversible)
    result.parts = [
      .setting(key, from: hasOld ? ToManyParts.undone(parts, from: new) : nil, to: new, hasOld: hasOld)
    ]
    return result
  }

  /// Delivers the record, if the registration still exists (COA.6).
  ///
  /// - Parameter isWithinLimit: Whether the rate limit of the registration allows the delivery now.
  /// - Returns: Whether there was something to deliver.
  @discardableResult
  func deliver(isWithinLimit: Bool = false) -> Bool {
    guard isOpen, let part = parts.first else { return false }
    if part.isReversible, !isInitial, registration.options.contains(.distinct),
      Registration.canBeUnchanged(part.kind), Equality.areEqual(part.old, part.new)
    {
      return false
    }
    // A handler may open a scope, change the key and so be called again, without end (KVO.23).
    guard let open = OpenChange.ofDelivery(key, of: type(of: root), ObjectIdentifier(root)) else { return true }
    defer { extendLifetime(open) }
    part.withNotice(of: root, isInitial ? .initial : .change) { notice in
      isWithinLimit ? registration.deliverTraced(notice) : registration.deliverWithinLimit(notice)
    }
    return true
  }
}
