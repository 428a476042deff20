/// An event of a control.
public enum KVControlEvent: Sendable, Hashable, CaseIterable {
  /// The user has changed the value.
  case valueChanged
  /// The user has finished changing the value: released the slider or left the field.
  ///
  /// The event commits a binding with the trigger ``KVUpdateTrigger/onCommit``. For a control that never sends
  /// `valueChanged` it also means that the value has changed.
  case committed
}
