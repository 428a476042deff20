import KVCore

/// The registry of tree operators, which find nodes of a tree: the built-in ones (NOD.2) and those that a program
/// registers.
///
/// ```swift
/// try KVTreeOperators.register("window") { call in
///   try call.nearestAncestor { $0 is Window }
/// }
/// try label.bindTo("@window.dataObject.title", "text")
/// ```
///
/// | operator | node |
/// |---|---|
/// | `@superview` | the parent |
/// | `@rootview` | the topmost ancestor, or the node itself if it has none |
/// | `@superviewWithTag[n]` | the nearest ancestor with the tag |
/// | `@superviewWithRestorationID[s]` | the nearest ancestor with the identifier |
/// | `@superviewWithClass[C]` | the nearest ancestor of the class or a subclass |
/// | `@cell` | the nearest ancestor that is a cell |
/// | `@subviews[i]` | the child at the index |
/// | `@subviewWithTag[n]` | the first child with the tag |
/// | `@subviewWithRestorationID[s]` | the first child with the identifier |
/// | `@subviewWithClass[C]` | the first child of the class or a subclass |
public enum KVTreeOperators {
  /// The kind of argument of an operator, in brackets.
  public enum Argument: Sendable, Hashable {
    /// No argument.
    case none
    /// An integer, which white space may surround.
    case integer
    /// Any text, quoted if it contains brackets.
    case text
  }

  typealias Body = @Sendable (Call) throws -> (any KVTreeNode)?

  struct Definition: Sendable {
    let argument: Argument
    let body: Body
    /// Returns the reason why no node was found.
    let reason: @Sendable (Call) -> String
  }

  private static let custom = Locked<[String: Definition]>([:])

  /// Registers an operator for the whole process.
  ///
  /// - Parameters:
  ///   - name: The name, with or without `@`.
  ///   - argument: The kind of argument.
  ///   - replacing: Whether it may replace a registered or built-in operator of the same name (TRN.4).
  ///   - body: A function that finds a node, or returns nil if there is none. An error that it throws is the
  ///     ``KVError/underlying`` error of an `operatorFailed` error.
  /// - Throws: ``KVError``: `invalidKeyPath` if the name cannot be written in a key path; `unsupported` if the name is
  ///   taken, unless `replacing` is true.
  public static func register(
    _ name: String, argument: Argument = .none, replacing: Bool = false,
    _ body: @escaping @Sendable (Call) throws -> (any KVTreeNode)?
  ) throws(KVError) {
    let name = try KVOperator.name(of: name)
    let definition = Definition(argument: argument, body: body, reason: { _ in "it found none" })
    let isRegistered = custom.withLock { custom in
      let isRegistered = custom[name] != nil || builtIn[name] != nil
      if replacing || !isRegistered { custom[name] = definition }
      return isRegistered
    }
    if isRegistered, !replacing { throw KVOperator.duplicateName(name, isBuiltIn: builtIn[name] != nil) }
  }

  /// Removes a registered operator; a built-in name gets its built-in operator again.
  ///
  /// - Parameter name: The name, with or without `@`.
  public static func unregister(_ name: String) {
    guard let name = try? KVOperator.name(of: name) else { return }
    custom.withLock { _ = $0.removeValue(forKey: name) }
  }

  /// The names of all built-in and registered operators, sorted.
  public static var names: [String] { Set(builtIn.keys).union(custom.withLock { Array($0.keys) }).sorted() }

  static func definition(_ name: String) -> Definition? { custom.withLock { $0[name] } ?? builtIn[name] }
}
