/// A key whose setter must not notify, because the caller of the setter, on the same thread, notifies of the change.
struct SuppressedNotification {
  /// Which notifications are suppressed.
  enum Mode {
    /// All notifications of the key in the body, such as those of the functions of a table.
    case everything
    /// The notification of the next write by key. The mode becomes ``setter`` with that write.
    case write
    /// The notification of the setter, which is running. A write by key within the setter is another change, and
    /// notifies.
    case setter
    /// None: the property has been set, and each further write is another change.
    case consumed
  }

  /// The identity of the registrar that would be notified.
  let registrar: ObjectIdentifier
  /// The number of the key.
  let key: Int
  private(set) var mode: Mode

  init(_ key: Int, of registrar: AnyObject, _ mode: Mode) {
    self.registrar = ObjectIdentifier(registrar)
    self.key = key
    self.mode = mode
  }

  /// Returns whether a write by key has to notify.
  mutating func allowsKeyedWrite() -> Bool {
    guard mode == .write else { return mode != .everything }
    mode = .setter
    return false
  }

  /// Returns whether the setter has to notify.
  mutating func allowsSetter() -> Bool {
    guard mode == .write else { return mode == .consumed }
    mode = .consumed
    return false
  }
}
