import KVBinding
import KVCore

/// A control without a toolkit: it tells when its user moves it, and is no `KVObservable`.
class SliderControl: KVControl {
  var value: Double {
    didSet {
      sets += 1
      if !range.contains(value) { value = min(max(value, range.lowerBound), range.upperBound) }
      if sendsForPrograms { handlers.send(.valueChanged) }
    }
  }
  let range: ClosedRange<Double>
  /// Whether a value that is set by the program is followed by an event, as with some toolkits.
  let sendsForPrograms: Bool
  var sets = 0
  let handlers = KVControlHandlers()

  init(_ value: Double = 0.5, in range: ClosedRange<Double> = 0...1, sendsForPrograms: Bool = false) {
    self.value = value
    self.range = range
    self.sendsForPrograms = sendsForPrograms
  }

  static var keyTable: KVTable { KVTable(SliderControl.self) { key in key("value", \.value) } }

  func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
    handlers.add(for: event, handler)
  }

  func removeControlHandler(_ token: Any) { handlers.remove(token) }

  /// What the user does.
  func drag(to value: Double, isDone: Bool = true) {
    self.value = value
    if !sendsForPrograms { handlers.send(.valueChanged) }
    if isDone { handlers.send(.committed) }
  }
}

/// A control whose value is no key, and which only tells when its user is done.
final class Terminal: KVControl {
  private var line = ""
  private let handlers = KVControlHandlers()

  func controlValue(forKey key: String) throws(KVError) -> Any? { line }
  func setControlValue(_ value: Any?, forKey key: String) throws(KVError) { line = "\(value ?? "")" }

  func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
    event == .committed ? handlers.add(for: event, handler) : nil
  }

  func removeControlHandler(_ token: Any) { handlers.remove(token) }

  func enter(_ line: String) {
    self.line = line
    handlers.send(.committed)
  }

  var shown: String { line }
}

/// A control that never tells of anything.
final class Lamp: KVControl {
  var brightness = 0.0
  static var keyTable: KVTable { KVTable(Lamp.self) { key in key("brightness", \.brightness) } }
  func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? { nil }
  func removeControlHandler(_ token: Any) {}
}

/// Holds a control.
final class Panel: KVObject {
  @KVProperty var slider: SliderControl?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Panel.self) { key in key("slider", \.slider) }
  }
}

/// Holds controls for good, and is no `KVObservable`.
final class Desk: KeyValueCoding {
  let slider = SliderControl()
  let lamp = Lamp()
}

/// Holds a control for good.
final class Rack: KVObject {
  let slider = SliderControl()
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Rack.self) { key in key("slider", \.slider) }
  }
}
