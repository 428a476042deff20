import KVBinding
import KVTestSupport

extension KVFixtures {
  /// A control, which sends events when its user moves it and is not observed.
  class Slider: KVControl {
    /// The value of the slider, from 0 to 1; values outside are limited to this range.
    var value: Double { didSet { value = min(max(value, 0), 1) } }
    /// The handlers of the slider's events.
    let handlers = KVControlHandlers()

    /// Creates a slider.
    ///
    /// - Parameter value: The value of the slider.
    init(_ value: Double = 0.5) { self.value = value }

    /// The key of a slider.
    class var keyTable: KVTable { KVTable(Slider.self) { key in key("value", \.value) } }

    /// Adds a handler for an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - handler: The closure to call.
    /// - Returns: A token for ``removeControlHandler(_:)``.
    func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
      handlers.add(for: event, handler)
    }

    /// Removes a handler.
    ///
    /// - Parameter token: The token that ``addControlHandler(for:_:)`` returned.
    func removeControlHandler(_ token: Any) { handlers.remove(token) }

    /// Simulates a user who drags the slider: the value changes, and the event `valueChanged` is sent.
    ///
    /// - Parameter value: The new value.
    func drag(to value: Double) {
      self.value = value
      handlers.send(.valueChanged)
    }

    /// Simulates a user who releases the slider: the event `committed` is sent.
    func letGo() { handlers.send(.committed) }
  }
}
