import KVCore

/// The place of a record that waits for its delivery, from which cancelling the registration drops it.
///
/// A record retains its object (COA.7) and its registration. A scope or a rate limit therefore refers to the place, and
/// finds it empty after the registration was cancelled on any thread.
final class DeferredRecord: Sendable {
  private let record = Locked<PendingRecord?>(nil)

  /// The result of merging a change into the record.
  enum Merging {
    /// There is no record.
    case absent
    case merged
    /// The last change of the record is a setting, whose new value further settings replace.
    case endsInSetting
  }

  /// Stores a record, unless there is one.
  ///
  /// - Returns: Whether the record was stored.
  func begin(_ new: PendingRecord) -> Bool {
    record.withLock { record in
      guard record == nil else { return false }
      record = new
      return true
    }
  }

  /// Merges a change into the record.
  ///
  /// - Parameter replaced: Receives the value that the change replaces, which may be the last reference to an object.
  func merge(_ notice: borrowing _KVChangeNotice, replacing replaced: inout Any?) -> Merging {
    let (merging, displaced) = record.withLock { record -> (Merging, Any?) in
      if record == nil { return (.absent, nil) }
      let displaced = record?.merge(notice)
      return (record?.endsInSetting == true ? .endsInSetting : .merged, displaced)
    }
    replaced = displaced
    return merging
  }

  /// Replaces the new value of the last change.
  func setNew(_ value: Any?) {
    withExtendedLifetime(record.withLock { $0?.setNew(value) }) {}
  }

  /// Replaces the record, if there is one, by what a function returns, which may run any code.
  ///
  /// - Returns: Whether there is a record then.
  func update(_ body: (PendingRecord) -> PendingRecord?) -> Bool {
    guard let updated = present.map(body) else { return false }
    // It may have been dropped meanwhile.
    let replaced = record.withLock { record in
      defer { if record != nil { record = updated } }
      return record
    }
    return replaced != nil && updated != nil
  }

  /// Remembers the changes before a transaction.
  func mark(_ transaction: Int) { record.withLock { $0?.mark(transaction) } }

  /// Forgets the changes before a transaction.
  func unmark(_ transaction: Int) {
    withExtendedLifetime(record.withLock { $0?.unmark(transaction) }) {}
  }

  /// Composes the changes of the record to one.
  ///
  /// - Parameter isShared: Whether other tasks may have changed the value meanwhile.
  func close(isShared: Bool) {
    guard record.withLock({ $0?.needsClosing(isShared) ?? false }) else { return }
    _ = update { isShared ? $0.refreshed().closed() : $0.closed() }
  }

  var present: PendingRecord? { record.withLock { $0 } }

  /// Removes and returns the record.
  func take() -> PendingRecord? { record.exchange(nil) }
}
