import KVBinding

/// A text that the user cannot change.
final class Label: BrowserControl {
  let handlers = KVControlHandlers()
  var isChanged = true
  var text: String? { didSet { isChanged = true } }

  static var keyTable: KVTable { KVTable(Label.self) { key in key("text", \.text) } }
  var shown: [String: Any?] { ["text": text] }
}
