import KVBinding

/// A field for text: a program shows any text in it, and a user types one of limited length.
final class TextField: BrowserControl {
  let handlers = KVControlHandlers()
  var isChanged = true
  var text: String? { didSet { isChanged = true } }

  static var keyTable: KVTable {
    KVTable(TextField.self) { key in
      key("text", \.text)
    }
  }
  static var editedKey: String? { "text" }
  var shown: [String: Any?] { ["text": text] }
}
