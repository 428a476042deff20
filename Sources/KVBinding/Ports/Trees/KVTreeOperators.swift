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
  ///   - name: The name, without `@`. A registered operator of the same name is replaced.
  ///   - argument: The kind of argument.
  ///   - body: A function that finds a node, or returns nil if there is none. An error that it throws is the
  ///     ``KVError/underlying`` error of an `operatorFailed` error.
  /// - Throws: ``KVError``: `invalidKeyPath` if the name cannot be written in a key path, `unsupported` if it is the
  ///   name of a built-in operator.
  public static func register(
    _ name: String, argument: Argument = .none, _ body: @escaping @Sendable (Call) throws -> (any KVTreeNode)?
  ) throws(KVError) {
    _ = try KVKeyPath(components: [.operator(name, argument: nil)])
    guard builtIn[name] == nil else {
      throw KVError(.unsupported, "@\(name) is built in and keeps its meaning; choose another name.")
    }
    let definition = Definition(argument: argument, body: body, reason: { _ in "it found none" })
    custom.withLock { $0[name] = definition }
  }

  /// Removes a registered operator; built-in operators and unknown names are ignored.
  ///
  /// - Parameter name: The name, without `@`.
  public static func unregister(_ name: String) { custom.withLock { _ = $0.removeValue(forKey: name) } }

  /// The names of all built-in and registered operators, sorted.
  public static var names: [String] { (Array(builtIn.keys) + custom.withLock { Array($0.keys) }).sorted() }

  static func definition(_ name: String) -> Definition? { builtIn[name] ?? custom.withLock { $0[name] } }
}
