import KVCore

/// The operators that lead from one node of a tree to another: the built-in ones of NOD.2, and a program's own.
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
  /// What stands in brackets behind an operator.
  public enum Argument: Sendable, Hashable {
    /// Nothing.
    case none
    /// A whole number, blanks around it allowed.
    case integer
    /// Any text; in quotes where it holds brackets.
    case text
  }

  /// Finds a node; nil if there is none.
  public typealias Body = @Sendable (Call) throws -> (any KVTreeNode)?

  struct Definition: Sendable {
    let argument: Argument
    let body: Body
    /// Says why there is no node.
    let reason: @Sendable (Call) -> String
  }

  private static let custom = Locked<[String: Definition]>([:])

  /// Adds an operator for the whole process.
  ///
  /// - Parameters:
  ///   - name: The name, without `@`; a name that was registered before gets the new meaning.
  ///   - argument: What stands in brackets behind it.
  ///   - body: Finds a node; nil if there is none. What it throws is the cause of an `operatorFailed` error.
  /// - Throws: ``KVError``: `invalidKeyPath` if the name could not stand in a path, `unsupported` if it is a built-in's.
  public static func register(
    _ name: String, argument: Argument = .none, _ body: @escaping Body
  ) throws(KVError) {
    _ = try KVKeyPath(components: [.operator(name, argument: nil)])
    guard builtIn[name] == nil else {
      throw KVError(.unsupported, "@\(name) is built in and keeps its meaning; choose another name.")
    }
    let definition = Definition(argument: argument, body: body, reason: { _ in "it found none" })
    custom.withLock { $0[name] = definition }
  }

  /// Removes an operator that was registered; others are left alone.
  ///
  /// - Parameter name: The name, without `@`.
  public static func unregister(_ name: String) { custom.withLock { _ = $0.removeValue(forKey: name) } }

  /// The names of all operators, sorted: built-in and registered.
  public static var names: [String] { (Array(builtIn.keys) + custom.withLock { Array($0.keys) }).sorted() }

  static func definition(_ name: String) -> Definition? { builtIn[name] ?? custom.withLock { $0[name] } }
}
