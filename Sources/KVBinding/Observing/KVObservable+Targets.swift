import KVCore

extension KVObservable {
  /// Registers an action of a target for the changes of a key path (TGT.1).
  ///
  /// The target is referenced weakly. The registration ends with the target, with the observed object, by its token, or
  /// by ``removeTarget(_:_:forKeyPath:)``. The action is also called for equal values (TGT.4), unless the options contain
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
  /// - Returns: A token that can cancel or pause the registration. It may be discarded.
  /// - Throws: ``KVError``: the errors of `observe`. Nothing is registered then.
  @discardableResult
  public func addTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>, forKeyPath path: some KVKeyPathConvertible,
    options: KVObservingOptions = [], file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVObservation {
    try add(target, action, [path.keyPath()], options, Site(file, line))
  }

  /// Registers an action of a target for the changes of several key paths (TGT.2).
  ///
  /// - Parameters:
  ///   - target: The target of the action.
  ///   - action: The action to call.
  ///   - paths: The key paths or their texts, each with its own registration. If one of them cannot be observed, none
  ///     is registered.
  ///   - options: The times of the calls. With ``KVObservingOptions/initial``, the action is also called before the
  ///     method returns: once in total, or once per path if it takes the record.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Returns: A token that can cancel or pause the registration. It may be discarded.
  /// - Throws: ``KVError``: the errors of `observe`. Nothing is registered then.
  @discardableResult
  public func addTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>, forKeyPaths paths: [any KVKeyPathConvertible],
    options: KVObservingOptions = [], file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVObservation {
    try add(target, action, paths.keyPaths(), options, Site(file, line))
  }

  private func add<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>, _ paths: [KVKeyPath], _ options: KVObservingOptions, _ site: Site
  ) throws(KVError) -> KVObservation {
    // An action without parameter is called once in total, after all paths have been registered.
    let callsOnce = options.contains(.initial) && !action.takesChange
    let options = (callsOnce ? options.subtracting(.initial) : options).union([.old, .new])
    let registrations = paths.map { Registration($0, options, site, owner: target, .action(action)) }
    try Registration.begin(registrations, at: self)
    let observation = KVObservation(registrations, cancelsOnDeinit: false)
    guard callsOnce else { return observation }
    registrations.first?.receiveInitial(self)
    return observation
  }
}
