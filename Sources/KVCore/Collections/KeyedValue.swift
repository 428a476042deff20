/// A dictionary.
protocol KeyedValue: CollectionValue {
  /// The names of all entries that can be named by a string, each once.
  var entryNames: [String] { get }
  /// All entries by name; nil where a key has no name or shares it with another one, so that entries would be lost.
  var namedEntries: [(name: String, value: Any?)]? { get }
  /// Returns an entry; nil if it is missing or nil.
  func entry(_ name: String) -> Any?
  /// Returns a copy with an entry set, or removed if the value is nil; nil if keys are not made from strings.
  func settingEntry(_ name: String, to value: Any?) throws(CoercionFailure) -> Any?
}
