import KVBinding
import KVCore

/// A control without a toolkit: it tells when its user moves it, and is no `KVObservable`.
open class SliderControl: KVControl {
  package var value: Double {
    didSet {
      sets += 1
      if !range.contains(value) { value = min(max(value, range.lowerBound), range.upperBound) }
      if sendsForPrograms { handlers.send(.valueChanged) }
    }
  }
  package let range: ClosedRange<Double>
  /// Whether a value that is set by the program is followed by an event, as with some toolkits.
  package let sendsForPrograms: Bool
  package var sets = 0
  package let handlers = KVControlHandlers()

  package init(_ value: Double = 0.5, in range: ClosedRange<Double> = 0...1, sendsForPrograms: Bool = false) {
    self.value = value
    self.range = range
    self.sendsForPrograms = sendsForPrograms
  }

  /// Its only key.
  public static var keyTable: KVTable { KVTable(SliderControl.self) { key in key("value", \.value) } }

  open func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
    handlers.add(for: event, handler)
  }

  /// Removes a handler.
  public func removeControlHandler(_ token: Any) { handlers.remove(token) }

  /// What the user does.
  package func drag(to value: Double, isDone: Bool = true) {
    self.value = value
    if !sendsForPrograms { handlers.send(.valueChanged) }
    if isDone { handlers.send(.committed) }
  }
}

/// A control whose value is no key, and which only tells when its user is done.
package final class Terminal: KVControl {
  private var line = ""
  private let handlers = KVControlHandlers()

  package init() {}

  package func controlValue(forKey key: String) throws(KVError) -> Any? { line }
  package func setControlValue(_ value: Any?, forKey key: String) throws(KVError) { line = "\(value ?? "")" }

  package func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
    event == .committed ? handlers.add(for: event, handler) : nil
  }

  package func removeControlHandler(_ token: Any) { handlers.remove(token) }

  package func enter(_ line: String) {
    self.line = line
    handlers.send(.committed)
  }

  package var shown: String { line }
}

/// A control that never tells of anything.
package final class Lamp: KVControl {
  package var brightness = 0.0

  package init() {}
  package static var keyTable: KVTable { KVTable(Lamp.self) { key in key("brightness", \.brightness) } }
  package func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? { nil }
  package func removeControlHandler(_ token: Any) {}
}

/// Holds a control.
package final class Panel: KVObject {
  @KVProperty package var slider: SliderControl?

  package override class var keyTable: KVTable {
    super.keyTable.extended(for: Panel.self) { key in key("slider", \.slider) }
  }
}

/// Holds controls for good, and is no `KVObservable`.
package final class Desk: KeyValueCoding {
  package let slider = SliderControl()
  package let lamp = Lamp()

  package init() {}
}

/// Holds a control for good.
package final class Rack: KVObject {
  package let slider = SliderControl()
  package override class var keyTable: KVTable {
    super.keyTable.extended(for: Rack.self) { key in key("slider", \.slider) }
  }
}
