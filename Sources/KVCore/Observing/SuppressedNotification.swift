/// A change that is told by whoever makes it, so that the setter of the property does not tell it again.
struct SuppressedNotification {
  /// By which way the change reaches the property.
  enum Mode {
    /// By anything that the body does: functions of a table.
    case everything
    /// By a write by key that is still to come.
    case write
    /// By the setter, which is running: a write by key comes from inside of it and is a change of its own.
    case setter
    /// It has reached the property: whatever comes now is a change of its own.
    case consumed
  }

  let key: KVKey
  let thread: UInt
  var mode: Mode
}
