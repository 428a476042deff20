import KVCore

extension PendingChange {
  /// The notification of one registration.
  ///
  /// It counts no references. The lists of the snapshots retain the registrations, and the snapshots the objects. The
  /// pending change retains all others (`kept`).
  struct PendingNotification {
    let registration: Unmanaged<Registration>
    let object: Unmanaged<AnyObject>
    let key: KVKey
    /// The component of the registration's path that changes.
    let depth: Int32
    /// Whether the key that is being set is the leaf of the registration's path.
    let isDirect: Bool
    /// Whether the pending change reads the old and the new value, instead of taking them from the notice.
    let isRead: Bool
    /// Whether only the new value is read.
    let omitsOldValue: Bool
    let wantsPrior: Bool
    var old: Any?
    var new: Any?

    var order: UInt32 { registration._withUnsafeGuaranteedRef { $0.order } }
  }
}
