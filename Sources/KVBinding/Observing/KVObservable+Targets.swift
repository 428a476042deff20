import KVCore

extension KVObservable {
  /// Registers an action of a target for the changes of a key path (TGT.1).
  ///
  /// The target is referenced weakly. The registration ends with the target, with the observed object, or by
  /// ``removeTarget(_:_:forKeyPath:)``. The action is also called for equal values (TGT.4). Its record has the old and
  /// the new value.
  ///
  /// - Parameters:
  ///   - target: The target of the action.
  ///   - action: The action to call.
  ///   - path: The key path, or its text.
  ///   - callImmediately: Whether the action is also called once before the method returns, without an old value.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: the errors of `observe`. Nothing is registered then.
  public func addTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>, forKeyPath path: some KVKeyPathConvertible,
    callImmediately: Bool = false, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try add(target, action, [path.keyPath()], callImmediately, isCoalesced: false, Site(file, line))
  }

  /// Registers an action of a target for the changes of several key paths (TGT.2).
  ///
  /// - Parameters:
  ///   - target: The target of the action.
  ///   - action: The action to call.
  ///   - paths: The key paths, each with its own registration. If one of them cannot be observed, none is registered.
  ///   - callImmediately: Whether the action is also called before the method returns: once in total, or once per path
  ///     if it takes the record.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: the errors of `observe`. Nothing is registered then.
  public func addTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>, forKeyPaths paths: [KVKeyPath], callImmediately: Bool = false,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try add(target, action, paths, callImmediately, isCoalesced: false, Site(file, line))
  }

  /// Registers an action for the changes of a key path, which are coalesced within `KVCoalescing.coalesce` (COA.2,
  /// COA.3).
  ///
  /// - Parameters:
  ///   - proxy: A proxy of the target.
  ///   - action: The action to call.
  ///   - path: The key path, or its text.
  ///   - callImmediately: Whether the action is also called before the method returns, or at the end of the current
  ///     scope.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: the errors of `observe`. Nothing is registered then.
  public func addTarget<Target: AnyObject>(
    _ proxy: KVCoalescingProxy<Target>, _ action: KVAction<Target>, forKeyPath path: some KVKeyPathConvertible,
    callImmediately: Bool = false, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try add(proxy.target, action, [path.keyPath()], callImmediately, isCoalesced: true, Site(file, line))
  }

  /// Registers an action for the changes of key paths, which are coalesced within `KVCoalescing.coalesce` (COA.2,
  /// COA.3).
  ///
  /// - Parameters:
  ///   - proxy: A proxy of the target.
  ///   - action: The action to call.
  ///   - paths: The key paths, each with its own registration. If one of them cannot be observed, none is registered.
  ///   - callImmediately: Whether the action is also called before the method returns, or at the end of the current
  ///     scope.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: the errors of `observe`. Nothing is registered then.
  public func addTarget<Target: AnyObject>(
    _ proxy: KVCoalescingProxy<Target>, _ action: KVAction<Target>, forKeyPaths paths: [KVKeyPath],
    callImmediately: Bool = false, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try add(proxy.target, action, paths, callImmediately, isCoalesced: true, Site(file, line))
  }

  /// Removes all registrations of a target for a key path; other kinds of observations stay (TGT.3).
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - action: The action, or nil for all actions.
  ///   - path: The key path as it was registered.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  public func removeTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>? = nil, forKeyPath path: some KVKeyPathConvertible
  ) throws(KVError) {
    removeTarget(target, action, forKeyPaths: [try path.keyPath()])
  }

  /// Removes all registrations of a target for several key paths (TGT.3).
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - action: The action, or nil for all actions.
  ///   - paths: The key paths as they were registered. Paths without a registration are ignored.
  public func removeTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>? = nil, forKeyPaths paths: [KVKeyPath]
  ) {
    for registration in ObserverRegistrar.existing(of: self)?.registrations ?? []
    where registration.owner === target && paths.contains(registration.path) {
      guard case .action(let name, _) = registration.kind, action == nil || action?.name == name else { continue }
      registration.cancel()
    }
  }

  /// Removes all registrations of a proxy's target for a key path (TGT.3).
  ///
  /// - Parameters:
  ///   - proxy: A proxy of the target.
  ///   - action: The action, or nil for all actions.
  ///   - path: The key path as it was registered.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  public func removeTarget<Target: AnyObject>(
    _ proxy: KVCoalescingProxy<Target>, _ action: KVAction<Target>? = nil, forKeyPath path: some KVKeyPathConvertible
  ) throws(KVError) {
    try removeTarget(proxy.target, action, forKeyPath: path)
  }

  /// Removes all registrations of a proxy's target for several key paths (TGT.3).
  ///
  /// - Parameters:
  ///   - proxy: A proxy of the target.
  ///   - action: The action, or nil for all actions.
  ///   - paths: The key paths as they were registered. Paths without a registration are ignored.
  public func removeTarget<Target: AnyObject>(
    _ proxy: KVCoalescingProxy<Target>, _ action: KVAction<Target>? = nil, forKeyPaths paths: [KVKeyPath]
  ) {
    removeTarget(proxy.target, action, forKeyPaths: paths)
  }

  private func add<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>, _ paths: [KVKeyPath], _ callImmediately: Bool, isCoalesced: Bool,
    _ site: Site
  ) throws(KVError) {
    var options: KVObservingOptions = isCoalesced ? [.old, .new, .coalesced] : [.old, .new]
    if callImmediately, action.takesChange { options.insert(.initial) }
    let sink = Sink.action(action)
    let registrations = paths.map { Registration($0, options, site, owner: target, sink) }
    try Registration.begin(registrations, at: self)
    guard callImmediately, !action.takesChange else { return }
    if let first = registrations.first { first.receiveInitial(self) } else { action.call(target, nil) }
  }
}
