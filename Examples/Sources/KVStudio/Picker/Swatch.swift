import KVBinding

/// A square of a colour.
final class Swatch: BrowserControl {
  let handlers = KVControlHandlers()
  var isChanged = true
  var backgroundColor: PickerColor? { didSet { isChanged = true } }

  static var keyTable: KVTable { KVTable(Swatch.self) { key in key("backgroundColor", \.backgroundColor) } }
  var shown: [String: Any?] { ["backgroundColor": backgroundColor?.hex] }
}
