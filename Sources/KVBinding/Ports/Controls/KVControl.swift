import KVCore

/// An object that sends events when its user changes it and is not observed: a slider, a text field, a device.
///
/// A control can be the target of a binding. Its events propagate its value to the source (CTL.1):
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
/// A value that the program sets may or may not send an event. Only its events notify a binding of changes, even if the
/// control is observable. All methods are called on the thread of the change, except for ``removeControlHandler(_:)``,
/// which is called on the thread that ends the binding.
public protocol KVControl: AnyObject, KeyValueCoding {
  /// Returns the value that the control shows; by default the value of the key.
  ///
  /// - Parameter key: The bound key.
  /// - Returns: The value, or nil.
  /// - Throws: ``KVError`` if there is no such value.
  func controlValue(forKey key: String) throws(KVError) -> Any?

  /// Shows a value; by default sets the value of the key.
  ///
  /// - Parameters:
  ///   - value: The value, which is converted to the type of the key if the table declares the key.
  ///   - key: The bound key.
  /// - Throws: ``KVError`` if the control cannot show the value.
  func setControlValue(_ value: Any?, forKey key: String) throws(KVError)

  /// Adds a handler for an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - handler: A closure to call on the thread of the event.
  /// - Returns: A token for ``removeControlHandler(_:)``, which must not keep the control alive; nil if the control
  ///   never sends the event.
  func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any?

  /// Removes a handler, which is not called any more.
  ///
  /// - Parameter token: The token that ``addControlHandler(for:_:)`` returned.
  func removeControlHandler(_ token: Any)
}

extension KVControl {
  /// Returns the value of the key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value, without optionals around it.
  /// - Throws: ``KVError``: the errors of reading the key.
  public func controlValue(forKey key: String) throws(KVError) -> Any? { try value(forKey: key) }

  /// Sets the value of the key.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key.
  /// - Throws: ``KVError``: the errors of setting the key.
  public func setControlValue(_ value: Any?, forKey key: String) throws(KVError) { try setValue(value, forKey: key) }
}
