import KVBinding

/// A slider from 0 to 1.
final class Slider: BrowserControl {
  let handlers = KVControlHandlers()
  var isChanged = true
  var value = 0.5 { didSet { isChanged = true } }

  static var keyTable: KVTable {
    KVTable(Slider.self) { key in
      key("value", { $0.value }, set: { (slider: Slider, value: Double) throws in try slider.set(value) })
    }
  }
  static var editedKey: String? { "value" }
  var shown: [String: Any?] { ["value": value] }

  private func set(_ value: Double) throws {
    guard value >= 0, value <= 1 else {
      throw KVError(.invalidValue, "A slider has a value from 0 to 1, not \(value).")
    }
    self.value = value
  }
}
