import KVCore

/// The parsed and checked text of a declaration: `bindTo.<node path>.dataObject.<data path>` (NOD.1).
struct TreeDeclaration {
  /// The whole declaration as it was written, except for unnecessary quotes of arguments.
  let path: KVKeyPath
  /// The components of the path to the node.
  let nodePath: ArraySlice<KVKeyPath.Component>
  /// The path from the data object of that node.
  let dataPath: KVKeyPath
  /// The options, with the policy that limits the keys (DEF.5).
  private let options: KVBindingOptions

  /// Parses a declaration.
  ///
  /// - Parameters:
  ///   - text: The text of the declaration.
  ///   - options: The options, which say what the keys may reach.
  /// - Throws: ``KVError``: `invalidKeyPath` with the offset and what was expected there; `unknownOperator`; the errors
  ///   of a policy.
  init(_ text: String, _ options: KVBindingOptions) throws(KVError) {
    path = try text.keyPath()
    self.options = options
    let components = path.components
    let start = components.first == .key("bindTo") ? 1 : 0
    let remaining = components[start...]
    if let marker = remaining.firstIndex(of: .key("dataObject")) {
      nodePath = components[start..<marker]
      guard let dataPath = Self.path(components[(marker + 1)...]) else {
        throw Self.fault(path, components.count, "expected the path of a value behind \"dataObject\"")
      }
      self.dataPath = try options.reachable(dataPath)
    } else {
      guard case .key = remaining.last, let dataPath = Self.path(remaining.suffix(1)) else {
        throw Self.fault(path, components.count, "expected \"dataObject\" and the path of a value, or a single key")
      }
      nodePath = remaining.dropLast()
      self.dataPath = try options.reachable(dataPath)
    }
    for index in nodePath.indices { try Self.check(path, index) }
    if let nodePath = Self.path(nodePath) { _ = try options.reachable(nodePath) }
  }

  private static func path(_ components: ArraySlice<KVKeyPath.Component>) -> KVKeyPath? {
    components.isEmpty ? nil : try? KVKeyPath(components: Array(components))
  }

  // MARK: Checking

  private static func check(_ path: KVKeyPath, _ index: Int) throws(KVError) {
    guard case .operator(let name, let argument) = path.components[index] else { return }
    guard let definition = KVTreeOperators.definition(name) else {
      let known = KVTreeOperators.names
      let suggestion = Suggestion.nearest(to: name, among: known)
      throw KVError(
        .unknownOperator,
        """
        unknown operator "@\(name)" in "\(path)".\(Suggestion.question(suggestion.map { "@\($0)" })) Known operators of trees: \
        \(known.map { "@\($0)" }.joined(separator: ", ")).
        """, keyPath: path.description, component: "@\(name)", knownKeys: known, suggestion: suggestion,
        offset: offset(path, index))
    }
    switch (definition.argument, argument) {
    case (.none, nil), (.text, .some): return
    case (.integer, let text?):
      if Int(text.trimmed) == nil { throw fault(path, index, "expected a whole number", after: name) }
    case (.none, .some): throw fault(path, index, "@\(name) takes no argument; expected \".\"", after: name)
    case (.integer, nil): throw fault(path, index, "expected \"[\" and a whole number", after: name)
    case (.text, nil): throw fault(path, index, "expected \"[\" and a text", after: name)
    }
  }

  /// Returns the offset of a component in the text of a path, in characters.
  private static func offset(_ path: KVKeyPath, _ index: Int) -> Int {
    guard let before = path.prefix(index) else { return 0 }
    let takesDot = if case .index = path.components[index] { false } else { true }
    return before.description.count + (takesDot ? 1 : 0)
  }

  private static func fault(
    _ path: KVKeyPath, _ index: Int, _ expected: String, after name: String? = nil
  ) -> KVError {
    let offset =
      if let name {
        offset(path, index) + name.count + 1 + (expected.hasPrefix("expected a") ? 1 : 0)
      } else {
        path.description.count
      }
    return KVError(
      .invalidKeyPath, "\"\(path)\" declares no binding: at offset \(offset), \(expected).",
      keyPath: path.description, component: name.map { "@\($0)" }, offset: offset)
  }

  // MARK: Resolving the node path

  /// Returns the node at the end of the node path.
  ///
  /// - Parameter start: The node that declares the binding.
  /// - Returns: The node.
  /// - Throws: ``KVError``: `operatorFailed` with the operator and the node; `unresolvedPath` or `typeMismatch` if keys
  ///   do not lead to a node; the errors of reading a key.
  func node(from start: any KVTreeNode) throws(KVError) -> any KVTreeNode {
    var node = start
    var keys: [KVKeyPath.Component] = []
    do throws(KVError) {
      for component in nodePath {
        guard case .operator(let name, let argument) = component else {
          keys.append(component)
          continue
        }
        node = try follow(keys, from: node)
        keys = []
        node = try Self.apply(name, argument, component, at: node)
      }
      return try follow(keys, from: node)
    } catch {
      throw error.located(path: path.description, root: "\(type(of: start))")
    }
  }

  private static func apply(
    _ name: String, _ argument: String?, _ component: KVKeyPath.Component, at node: any KVTreeNode
  ) throws(KVError) -> any KVTreeNode {
    let text = argument ?? ""
    let call = KVTreeOperators.Call(node: node, text: text, number: Int(text.trimmed) ?? 0)
    var reason = "it is not registered any more"
    var cause: (any Error)?
    if let definition = KVTreeOperators.definition(name) {
      do {
        if let found = try definition.body(call) { return found }
        reason = definition.reason(call)
      } catch {
        reason = (error as? KVError)?.message ?? "\(error)"
        cause = error
      }
    }
    if reason.hasSuffix(".") { reason.removeLast() }
    throw KVError(
      .operatorFailed, "\(component) leads nowhere from \(KVTreeOperators.describe(node)): \(reason).",
      component: component.description, underlying: cause)
  }

  /// Returns the node that ordinary keys lead to.
  private func follow(_ keys: [KVKeyPath.Component], from node: any KVTreeNode) throws(KVError) -> any KVTreeNode {
    guard !keys.isEmpty else { return node }
    let keyPath = try KVKeyPath(components: keys)
    let found = try Reader(try options.reachable(keyPath)).value(of: node)
    if let found = found.flatMap({ objectCast($0, to: (any KVTreeNode).self) }) { return found }
    let what = found.map { withArticle(type(of: $0)) } ?? "nil"
    throw KVError(
      found == nil ? .unresolvedPath : .typeMismatch,
      """
      "\(keyPath)" of \(KVTreeOperators.describe(node)) leads to \(what), and not to a node of the tree. What stands \
      before "dataObject" leads through the tree; only before a single key "dataObject" may be left out.
      """, component: keys.last?.description)
  }
}
