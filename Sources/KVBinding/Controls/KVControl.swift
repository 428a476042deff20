import KVCore

/// An object that sends events when its user changes it, and is not observed: a slider, a text field, a device.
///
/// Such an object can be the target of a binding like any other; its events carry its value to the source (CTL.1):
///
/// ```swift
/// final class Slider: KVControl {
///   var value = 0.5
///   private let handlers = KVControlHandlers()
///
///   static var keyTable: KVTable { KVTable(Slider.self) { key in key("value", \.value) } }
///   func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
///     handlers.add(for: event, handler)
///   }
///   func removeControlHandler(_ token: Any) { handlers.remove(token) }
///   func drag(to value: Double) {
///     self.value = value
///     handlers.send(.valueChanged)
///   }
/// }
///
/// try slider.bind("value", to: "red", of: model, options: .twoWay)
/// ```
///
/// Whether a value that is set by the program is followed by an event does not matter. A control is heard by its events
/// only, also where it is observable besides. All is called on the thread of the change, but ``removeControlHandler(_:)``,
/// which is called on that which ends the binding.
public protocol KVControl: AnyObject, KeyValueCoding {
  /// Reads what the control shows; by default the value of the key.
  ///
  /// - Parameter key: The key that is bound.
  /// - Throws: ``KVError`` if there is no such value.
  func controlValue(forKey key: String) throws(KVError) -> Any?

  /// Shows a value; by default it sets the key.
  ///
  /// - Parameters:
  ///   - value: The value, which fits the key if the table has it.
  ///   - key: The key that is bound.
  /// - Throws: ``KVError`` if the control cannot show it.
  func setControlValue(_ value: Any?, forKey key: String) throws(KVError)

  /// Adds a function to those that are called at an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - handler: What is called, on the thread of the event.
  /// - Returns: What ``removeControlHandler(_:)`` needs to find the function; it must not keep the control alive. Nil if
  ///   the control never sends the event.
  func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any?

  /// Removes a function, which is not called any more.
  ///
  /// - Parameter token: What ``addControlHandler(for:_:)`` returned.
  func removeControlHandler(_ token: Any)
}

extension KVControl {
  /// The value of the key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value, without optionals around it.
  /// - Throws: ``KVError``, as reading the key.
  public func controlValue(forKey key: String) throws(KVError) -> Any? { try value(forKey: key) }

  /// Sets the key.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key.
  /// - Throws: ``KVError``, as setting the key.
  public func setControlValue(_ value: Any?, forKey key: String) throws(KVError) { try setValue(value, forKey: key) }
}

/// What a control tells.
public enum KVControlEvent: Sendable, Hashable, CaseIterable {
  /// The user has changed the value.
  case valueChanged
  /// The user is done with changing it: has let go of the slider, has left the field.
  ///
  /// It commits a binding with the trigger ``KVUpdateTrigger/onCommit``. A control that never sends `valueChanged` has
  /// changed when it sends this.
  case committed
}
