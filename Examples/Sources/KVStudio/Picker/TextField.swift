import KVBinding

/// A field for text.
final class TextField: BrowserControl {
  let handlers = KVControlHandlers()
  var isChanged = true
  var text: String? { didSet { isChanged = true } }

  static var keyTable: KVTable {
    KVTable(TextField.self) { key in
      key("text", { $0.text }, set: { (field: TextField, text: String?) throws in try field.set(text) })
    }
  }
  static var editedKey: String? { "text" }
  var shown: [String: Any?] { ["text": text] }

  private func set(_ text: String?) throws {
    guard (text?.utf8.count ?? 0) <= 1000 else { throw KVError(.invalidValue, "The text is longer than 1000 bytes.") }
    self.text = text
  }
}
