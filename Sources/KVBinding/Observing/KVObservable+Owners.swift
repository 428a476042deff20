import KVCore

// Observations that belong to an owner (LIF.2): it is referenced weakly, passed to the handler, and its death ends
// them.

extension KVObservable {
  /// Observes a key path on behalf of an owner, which is referenced weakly and whose death ends the observation
  /// (LIF.2).
  ///
  /// - Parameters:
  ///   - path: The key path, or its text.
  ///   - options: The contents and times of the records.
  ///   - owner: The object that the observation belongs to.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives the owner and each record.
  /// - Returns: A token that can cancel or pause the observation. It may be discarded.
  /// - Throws: ``KVError``: the errors of the form without an owner.
  @discardableResult
  public func observe<Owner: AnyObject>(
    _ path: some KVKeyPathConvertible, options: KVObservingOptions = [.old, .new], owner: Owner,
    file: StaticString = #fileID, line: UInt = #line, handler: @escaping (Owner, KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    try register(path.keyPath(), options, Site(file, line), owner: owner, .owner(handler))
  }

  /// Observes several key paths on behalf of an owner with one handler, which finds the changed path in the record.
  ///
  /// - Parameters:
  ///   - paths: The key paths or their texts. If one of them cannot be observed, none is.
  ///   - options: The contents and times of the records.
  ///   - owner: The object that the observations belong to.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives the owner and each record.
  /// - Returns: One token for all paths. It may be discarded.
  /// - Throws: ``KVError``: the errors of the form with a single path.
  @discardableResult
  public func observe<Owner: AnyObject>(
    _ paths: [any KVKeyPathConvertible], options: KVObservingOptions = [.old, .new], owner: Owner,
    file: StaticString = #fileID, line: UInt = #line, handler: @escaping (Owner, KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    try register(paths, options, Site(file, line), owner: owner, .owner(handler))
  }

  /// Observes a key path with values of a known type on behalf of an owner.
  ///
  /// - Parameters:
  ///   - path: The key path, or its text.
  ///   - type: The type of the values, without an optional around it; nil values are passed as nil.
  ///   - options: The contents and times of the records.
  ///   - owner: The object that the observation belongs to.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives the owner and each record. A value that cannot be converted to the type (CO)
  ///     is passed as nil, and is reported as an error through ``KVDiagnostics``.
  /// - Returns: A token that can cancel or pause the observation. It may be discarded.
  /// - Throws: ``KVError``: the errors of the form without a type; `typeMismatch` if the table declares values that never
  ///   convert to the type (KVO.21).
  @inlinable @discardableResult
  public func observe<Owner: AnyObject, Value>(
    _ path: some KVKeyPathConvertible, as type: Value.Type, options: KVObservingOptions = [.old, .new], owner: Owner,
    file: StaticString = #fileID, line: UInt = #line, handler: @escaping (Owner, KVValueChange<Value>) -> Void
  ) throws(KVError) -> KVObservation {
    let path = try path.keyPath()
    try checkValues(of: path, fit: type)
    let owned = WeakReference(owner)
    let deliver = typedDelivery(type) { change in if let owner = owned.object { handler(owner, change) } }
    return try register(path, options, Site(file, line), owner: owner, values: deliver)
  }
}
