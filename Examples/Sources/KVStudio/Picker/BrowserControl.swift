import KVBinding

/// A control that is drawn by a browser: the page shows its values, and sends what its user does with it.
protocol BrowserControl: KVControl {
  var handlers: KVControlHandlers { get }
  /// The key that the user changes; nil if the control only shows something.
  static var editedKey: String? { get }
  /// What the page shows.
  var shown: [String: Any?] { get }
  /// Whether the page has not been sent what the control shows.
  var isChanged: Bool { get set }
}

/// How many bytes a text has that a page sends or shows in a field.
let fieldLimit = 1000

extension BrowserControl {
  static var editedKey: String? { nil }

  func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
    handlers.add(for: event, handler)
  }

  func removeControlHandler(_ token: Any) { handlers.remove(token) }

  /// Takes a value that the user has chosen, and sends the event.
  ///
  /// A committed value has changed before: the browser may have left out the event of that.
  ///
  /// - Throws: `KVError` if the control cannot have the value. Nothing is changed then.
  func receive(_ value: Any?, _ event: KVControlEvent) throws {
    guard let key = Self.editedKey else {
      throw Refusal(422, "This control only shows a value.")
    }
    if let text = value as? String, text.utf8.count > fieldLimit {
      throw KVError(.invalidValue, "The text is longer than \(fieldLimit) bytes.")
    }
    try setValue(value, forKey: key)
    handlers.send(.valueChanged)
    if event == .committed { handlers.send(.committed) }
  }
}
