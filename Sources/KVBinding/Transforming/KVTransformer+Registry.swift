import KVCore

// The registry: built-in transformers, and a program's own (TRN.2).
extension KVTransformer {
  private static let custom = Locked<[String: KVTransformer]>([:])

  /// Makes a transformer known by a name, for the whole process.
  ///
  /// - Parameters:
  ///   - transformer: The transformer.
  ///   - name: The name. One that was registered before gets the new meaning, that of a built-in one too.
  public static func register(_ transformer: KVTransformer, named name: String) {
    let transformer = KVTransformer(name, transformer.forward, transformer.backward)
    custom.withLock { $0[name] = transformer }
  }

  /// Removes a transformer that was registered; a name that is built in has its own meaning again.
  ///
  /// - Parameter name: The name.
  public static func unregister(_ name: String) {
    custom.withLock { _ = $0.removeValue(forKey: name) }
  }

  /// Returns the transformer of a name.
  ///
  /// - Parameter name: A name that was registered, a built-in one, or `format:` followed by a format of numbers, such as
  ///   `format:%.2f`; see ``format(_:)``.
  /// - Returns: The transformer, with this name.
  /// - Throws: ``KVError`` with the code `unknownTransformer`, the known names and the nearest of them;
  ///   `unsupported` for a malformed format.
  public static func named(_ name: String) throws(KVError) -> KVTransformer {
    if let known = custom.withLock({ $0[name] }) ?? builtIn[name] { return known }
    if name.hasPrefix(formatPrefix) { return try format(String(name.dropFirst(formatPrefix.count))) }
    let known = registeredNames
    let suggestion = Suggestion.nearest(to: name, among: known)
    let question = suggestion.map { " Did you mean \"\($0)\"?" } ?? ""
    throw KVError(
      .unknownTransformer, "unknown transformer \"\(name)\".\(question) Known transformers: \(Failure.list(known)).",
      component: name, knownKeys: known, suggestion: suggestion)
  }

  /// The names of all transformers, sorted: built-in and registered.
  ///
  /// - Complexity: O(*n* log *n*).
  public static var registeredNames: [String] {
    Set(builtIn.keys).union(custom.withLock { Array($0.keys) }).sorted()
  }
}
