/// A dictionary of any key and value types.
protocol KeyedValue: CollectionValue {
  /// The names of the entries whose keys have a name, each once.
  var entryNames: [String] { get }
  /// All entries by name, or `nil` if a key has no name or shares its name with another key, so that entries would be
  /// lost.
  var namedEntries: [(name: String, value: Any?)]? { get }
  /// Returns the value of an entry, or `nil` if it is missing or nil.
  func entry(_ name: String) -> Any?
  /// Returns whether there is an entry, whose value may be nil.
  func hasEntry(_ name: String) -> Bool
  /// Returns a copy with an entry set, or removed if the value is nil; `nil` if keys cannot be created from strings.
  func settingEntry(_ name: String, to value: Any?, with coercion: Coercion) throws(CoercionFailure) -> Any?
}

extension KeyedValue {
  var keyed: (any KeyedValue)? { self }
}

/// Returns a value as a dictionary, or `nil` if it is none.
func keyedValue(_ any: Any) -> (any KeyedValue)? { collectionValue(any)?.keyed }
