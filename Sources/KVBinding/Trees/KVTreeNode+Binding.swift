import KVCore

extension KVTreeNode {
  /// Binds a path of the receiver to the data object of some node of the tree, as text (NOD.1).
  ///
  /// ```swift
  /// try label.bindTo("@superviewWithClass[FruitCell].dataObject.name", "text")
  /// try label.bindTo("bindTo.@rootview.title", "text")      // the same as @rootview.dataObject.title
  /// ```
  ///
  /// The way through the tree is looked up once, now; the operators are those of ``KVTreeOperators``, everything else in it
  /// is a key that leads to a node. The rest is an ordinary binding, whose source is the node that was found: it goes on when that
  /// gets another data object, is unresolved as long as it has none, and ends with either node.
  ///
  /// - Parameters:
  ///   - declaration: `<node path>.dataObject.<data path>`, with or without `bindTo.` before it. Without a node path the
  ///     receiver's own data object is meant; before a single key `dataObject` may be left out (NOD.4).
  ///   - path: The path from the receiver, or its text.
  ///   - options: How the binding works.
  ///   - updating: How it follows the data object; nil for what the node that is found says.
  ///   - file: Where it is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Returns: The binding.
  /// - Throws: ``KVError``: `invalidKeyPath` and `unknownOperator` with the offset of the fault; `operatorFailed`, which names the
  ///   operator and the node; else as `bind`. Nothing is bound then.
  @discardableResult
  public func bindTo(
    _ declaration: String, _ path: some KVKeyPathConvertible, options: KVBindingOptions = .oneWay,
    updating: KVTreeUpdating? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVPathBinding {
    let core = try treeCore(declaration, path.keyPath(), options, updating, Site(file, line))
    try core.begin()
    return KVPathBinding(core)
  }

  /// Binds many paths of the receiver, or none of them if a declaration is faulty.
  ///
  /// ```swift
  /// try image.bindTo(["@rootview.dataObject.imageURL": "url", "@rootview.dataObject.color": "backgroundColor"])
  /// ```
  ///
  /// - Parameters:
  ///   - declarations: The declarations, each with the path from the receiver, in the order in which they are to be
  ///     evaluated.
  ///   - options: How the bindings work.
  ///   - updating: How they follow the data object; nil for what the node that is found says.
  ///   - file: Where they are listed; the caller's file.
  ///   - line: The caller's line.
  /// - Returns: The bindings, in this order.
  /// - Throws: ``KVError``, as for one; it tells of all declarations that are faulty.
  @discardableResult
  public func bindTo(
    _ declarations: KeyValuePairs<String, String>, options: KVBindingOptions = .oneWay,
    updating: KVTreeUpdating? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> [KVPathBinding] {
    try bindAll(declarations.map { ($0.key, $0.value) }, options, updating, Site(file, line))
  }

  /// Binds what stands in a dictionary, such as the user-defined attributes of an interface file.
  ///
  /// - Parameters:
  ///   - attributes: The paths from the receiver by declaration; evaluated in the order of the declarations as texts.
  ///   - options: How the bindings work.
  ///   - updating: How they follow the data object; nil for what the node that is found says.
  ///   - file: Where they are listed; the caller's file.
  ///   - line: The caller's line.
  /// - Returns: The bindings, in this order.
  /// - Throws: ``KVError``, as for one; it tells of all declarations that are faulty.
  @discardableResult
  public func bindTo(
    attributes: [String: String], options: KVBindingOptions = .oneWay, updating: KVTreeUpdating? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> [KVPathBinding] {
    try bindAll(attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, options, updating, Site(file, line))
  }

  /// Ends the bindings of a path of the receiver that were declared by `bindTo`; its value stays.
  ///
  /// - Parameter path: The path from the receiver, as it was bound; nil for all paths.
  /// - Returns: How many ended.
  /// - Throws: ``KVError`` with the code `invalidKeyPath` if a text is none.
  @discardableResult
  public func unbindTo(_ path: (some KVKeyPathConvertible)? = KVKeyPath?.none) throws(KVError) -> Int {
    let path = try path?.keyPath()
    let ended = Owners.bindings(to: self)
      .filter { $0.source is DataObjectEnd && (path == nil || $0.target.path == path) }
    for core in ended { core.end() }
    return ended.count
  }

  // MARK: How

  private func treeCore(
    _ declaration: String, _ path: KVKeyPath, _ options: KVBindingOptions, _ updating: KVTreeUpdating?, _ site: Site
  ) throws(KVError) -> BindingCore {
    let declaration = try TreeDeclaration(declaration)
    let source = try DataObjectEnd(
      try declaration.node(from: self), declaration.dataPath, declarer: self, updating)
    return BindingCore(source, .target(self, path), options, site: site)
  }

  private func bindAll(
    _ declarations: [(String, String)], _ options: KVBindingOptions, _ updating: KVTreeUpdating?, _ site: Site
  ) throws(KVError) -> [KVPathBinding] {
    var cores: [BindingCore] = []
    var faults: [KVError] = []
    for (declaration, path) in declarations {
      do throws(KVError) {
        cores.append(try treeCore(declaration, path.keyPath(), options, updating, site))
      } catch {
        faults.append(error)
      }
    }
    if faults.isEmpty {
      for core in cores {
        do throws(KVError) { try core.begin() } catch { faults.append(error) }
      }
    }
    guard let first = faults.first else { return cores.map { KVPathBinding($0) } }
    for core in cores { core.end() }
    guard faults.count > 1 else { throw first }
    throw KVError(
      first.code,
      "\(faults.count) of \(declarations.count) declarations of \(type(of: self)) are faulty, and none was bound: "
        + faults.map(\.description).joined(separator: " "),
      keyPath: first.keyPath, component: first.component, rootType: "\(type(of: self))")
  }
}
