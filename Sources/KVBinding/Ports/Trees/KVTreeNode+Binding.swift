import KVCore

extension KVTreeNode {
  /// Binds a key path of the receiver to the data object of a node of the tree, by a textual declaration (NOD.1).
  ///
  /// ```swift
  /// try label.bindTo("@superviewWithClass[FruitCell].dataObject.name", "text")
  /// try label.bindTo("bindTo.@rootview.title", "text")      // equals @rootview.dataObject.title
  /// ```
  ///
  /// The node path is resolved once, by this call. Its operators are those of ``KVTreeOperators``; all other components
  /// are keys that lead to a node. The result is an ordinary binding whose source is the node that was found. It
  /// follows a new data object of that node, is unresolved without one, and ends with either node.
  ///
  /// - Parameters:
  ///   - declaration: `<node path>.dataObject.<data path>`, optionally preceded by `bindTo.`. Without a node path it is
  ///     the receiver's own data object. Before a single key `dataObject` may be omitted (NOD.4).
  ///   - path: The key path from the receiver, or its text.
  ///   - options: The options of the binding.
  ///   - updating: How the binding follows the data object; nil for the setting of the node that is found.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Returns: The binding.
  /// - Throws: ``KVError``: `invalidKeyPath` and `unknownOperator` with the offset of the fault; `operatorFailed` with
  ///   the operator and the node; `unresolvedPath` or `typeMismatch` if keys of the node path do not lead to a node;
  ///   the errors of `bind`. Nothing is bound then.
  @discardableResult
  public func bindTo(
    _ declaration: String, _ path: some KVKeyPathConvertible, options: KVBindingOptions = .oneWay,
    updating: KVTreeUpdating? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVPathBinding {
    let core = try treeCore(declaration, path.keyPath(), options, updating, Site(file, line))
    try core.begin()
    return core.binding
  }

  /// Binds several key paths of the receiver, or none of them if a declaration is faulty (NOD.1).
  ///
  /// If a value cannot be set, the values that were set before are restored.
  ///
  /// ```swift
  /// try image.bindTo(["@rootview.dataObject.imageURL": "url", "@rootview.dataObject.color": "backgroundColor"])
  /// ```
  ///
  /// - Parameters:
  ///   - declarations: The declarations, each with a key path from the receiver, in the order of their evaluation.
  ///   - options: The options of the bindings.
  ///   - updating: How the bindings follow the data object; nil for the setting of the node that is found.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Returns: The bindings, in the same order.
  /// - Throws: ``KVError``: the errors of a single declaration; one error describes all faulty declarations.
  @discardableResult
  public func bindTo(
    _ declarations: KeyValuePairs<String, String>, options: KVBindingOptions = .oneWay,
    updating: KVTreeUpdating? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> [KVPathBinding] {
    try bindAll(declarations.map { ($0.key, $0.value) }, options, updating, Site(file, line))
  }

  /// Binds key paths of the receiver by the entries of a dictionary, such as the user-defined attributes of an
  /// interface file.
  ///
  /// - Parameters:
  ///   - attributes: The key paths from the receiver by declaration. The declarations are evaluated in the order of
  ///     their texts.
  ///   - options: The options of the bindings.
  ///   - updating: How the bindings follow the data object; nil for the setting of the node that is found.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Returns: The bindings, in the same order.
  /// - Throws: ``KVError``: the errors of a single declaration; one error describes all faulty declarations.
  @discardableResult
  public func bindTo(
    attributes: [String: String], options: KVBindingOptions = .oneWay, updating: KVTreeUpdating? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> [KVPathBinding] {
    try bindAll(attributes.ordered { $0.key }.map { ($0.key, $0.value) }, options, updating, Site(file, line))
  }

  /// Ends the bindings of a key path of the receiver that were declared by `bindTo`; its value stays.
  ///
  /// - Parameter path: The key path from the receiver as it was bound, or nil for all paths.
  /// - Returns: The number of bindings that ended.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  @discardableResult
  public func unbindTo(_ path: (some KVKeyPathConvertible)? = KVKeyPath?.none) throws(KVError) -> Int {
    let path = try path?.keyPath()
    let ended = Owners.bindings(to: self)
      .filter { $0.source is DataObjectEndpoint && (path == nil || $0.target.path == path) }
    for core in ended { core.cancel() }
    return ended.count
  }

  // MARK: Implementation

  private func treeCore(
    _ declaration: String, _ path: KVKeyPath, _ options: KVBindingOptions, _ updating: KVTreeUpdating?, _ site: Site
  ) throws(KVError) -> BindingCore {
    let declaration = try TreeDeclaration(declaration, options)
    let source = try DataObjectEndpoint(
      try declaration.node(from: self), declaration.dataPath, declarer: self, updating)
    return BindingCore(source, .target(self, try options.reachable(path)), options, site: site)
  }

  private func bindAll(
    _ declarations: [(String, String)], _ options: KVBindingOptions, _ updating: KVTreeUpdating?, _ site: Site
  ) throws(KVError) -> [KVPathBinding] {
    var cores: [BindingCore] = []
    var faults: [KVError] = []
    var sentences: [String] = []
    func report(_ error: KVError, _ declaration: (String, String)) {
      faults.append(error)
      sentences.append("\"\(declaration.0)\" for \"\(declaration.1)\": \(error)")
    }
    for declaration in declarations {
      do throws(KVError) {
        cores.append(try treeCore(declaration.0, declaration.1.keyPath(), options, updating, site))
      } catch {
        report(error, declaration)
      }
    }
    var before: [EndpointSnapshot] = []
    if faults.isEmpty {
      before = cores.flatMap { [EndpointSnapshot($0.source), EndpointSnapshot($0.target)] }
      for (core, declaration) in zip(cores, declarations) {
        do throws(KVError) { try core.begin() } catch { report(error, declaration) }
      }
    }
    guard let first = faults.first else { return cores.map(\.binding) }
    for core in cores.reversed() { core.cancel() }
    for endpoint in before.reversed() { endpoint.restore() }
    guard faults.count > 1 else { throw first }
    if sentences.count > Limits.faults {
      sentences = sentences.prefix(Limits.faults) + ["These are the first \(Limits.faults)."]
    }
    // Each sentence has its own paths.
    throw KVError(
      first.code,
      "\(faults.count) of \(declarations.count) declarations of \(type(of: self)) are faulty, and none was bound: "
        + sentences.joined(separator: " "),
      rootType: "\(type(of: self))")
  }
}
