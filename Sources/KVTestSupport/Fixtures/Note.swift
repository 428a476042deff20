import KVCore

extension KVFixtures {
  /// An object that cannot be observed, but can be read, written and bound as a target.
  open class Note: KeyValueCoding {
    /// A string.
    public var text: String
    /// An array.
    public var lines: [String] = []

    /// Creates a note.
    ///
    /// - Parameter text: The text.
    public init(_ text: String = "") { self.text = text }

    /// The keys of a note.
    open class var keyTable: KVTable {
      KVTable(Note.self) { key in
        key("text", \.text)
        key("lines", \.lines)
      }
    }
  }
}
