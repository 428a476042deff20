import KVCore

extension KVObservable {
  /// Registers an action of a target for the changes of a key path (TGT.1).
  ///
  /// The target is referenced weakly. The registration ends with the target, with the observed object, or by
  /// ``removeTarget(_:_:forKeyPath:)``. The action is also called for equal values (TGT.4), unless the options contain
  /// ``KVObservingOptions/distinct``. Its record has the old and the new value.
  ///
  /// - Parameters:
  ///   - target: The target of the action.
  ///   - action: The action to call.
  ///   - path: The key path, or its text.
  ///   - options: The times of the calls. With ``KVObservingOptions/initial``, the action is also called once before
  ///     the method returns, without an old value. With ``KVObservingOptions/coalesced``, calls within
  ///     `KVCoalescing.coalesce` are merged and made at its end (COA.2, COA.3).
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: the errors of `observe`. Nothing is registered then.
  public func addTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>, forKeyPath path: some KVKeyPathConvertible,
    options: KVObservingOptions = [], file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try add(target, action, [path.keyPath()], options, Site(file, line))
  }

  /// Registers an action of a target for the changes of several key paths (TGT.2).
  ///
  /// - Parameters:
  ///   - target: The target of the action.
  ///   - action: The action to call.
  ///   - paths: The key paths, each with its own registration. If one of them cannot be observed, none is registered.
  ///   - options: The times of the calls. With ``KVObservingOptions/initial``, the action is also called before the
  ///     method returns: once in total, or once per path if it takes the record.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: the errors of `observe`. Nothing is registered then.
  public func addTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>, forKeyPaths paths: [KVKeyPath], options: KVObservingOptions = [],
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try add(target, action, paths, options, Site(file, line))
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
  ///   - paths: The key paths as they were registered. If none has a registration, a warning is
  ///     reported.
  public func removeTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>? = nil, forKeyPaths paths: [KVKeyPath]
  ) {
    var isFound = false
    defer { if !isFound { reportVainRemoval(of: target, action?.name, paths) } }
    for registration in ObserverRegistrar.existing(of: self)?.registrations ?? []
    where registration.owner === target && paths.contains(registration.path) {
      guard case .action(let name, _) = registration.kind, action == nil || action?.name == name else { continue }
      isFound = true
      registration.cancel()
    }
  }

  private func reportVainRemoval(of target: AnyObject, _ action: String?, _ paths: [KVKeyPath]) {
    KVDiagnostics.report(.warning, .unmatchedRemoval, paths.first, self) {
      """
      removeTarget removes nothing: \(action.map { "the action \"\($0)\"" } ?? "any action") of \(type(of: target)) is not \
      registered for \(paths.map { "\"\($0)\"" }.joined(separator: ", ")) of \(type(of: self)). \
      KVDiagnostics.observations(of:) lists what is.
      """
    }
  }

  private func add<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>, _ paths: [KVKeyPath], _ options: KVObservingOptions, _ site: Site
  ) throws(KVError) {
    // An action without parameter is called once in total, after all paths have been registered.
    let callsOnce = options.contains(.initial) && !action.takesChange
    let options = (callsOnce ? options.subtracting(.initial) : options).union([.old, .new])
    let registrations = paths.map { Registration($0, options, site, owner: target, .action(action)) }
    try Registration.begin(registrations, at: self)
    guard callsOnce else { return }
    if let first = registrations.first { first.receiveInitial(self) } else { action.call(target, nil) }
  }
}
