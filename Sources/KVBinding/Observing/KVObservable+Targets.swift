import KVCore

extension KVObservable {
  /// Calls an action of a target for each change of a path (TGT.1).
  ///
  /// The target is held weakly: the registration ends with it, or with the object, or by
  /// ``removeTarget(_:_:forKeyPath:)``. Equal values call it too (TGT.4). The record has old and new.
  ///
  /// - Parameters:
  ///   - target: Whose action it is.
  ///   - action: What is called.
  ///   - path: The path, or its text.
  ///   - callImmediately: Whether it is called once before this returns; without an old value.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Throws: ``KVError``, as `observe` does; nothing is registered then.
  public func addTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>, forKeyPath path: some KVKeyPathConvertible,
    callImmediately: Bool = false, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try add(target, action, [path.keyPath()], callImmediately, isCoalesced: false, Site(file, line))
  }

  /// Calls an action of a target for each change of several paths (TGT.2).
  ///
  /// - Parameters:
  ///   - target: Whose action it is.
  ///   - action: What is called.
  ///   - paths: The paths, each a registration of its own. If one cannot be observed, none is.
  ///   - callImmediately: Whether it is called before this returns: once in total, or once a path if it takes the record.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Throws: ``KVError``, as `observe` does.
  public func addTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>, forKeyPaths paths: [KVKeyPath], callImmediately: Bool = false,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try add(target, action, paths, callImmediately, isCoalesced: false, Site(file, line))
  }

  /// Calls an action of a target for each change of a path, merged inside of `KVCoalescing.coalesce` (COA.2, COA.3).
  ///
  /// - Parameters:
  ///   - proxy: A proxy of the target.
  ///   - action: What is called.
  ///   - path: The path, or its text.
  ///   - callImmediately: Whether it is called before this returns, or before the scope ends if there is one.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Throws: ``KVError``, as `observe` does.
  public func addTarget<Target: AnyObject>(
    _ proxy: KVCoalescingProxy<Target>, _ action: KVAction<Target>, forKeyPath path: some KVKeyPathConvertible,
    callImmediately: Bool = false, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try add(proxy.target, action, [path.keyPath()], callImmediately, isCoalesced: true, Site(file, line))
  }

  /// Calls an action of a target for each change of some paths, merged inside of `KVCoalescing.coalesce` (COA.2, COA.3).
  ///
  /// - Parameters:
  ///   - proxy: A proxy of the target.
  ///   - action: What is called.
  ///   - paths: The paths, each a registration of its own. If one cannot be observed, none is.
  ///   - callImmediately: Whether it is called before this returns, or before the scope ends if there is one.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Throws: ``KVError``, as `observe` does.
  public func addTarget<Target: AnyObject>(
    _ proxy: KVCoalescingProxy<Target>, _ action: KVAction<Target>, forKeyPaths paths: [KVKeyPath],
    callImmediately: Bool = false, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try add(proxy.target, action, paths, callImmediately, isCoalesced: true, Site(file, line))
  }

  /// Removes every registration of a target for a path that matches (TGT.3); other kinds of observation stay.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - action: The action; nil for all of them.
  ///   - path: The path, as it was registered.
  /// - Throws: ``KVError`` with the code `invalidKeyPath`.
  public func removeTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>? = nil, forKeyPath path: some KVKeyPathConvertible
  ) throws(KVError) {
    removeTarget(target, action, forKeyPaths: [try path.keyPath()])
  }

  /// Removes every registration of a target for any of some paths (TGT.3).
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - action: The action; nil for all of them.
  ///   - paths: The paths, as they were registered; those without a registration are passed over.
  public func removeTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>? = nil, forKeyPaths paths: [KVKeyPath]
  ) {
    for case let observation as OwnedObservation in ObserverRegistrar.existing(of: self)?.observations ?? []
    where observation.owner === target && paths.contains(observation.path) {
      guard let name = observation.action, action == nil || action?.name == name else { continue }
      observation.end()
    }
  }

  /// Removes every registration of a proxy's target for a path that matches.
  ///
  /// - Parameters:
  ///   - proxy: A proxy of the target.
  ///   - action: The action; nil for all of them.
  ///   - path: The path, as it was registered.
  /// - Throws: ``KVError`` with the code `invalidKeyPath`.
  public func removeTarget<Target: AnyObject>(
    _ proxy: KVCoalescingProxy<Target>, _ action: KVAction<Target>? = nil, forKeyPath path: some KVKeyPathConvertible
  ) throws(KVError) {
    try removeTarget(proxy.target, action, forKeyPath: path)
  }

  /// Removes every registration of a proxy's target for any of some paths.
  ///
  /// - Parameters:
  ///   - proxy: A proxy of the target.
  ///   - action: The action; nil for all of them.
  ///   - paths: The paths, as they were registered; those without a registration are passed over.
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
    let call = action.call
    let observations = paths.map { path in
      OwnedObservation(
        path, options, site, owner: target, action: action.name, wantsRecord: action.takesChange
      ) { target, change in call(unsafeDowncast(target, to: Target.self), change) }
    }
    try Observation.begin(observations, at: self)
    guard callImmediately, !action.takesChange else { return }
    if let first = observations.first { first.receiveInitial(self) } else { call(target, nil) }
  }
}

extension ObserverRegistrar {
  /// The observations of the object, in no particular order of their keys.
  var observations: [Observation] {
    var known: Set<ObjectIdentifier> = []
    var result: [Observation] = []
    for listener in allListeners {
      var observation = listener as? Observation
      if let link = listener as? PathLink, link.isAtRoot { observation = link.observer as? Observation }
      if let observation, known.insert(ObjectIdentifier(observation)).inserted { result.append(observation) }
    }
    return result
  }

  /// The observations of other objects whose paths lead through this one.
  var passingObservations: [Observation] {
    var known = Set(observations.map { ObjectIdentifier($0) })
    return allListeners.compactMap { listener in
      let observation = (listener as? PathLink)?.observer as? Observation
      return observation.flatMap { known.insert(ObjectIdentifier($0)).inserted ? $0 : nil }
    }
  }
}
