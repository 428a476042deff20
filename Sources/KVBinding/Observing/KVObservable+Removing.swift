import KVCore

// The removal of registrations that belong to a target or an owner.

extension KVObservable {
  /// Removes all registrations of an action of a target for a key path; other kinds of observations stay (TGT.3).
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - action: The action.
  ///   - path: The key path as it was registered.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  public func removeTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>, forKeyPath path: some KVKeyPathConvertible
  ) throws(KVError) {
    remove(target, action.name, [try path.keyPath()])
  }

  /// Removes all registrations of all actions of a target for a key path (TGT.3).
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - path: The key path as it was registered.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  public func removeTarget(_ target: AnyObject, forKeyPath path: some KVKeyPathConvertible) throws(KVError) {
    remove(target, nil, [try path.keyPath()])
  }

  /// Removes all registrations of an action of a target for several key paths (TGT.3).
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - action: The action.
  ///   - paths: The key paths as they were registered. A warning is reported if nothing is removed.
  public func removeTarget<Target: AnyObject>(
    _ target: Target, _ action: KVAction<Target>, forKeyPaths paths: [KVKeyPath]
  ) {
    remove(target, action.name, paths)
  }

  /// Removes all registrations of all actions of a target for several key paths (TGT.3).
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - paths: The key paths as they were registered. A warning is reported if nothing is removed.
  public func removeTarget(_ target: AnyObject, forKeyPaths paths: [KVKeyPath]) { remove(target, nil, paths) }

  /// Removes all registrations of all actions of a target (TGT.3).
  ///
  /// - Parameter target: The target.
  /// - Complexity: O(*n*) in the number of observers of the object, or of registrations of the target if these are fewer.
  public func removeTarget(_ target: AnyObject) { remove(target, nil, nil) }

  /// Removes all registrations that end with an owner: closures of the owner and actions of the target (TGT.3, OBS.3).
  ///
  /// Bindings stay, and observations that a token owns.
  ///
  /// - Parameter owner: The owner or target.
  /// - Returns: The number of removed registrations.
  /// - Complexity: As ``removeTarget(_:)``.
  @discardableResult
  public func removeObservations(ownedBy owner: AnyObject) -> Int {
    cancel(ownedBy: owner) { _ in true }
  }

  private func remove(_ target: AnyObject, _ action: String?, _ paths: [KVKeyPath]?) {
    let count = cancel(ownedBy: target) { registration in
      guard paths?.contains(registration.path) ?? true, case .action(let name, _) = registration.kind
      else { return false }
      return action == nil || action == name
    }
    guard count == 0 else { return }
    KVDiagnostics.report(.warning, .unmatchedRemoval, paths?.first, self) {
      let named = paths.map { $0.map { "\"\($0)\"" }.joined(separator: ", ") } ?? "any key path"
      let list = named.isEmpty ? "an empty list of key paths" : named
      return """
        removeTarget removes nothing: \(action.map { "the action \"\($0)\"" } ?? "any action") of \(type(of: target)) is \
        not registered for \(list) of \(type(of: self)). KVDiagnostics.observations(of:) lists what is.
        """
    }
  }

  private func cancel(ownedBy owner: AnyObject, where matches: (Registration) -> Bool) -> Int {
    guard let registrar = ObserverRegistrar.existing(of: self) else { return 0 }
    // Those of the object or those of the owner, whichever are fewer: many targets of one object are removed one after
    // the other, or one target of many objects.
    let isSmallOwner = registrar.hasMoreListeners(than: Owners.count(ownedBy: owner))
    let candidates = isSmallOwner ? Owners.registrations(ownedBy: owner, at: self) : registrar.registrations
    let ended = candidates.filter { $0.owner === owner && !$0.kind.isInternal && matches($0) }
    for registration in ended { registration.cancel() }
    return ended.count
  }
}
