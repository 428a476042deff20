import KVCore

extension KeyValueCoding where Self: AnyObject {
  /// Binds a key path of the receiver to a key path of a source, whose changes are propagated to it (BND).
  ///
  /// ```swift
  /// try label.bind("text", to: "title", of: song)
  /// ```
  ///
  /// The value of the source is set before the method returns. The binding references both objects weakly, and lives as
  /// long as both of them. The result can cancel and inspect it, and may be discarded.
  ///
  /// - Parameters:
  ///   - path: The key path from the receiver, or its text.
  ///   - sourcePath: The key path from the source, or its text.
  ///   - source: The object whose changes are propagated.
  ///   - options: The options of the binding.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Returns: The binding.
  /// - Throws: ``KVError``, as ``KVPathBinding/init(from:_:to:_:options:file:line:)``.
  @discardableResult
  public func bind(
    _ path: some KVKeyPathConvertible, to sourcePath: some KVKeyPathConvertible, of source: some KVObservable,
    options: KVBindingOptions = .oneWay, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVPathBinding {
    try begin(path.keyPath(), sourcePath.keyPath(), source, options, nil, nil, nil, Site(file, line))
  }

  /// Binds a key path of the receiver to a key path of a source, whose values a function transforms (RZDataBinding's
  /// `bindKey:toKeyPath:ofObject:withTransform:`).
  ///
  /// ```swift
  /// try label.bind("text", to: "progress", of: download) { (progress: Double) in "\(Int(progress * 100)) %" }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The key path from the receiver, or its text.
  ///   - sourcePath: The key path from the source, or its text.
  ///   - source: The object whose changes are propagated.
  ///   - options: The options of the binding, without a transformer.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - transform: Returns the value for the receiver. The value of the source is converted to its parameter (CO). If
  ///     that is not optional, nil is propagated as nil.
  /// - Returns: The binding.
  /// - Throws: ``KVError``, as ``KVPathBinding/init(from:_:to:_:options:file:line:)``.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func bind<Input, Output>(
    _ path: some KVKeyPathConvertible, to sourcePath: some KVKeyPathConvertible, of source: some KVObservable,
    options: KVBindingOptions = .oneWay, file: StaticString = #fileID, line: UInt = #line,
    transform: @escaping (Input) throws -> Output
  ) throws(KVError) -> KVPathBinding {
    try begin(
      path.keyPath(), sourcePath.keyPath(), source, options, KVTransformer(confined: nil, forward: transform),
      .of(transform), nil, Site(file, line))
  }

  /// Binds a key path of the receiver to a key path of a source, with a function for each direction.
  ///
  /// ```swift
  /// try field.bind(
  ///   "text", to: "age", of: user, options: .twoWay, transform: { (age: Int) in "\(age)" },
  ///   reverse: { (text: String) in Int(text) ?? 0 })
  /// ```
  ///
  /// - Parameters:
  ///   - path: The key path from the receiver, or its text.
  ///   - sourcePath: The key path from the source, or its text.
  ///   - source: The object whose value is propagated when the binding is made.
  ///   - options: The options of the binding, without a transformer.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - transform: Returns the value for the receiver.
  ///   - reverse: Returns the value for the source.
  /// - Returns: The binding.
  /// - Throws: ``KVError``, as ``KVPathBinding/init(from:_:to:_:options:file:line:)``.
  @inlinable
  @discardableResult
  public func bind<Input, Output>(
    _ path: some KVKeyPathConvertible, to sourcePath: some KVKeyPathConvertible, of source: some KVObservable,
    options: KVBindingOptions = .twoWay, file: StaticString = #fileID, line: UInt = #line,
    transform: @escaping (Input) throws -> Output, reverse: @escaping (Output) throws -> Input
  ) throws(KVError) -> KVPathBinding {
    let forward = KVTransformer.refusingDescriptions(nil, isForward: true, transform)
    let backward = KVTransformer.refusingDescriptions(nil, isForward: false, reverse)
    return try begin(
      path.keyPath(), sourcePath.keyPath(), source, options,
      KVTransformer(confined: nil, forward: forward, reverse: backward), .of(forward), .of(backward), Site(file, line))
  }

  /// Binds a key path of the receiver to several sources, whose values are combined.
  ///
  /// ```swift
  /// try button.bind("isEnabled", toAll: [.init(form, "isComplete"), .init(session, "isOpen")], by: .and)
  /// ```
  ///
  /// - Parameters:
  ///   - path: The key path from the receiver, or its text.
  ///   - sources: The sources, at least one. The binding ends when one of them is deallocated.
  ///   - combiner: Combines their values into one.
  ///   - options: The options of the binding, which must be one-way. The transformer is applied to the combined value,
  ///     and the null placeholder replaces each nil.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Returns: The binding.
  /// - Throws: ``KVError``: as ``KVPathBinding/init(from:_:to:_:options:file:line:)``; `unresolvedPath` if a source
  ///   has been deallocated.
  @discardableResult
  public func bind(
    _ path: some KVKeyPathConvertible, toAll sources: [KVBindingSource], by combiner: KVCombiner,
    options: KVBindingOptions = .oneWay, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVPathBinding {
    let path = try options.limited(path.keyPath())
    let endpoints = try sources.map { source throws(KVError) in try source.makeEndpoint(options) }
    guard let first = endpoints.first else {
      throw KVError(.unsupported, "\"\(path)\" was to be bound to no source at all: give at least one.")
    }
    let core = BindingCore(
      first, others: Array(endpoints.dropFirst()), combiner: combiner, .target(self, path), options,
      site: Site(file, line))
    try core.begin()
    return core.binding
  }

  /// Cancels bindings of a key path of the receiver; its value stays (BND.9).
  ///
  /// - Parameters:
  ///   - path: The key path from the receiver, as it was bound; nil for all key paths.
  ///   - sourcePath: The key path from the source, as it was bound; nil for all key paths.
  ///   - source: The source; nil for all objects.
  /// - Returns: The number of cancelled bindings.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if a text is not a key path.
  /// - Complexity: O(*n*) in the number of bindings of the receiver, or of observers of the source if these are fewer and
  ///   no binding of the process has a control, a data object of a tree or a path that cannot notify as its source.
  @discardableResult
  public func unbind(
    _ path: (some KVKeyPathConvertible)? = KVKeyPath?.none,
    from sourcePath: (some KVKeyPathConvertible)? = KVKeyPath?.none, of source: AnyObject? = nil
  ) throws(KVError) -> Int {
    let path = try path?.keyPath()
    let sourcePath = try sourcePath?.keyPath()
    // The bindings of the source or those of the target, whichever are fewer.
    let candidates = source.flatMap { BindingRegistry.bindings(of: $0, ifFewerThanTo: self) } ?? boundCores
    let ended = candidates.filter { core in
      (path == nil || core.target.path == path)
        && ([core.source] + core.others).contains { endpoint in
          (sourcePath == nil || endpoint.path == sourcePath) && (source == nil || endpoint.object === source)
        }
    }
    for core in ended { core.cancel() }
    if ended.isEmpty {
      KVDiagnostics.report(.warning, .unmatchedRemoval, path, self) {
        "unbind ends nothing: no binding of \(path.map { "\"\($0)\" of " } ?? "")\(type(of: self)) matches. KVDiagnostics.bindings(of:) lists its bindings."
      }
    }
    return ended.count
  }

  /// Cancels all bindings whose target is the receiver, in the order in which they were made.
  ///
  /// - Returns: The number of cancelled bindings.
  @discardableResult
  public func unbindAll() -> Int {
    let cores = boundCores
    for core in cores { core.cancel() }
    return cores.count
  }

  /// Commits all pending changes of the receiver (``KVUpdateTrigger/onCommit``; Cocoa's `commitEditing`).
  ///
  /// They are committed in the order in which the bindings were made.
  ///
  /// - Throws: ``KVError``: the first failure. The other changes are committed nevertheless.
  public func commitEditing() throws(KVError) {
    try forEachBound { core throws(KVError) in try core.commit() }
  }

  /// Discards all changes of the receiver that have not been committed (Cocoa's `discardEditing`).
  ///
  /// - Throws: ``KVError``: the first failure.
  public func discardEditing() throws(KVError) {
    try forEachBound { core throws(KVError) in try core.discard() }
  }

  /// Calls a function with each binding whose target is the receiver; throws the first failure when all were called.
  private func forEachBound(_ body: (BindingCore) throws(KVError) -> Void) throws(KVError) {
    var failure: KVError?
    for core in boundCores {
      do throws(KVError) { try body(core) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// The bindings whose target is the receiver, in the order in which they were made.
  private var boundCores: [BindingCore] { Owners.bindings(to: self) }

  @usableFromInline
  func begin(
    _ path: KVKeyPath, _ sourcePath: KVKeyPath, _ source: some KVObservable, _ options: KVBindingOptions,
    _ transform: KVTransformer?, _ forward: TypedMap?, _ backward: TypedMap?, _ site: Site
  ) throws(KVError) -> KVPathBinding {
    let endpoint = BindingEndpoint(source, try options.limited(sourcePath))
    return try begin(path, endpoint, options, transform, forward, backward, site)
  }

  /// Binds a key path of the receiver to a key path of a source that the binding retains.
  ///
  /// The policy of the options limits the path of the receiver alone.
  ///
  /// - Parameter name: The name of the source in listings and errors.
  package func bind(
    _ path: KVKeyPath, toRetained source: some KVObservable, _ sourcePath: KVKeyPath, named name: String,
    _ options: KVBindingOptions, _ transform: KVTransformer?, _ forward: TypedMap?, _ site: Site
  ) throws(KVError) -> KVPathBinding {
    try begin(path, RetainingEndpoint(source, sourcePath, typeName: name), options, transform, forward, nil, site)
  }

  /// Begins a binding to an endpoint.
  private func begin(
    _ path: KVKeyPath, _ source: BindingEndpoint, _ options: KVBindingOptions, _ transform: KVTransformer?,
    _ forward: TypedMap?, _ backward: TypedMap?, _ site: Site
  ) throws(KVError) -> KVPathBinding {
    if options.transformer != nil, transform != nil {
      throw KVError(
        .unsupported,
        """
        the binding of "\(path)" was given a function and the option transformer: leave one out, or join them with \
        then(_:).
        """, keyPath: path.description, rootType: "\(type(of: self))")
    }
    let core = BindingCore(
      source, .target(self, try options.limited(path)), options, transform: transform,
      maps: TypedMaps(forward, backward), site: site)
    try core.begin()
    return core.binding
  }
}
