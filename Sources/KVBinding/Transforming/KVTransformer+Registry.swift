import KVCore

// The registry of built-in transformers and of those that a program registers (TRN.2).
extension KVTransformer {
  private static let custom = Locked<[String: KVTransformer]>([:])

  /// Registers a transformer under a name for the whole process.
  ///
  /// - Parameters:
  ///   - transformer: The transformer.
  ///   - name: The name.
  ///   - replacing: Whether it may replace a registered or built-in transformer of the same name (TRN.4).
  /// - Throws: ``KVError`` (`unsupported`) if the name is taken, unless `replacing` is true.
  public static func register(
    _ transformer: KVTransformer, named name: String, replacing: Bool = false
  ) throws(KVError) {
    let transformer = KVTransformer(name, transformer.forward, transformer.backward)
    let isBuiltIn =
      builtIn[name] != nil || FileTransformers.names.contains(name) || name.utf8.starts(with: formatPrefix.utf8)
    let old = custom.withLock { custom -> KVTransformer? in
      let old = custom[name]
      if replacing || (old == nil && !isBuiltIn) { custom[name] = transformer }
      return old
    }
    guard !replacing, old != nil || isBuiltIn else { return }
    throw KVError(
      .unsupported,
      """
      the name "\(name)" is that of a transformer that is \(old != nil ? "registered already" : "built in"): choose \
      another name, or pass replacing: true.
      """, component: name)
  }

  /// Removes a registered transformer; a built-in name gets its built-in transformer again.
  ///
  /// - Parameter name: The name.
  public static func unregister(_ name: String) {
    custom.withLock { _ = $0.removeValue(forKey: name) }
  }

  /// Returns the transformer with a name.
  ///
  /// - Parameter name: A registered or built-in name, or `format:` followed by a number format, such as `format:%.2f`;
  ///   see ``format(_:)``.
  /// - Returns: The transformer, which has this name.
  /// - Throws: ``KVError``: `unknownTransformer` with the known names and the nearest of them, or with the library that
  ///   has the transformer and is not linked; `unsupported` for a malformed format.
  public static func named(_ name: String) throws(KVError) -> KVTransformer {
    if let known = custom.withLock({ $0[name] }) ?? builtIn[name] { return known }
    // By bytes: a format may begin with a mark that joins the colon.
    if name.utf8.starts(with: formatPrefix.utf8) {
      return try format(String(decoding: name.utf8.dropFirst(formatPrefix.utf8.count), as: UTF8.self))
    }
    if FileTransformers.names.contains(name) {
      throw KVError(
        .unknownTransformer,
        "the transformer \"\(name)\" is of the library KVDefinitions: depend on the library, and import it.",
        component: name)
    }
    let known = registeredNames
    let suggestion = Suggestion.nearest(to: name, among: known)
    throw KVError(
      .unknownTransformer,
      """
      unknown transformer "\(name)".\(Suggestion.question(suggestion)) Known transformers: \(Failure.list(known)).
      """, component: name, knownKeys: known, suggestion: suggestion)
  }

  /// The names of all built-in and registered transformers, sorted.
  ///
  /// - Complexity: O(*n* log *n*).
  public static var registeredNames: [String] {
    Set(builtIn.keys).union(custom.withLock { Array($0.keys) }).sorted()
  }
}
