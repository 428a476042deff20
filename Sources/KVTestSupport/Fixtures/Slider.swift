import KVCore

extension KVFixtures {
  /// A control: it sends events when its user moves it, and is not observed.
  open class Slider: KVControl {
    /// What it shows, from 0 to 1; a value outside becomes the nearer end.
    public var value: Double { didSet { value = min(max(value, 0), 1) } }
    /// Who listens.
    public let handlers = KVControlHandlers()

    /// Makes a slider.
    ///
    /// - Parameter value: What it shows.
    public init(_ value: Double = 0.5) { self.value = value }

    /// The key of a slider.
    open class var keyTable: KVTable { KVTable(Slider.self) { key in key("value", \.value) } }

    /// Adds a function to those that are called at an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - handler: What is called.
    public func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
      handlers.add(for: event, handler)
    }

    /// Removes a function.
    ///
    /// - Parameter token: What ``addControlHandler(for:_:)`` returned.
    public func removeControlHandler(_ token: Any) { handlers.remove(token) }

    /// Does what a user does who drags: the value changes, and that is told.
    ///
    /// - Parameter value: The new value.
    public func drag(to value: Double) {
      self.value = value
      handlers.send(.valueChanged)
    }

    /// Does what a user does who is done: that is told.
    public func letGo() { handlers.send(.committed) }
  }
}
