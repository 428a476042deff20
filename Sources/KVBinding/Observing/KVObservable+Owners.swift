import KVCore

// Observations that belong to an object (LIF.2): held weakly, it is handed to the handler, and ends them as it dies.

extension KVObservable {
  /// Observes a key path on behalf of an owner, which is held weakly: the observation lives as long as that (LIF.2).
  ///
  /// - Parameters:
  ///   - path: The path, or its text.
  ///   - options: What records carry, and when they come.
  ///   - owner: The object that the observation belongs to.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  ///   - handler: Called with the owner and each record.
  /// - Returns: A token for ending it early or pausing it; it may be thrown away.
  /// - Throws: ``KVError``, as the form without an owner.
  @discardableResult
  public func observe<Owner: AnyObject>(
    _ path: some KVKeyPathConvertible, options: KVObservingOptions = [.old, .new], owner: Owner,
    file: StaticString = #fileID, line: UInt = #line, handler: @escaping (Owner, KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let observation = OwnedObservation(try path.keyPath(), options, Site(file, line), owner: owner) { owner, change in
      if let change { handler(unsafeDowncast(owner, to: Owner.self), change) }
    }
    try observation.begin(at: self)
    return KVObservation(observation, endsWhenDropped: false)
  }

  /// Observes several key paths on behalf of an owner by one handler, which sees from the record which one changed.
  ///
  /// - Parameters:
  ///   - paths: The paths. If one of them cannot be observed, none is.
  ///   - options: What records carry, and when they come.
  ///   - owner: The object that the observation belongs to.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  ///   - handler: Called with the owner and each record.
  /// - Returns: One token for all of them; it may be thrown away.
  /// - Throws: ``KVError``, as for a single path.
  @discardableResult
  public func observe<Owner: AnyObject>(
    _ paths: [KVKeyPath], options: KVObservingOptions = [.old, .new], owner: Owner, file: StaticString = #fileID,
    line: UInt = #line, handler: @escaping (Owner, KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let observations = paths.map { path in
      OwnedObservation(path, options, Site(file, line), owner: owner) { owner, change in
        if let change { handler(unsafeDowncast(owner, to: Owner.self), change) }
      }
    }
    try Observation.begin(observations, at: self)
    return KVObservation(observations, endsWhenDropped: false)
  }

  /// Observes a key path whose value has a known type on behalf of an owner.
  ///
  /// - Parameters:
  ///   - path: The path, or its text.
  ///   - type: The type of the value, without an optional around it: nil comes as nil.
  ///   - options: What records carry, and when they come.
  ///   - owner: The object that the observation belongs to.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  ///   - handler: Called with the owner and each record. A value that does not convert to the type (CO) comes as nil, and
  ///     is reported as an error through ``KVDiagnostics``.
  /// - Returns: A token for ending it early or pausing it; it may be thrown away.
  /// - Throws: ``KVError``, as the form without a type.
  @inlinable @discardableResult
  public func observe<Owner: AnyObject, Value>(
    _ path: some KVKeyPathConvertible, as type: Value.Type, options: KVObservingOptions = [.old, .new], owner: Owner,
    file: StaticString = #fileID, line: UInt = #line, handler: @escaping (Owner, KVValueChange<Value>) -> Void
  ) throws(KVError) -> KVObservation {
    let path = try path.keyPath()
    let sink = typedSink(type) { [weak owner] change in if let owner { handler(owner, change) } }
    return try observe(path, options, Site(file, line), owner: owner, sink: sink)
  }

  @usableFromInline
  func observe(
    _ path: KVKeyPath, _ options: KVObservingOptions, _ site: Site, owner: AnyObject, sink: @escaping NoticeSink
  ) throws(KVError) -> KVObservation {
    let observation = OwnedTypedObservation(path, options, site, owner: owner, sink)
    try observation.begin(at: self)
    return KVObservation(observation, endsWhenDropped: false)
  }
}
