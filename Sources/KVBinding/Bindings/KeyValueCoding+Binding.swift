import KVCore

extension KeyValueCoding where Self: AnyObject {
  /// Binds a path of the receiver to one of another object, which it follows from now on (BND).
  ///
  /// ```swift
  /// try label.bind("text", to: "title", of: song)
  /// ```
  ///
  /// The receiver takes the value before the call returns. The binding lives as long as both objects, neither of which
  /// it keeps alive; what is returned is for ending and inspecting it, and may be thrown away.
  ///
  /// - Parameters:
  ///   - path: The path from the receiver, or its text.
  ///   - sourcePath: The path from the source, or its text.
  ///   - source: The object that is followed.
  ///   - options: How the binding works.
  ///   - file: Where it is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Returns: The binding.
  /// - Throws: ``KVError``, as ``KVPathBinding/init(from:_:to:_:options:file:line:)``.
  @discardableResult
  public func bind(
    _ path: some KVKeyPathConvertible, to sourcePath: some KVKeyPathConvertible, of source: some KVObservable,
    options: KVBindingOptions = .oneWay, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVPathBinding {
    try begin(path.keyPath(), sourcePath.keyPath(), source, options, nil, nil, nil, Site(file, line))
  }

  /// Binds a path of the receiver to one of another object, whose values a function turns into the receiver's
  /// (RZDataBinding's `bindKey:toKeyPath:ofObject:withTransform:`).
  ///
  /// ```swift
  /// try label.bind("text", to: "progress", of: download) { (progress: Double) in "\(Int(progress * 100)) %" }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path from the receiver, or its text.
  ///   - sourcePath: The path from the source, or its text.
  ///   - source: The object that is followed.
  ///   - options: How the binding works; their transformer is replaced by the function.
  ///   - file: Where it is listed; the caller's file.
  ///   - line: The caller's line.
  ///   - transform: Returns the value for the receiver. The source's value is made to fit its parameter (CO); unless
  ///     that is optional, nil passes as nil.
  /// - Returns: The binding.
  /// - Throws: ``KVError``, as ``KVPathBinding/init(from:_:to:_:options:file:line:)``.
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

  /// Binds a path of the receiver to one of another object, with functions for both ways.
  ///
  /// ```swift
  /// try field.bind(
  ///   "text", to: "age", of: user, options: .twoWay, transform: { (age: Int) in "\(age)" },
  ///   reverse: { (text: String) in Int(text) ?? 0 })
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path from the receiver, or its text.
  ///   - sourcePath: The path from the source, or its text.
  ///   - source: The object whose value counts at the beginning.
  ///   - options: How the binding works; their transformer is replaced by the functions.
  ///   - file: Where it is listed; the caller's file.
  ///   - line: The caller's line.
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
    try begin(
      path.keyPath(), sourcePath.keyPath(), source, options,
      KVTransformer(confined: nil, forward: transform, reverse: reverse), .of(transform), .of(reverse), Site(file, line)
    )
  }

  /// Binds a path of the receiver to several sources, whose values are combined.
  ///
  /// ```swift
  /// try button.bind("isEnabled", toAll: [.init(form, "isComplete"), .init(session, "isOpen")], by: .and)
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path from the receiver, or its text.
  ///   - sources: The sources, at least one. The binding ends with any of them.
  ///   - combiner: Makes one value of theirs.
  ///   - options: How the binding works; values go one way only. The transformer is applied to the combined value, the
  ///     null placeholder stands in for each nil.
  ///   - file: Where it is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Returns: The binding.
  /// - Throws: ``KVError``: as ``KVPathBinding/init(from:_:to:_:options:file:line:)``; `unresolvedPath` if a source is
  ///   gone.
  @discardableResult
  public func bind(
    _ path: some KVKeyPathConvertible, toAll sources: [KVBindingSource], by combiner: KVCombiner,
    options: KVBindingOptions = .oneWay, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVPathBinding {
    let path = try path.keyPath()
    let endpoints = try sources.map { source throws(KVError) in try source.makeEndpoint() }
    guard let first = endpoints.first else {
      throw KVError(.unsupported, "\"\(path)\" was to be bound to no source at all: give at least one.")
    }
    let core = BindingCore(
      first, others: Array(endpoints.dropFirst()), combiner: combiner, .target(self, path), options,
      site: Site(file, line))
    try core.begin()
    return KVPathBinding(core)
  }

  /// Ends bindings of a path of the receiver; its value stays (BND.9).
  ///
  /// - Parameters:
  ///   - path: The path from the receiver, as it was bound; nil for all paths.
  ///   - sourcePath: The path from the source, as it was bound; nil for all paths.
  ///   - source: The source; nil for all objects.
  /// - Returns: How many ended.
  /// - Throws: ``KVError`` with the code `invalidKeyPath` if a text is none.
  @discardableResult
  public func unbind(
    _ path: (some KVKeyPathConvertible)? = KVKeyPath?.none,
    from sourcePath: (some KVKeyPathConvertible)? = KVKeyPath?.none, of source: AnyObject? = nil
  ) throws(KVError) -> Int {
    let path = try path?.keyPath()
    let sourcePath = try sourcePath?.keyPath()
    let ended = boundCores.filter { core in
      (path == nil || core.target.path == path)
        && ([core.source] + core.others).contains { endpoint in
          (sourcePath == nil || endpoint.path == sourcePath) && (source == nil || endpoint.object === source)
        }
    }
    for core in ended { core.cancel() }
    return ended.count
  }

  /// Ends all bindings whose target is the receiver, in the order in which they were made.
  ///
  /// - Returns: How many ended.
  @discardableResult
  public func unbindAll() -> Int {
    let cores = boundCores
    for core in cores { core.cancel() }
    return cores.count
  }

  /// Commits all changes of the receiver that wait for it (``KVUpdateTrigger/onCommit``; Cocoa's `commitEditing`).
  ///
  /// They are committed in the order in which the bindings were made.
  ///
  /// - Throws: ``KVError``: the first failure; those after it are committed all the same.
  public func commitEditing() throws(KVError) {
    try forEachBound { core throws(KVError) in try core.commit() }
  }

  /// Sets all changes of the receiver back that wait to be committed (Cocoa's `discardEditing`).
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
    let core = BindingCore(
      BindingEndpoint(source, sourcePath), .target(self, path), options, transform: transform,
      maps: TypedMaps(forward, backward), site: site)
    try core.begin()
    return KVPathBinding(core)
  }
}

extension KVObservable {
  /// Binds one path of the receiver to another one (Block-KVO's `map:to:transform:`).
  ///
  /// ```swift
  /// try example.map("property.progress", to: "property.title") { (part: Double) in "\(Int(part * 100)) %" }
  /// ```
  ///
  /// - Parameters:
  ///   - sourcePath: The path that is followed, or its text.
  ///   - path: The path that follows, or its text.
  ///   - options: How the binding works.
  ///   - file: Where it is listed; the caller's file.
  ///   - line: The caller's line.
  ///   - transform: Returns the value that follows.
  /// - Returns: The binding.
  /// - Throws: ``KVError``, as `bind`.
  @inlinable
  @discardableResult
  public func map<Input, Output>(
    _ sourcePath: some KVKeyPathConvertible, to path: some KVKeyPathConvertible, options: KVBindingOptions = .oneWay,
    file: StaticString = #fileID, line: UInt = #line, transform: @escaping (Input) throws -> Output
  ) throws(KVError) -> KVPathBinding {
    try bind(path, to: sourcePath, of: self, options: options, file: file, line: line, transform: transform)
  }

  /// Binds one path of the receiver to another one, with a value for nil (Block-KVO's `map:to:null:`).
  ///
  /// - Parameters:
  ///   - sourcePath: The path that is followed, or its text.
  ///   - path: The path that follows, or its text.
  ///   - placeholder: What the path gets for nil; nil for nil itself.
  ///   - file: Where it is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Returns: The binding.
  /// - Throws: ``KVError``, as `bind`.
  @discardableResult
  public func map(
    _ sourcePath: some KVKeyPathConvertible, to path: some KVKeyPathConvertible,
    null placeholder: (any Sendable)? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVPathBinding {
    try bind(
      path, to: sourcePath, of: self, options: KVBindingOptions(nullPlaceholder: placeholder), file: file, line: line)
  }
}
