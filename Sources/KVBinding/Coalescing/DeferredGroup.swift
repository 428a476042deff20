/// The deferred records of one receiver: of a registration, or of all registrations of an action that are merged.
struct DeferredGroup {
  let key: MergeKey?
  /// The records; the first registration that still exists delivers its own.
  var records: [DeferredRecord]

  /// Whether no registration is left; another target may have been allocated at the address of the old one.
  var isOrphaned: Bool { records.allSatisfy { $0.present?.isOrphaned ?? true } }

  /// Drops all records.
  func drop() { for record in records { withExtendedLifetime(record.take()) {} } }

  /// Delivers one record for all.
  func deliver() {
    if records.count == 1 {
      records[0].take()?.deliver()
      return
    }
    let pending = records.map { $0.take() }
    pending.first { $0?.isOpen == true }??.deliver()
  }
}
