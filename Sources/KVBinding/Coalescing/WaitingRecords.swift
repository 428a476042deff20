import KVCore

/// The records that wait for the same delivery, in the order of their last changes.
final class WaitingRecords: Sendable {
  private let records = Locked<[DeferredRecord]>([])

  var isEmpty: Bool { records.withLock { $0.isEmpty } }

  /// Adds a record, or moves it to the end.
  ///
  /// - Complexity: O(1) if it is the last one, else O(*n*) in the number of records.
  func append(_ record: DeferredRecord) {
    records.withLock { records in
      if records.last === record { return }
      records.removeAll { $0 === record }
      records.append(record)
    }
  }

  /// Removes a record; returns whether none is left.
  func remove(_ record: DeferredRecord) -> Bool {
    records.withLock { records in
      records.removeAll { $0 === record }
      return records.isEmpty
    }
  }

  /// Delivers the record that was changed last, and drops the others.
  func deliver() {
    let pending = records.exchange([]).reversed().map { $0.take() }
    _ = pending.first { $0?.closed().deliver(isWithinLimit: true) == true }
  }
}
