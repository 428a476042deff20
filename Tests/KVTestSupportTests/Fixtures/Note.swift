import KVBinding
import KVTestSupport

extension KVFixtures {
  /// An object that cannot be observed, but can be read, written and bound as a target.
  class Note: KeyValueCoding {
    /// A string.
    var text: String
    /// An array.
    var lines: [String] = []

    /// Creates a note.
    ///
    /// - Parameter text: The text.
    init(_ text: String = "") { self.text = text }

    /// The keys of a note.
    class var keyTable: KVTable {
      KVTable(Note.self) { key in
        key("text", \.text)
        key("lines", \.lines)
      }
    }
  }
}
