import KVCore

extension KVFixtures {
  /// An object that cannot be observed, but can be read, written and bound as a target.
  package class Note: KeyValueCoding {
    /// A string.
    package var text: String
    /// An array.
    package var lines: [String] = []

    /// Creates a note.
    ///
    /// - Parameter text: The text.
    package init(_ text: String = "") { self.text = text }

    /// The keys of a note.
    package class var keyTable: KVTable {
      KVTable(Note.self) { key in
        key("text", \.text)
        key("lines", \.lines)
      }
    }
  }
}
