import KVCore

extension KVObservable {
  /// Observes a key path, and calls a handler with a record of each change (KVO.1).
  ///
  /// The handler runs synchronously on the thread that makes the change, in the order of registration (KVO.6). It runs
  /// outside of all locks: it may register and cancel observers and change values (KVO.7).
  ///
  /// - Parameters:
  ///   - path: The key path, or its text. It may go through objects, structs, dictionaries and indexes, and may end in
  ///     an operator. A change of any component notifies the handler (KVO.11).
  ///   - options: The contents and times of the records.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives each record.
  /// - Returns: A token. The observation ends when the token is dropped.
  /// - Throws: ``KVError``: `undefinedKey` if a key does not exist; `notObservable` if the path can never notify or
  ///   goes through the elements of a collection; `invalidKeyPath` (KVO.13); the errors of an operator in the path
  ///   (KVO.18).
  /// - Complexity: O(1) per component.
  public func observe(
    _ path: some KVKeyPathConvertible, options: KVObservingOptions = [.old, .new], file: StaticString = #fileID,
    line: UInt = #line, handler: @escaping (KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    try register(path.keyPath(), options, Site(file, line), .records(handler))
  }

  /// Observes a key path, and passes the handler its own observation, also with the initial record (KVO.22).
  ///
  /// ```swift
  /// let token = try model.observe("state", options: [.initial, .new]) { observation, change in
  ///   if change.new as? String == "ready" { observation.cancel() }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The key path, or its text.
  ///   - options: The contents and times of the records.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives the observation and each record.
  /// - Returns: A token, which is the observation that the handler receives. The observation ends when the token is
  ///   dropped.
  /// - Throws: ``KVError``: the errors of the form whose handler receives the record only.
  public func observe(
    _ path: some KVKeyPathConvertible, options: KVObservingOptions = [.old, .new], file: StaticString = #fileID,
    line: UInt = #line, handler: @escaping (KVObservation, KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let reference = WeakObservation()
    let sink = Sink.records { change in
      if let observation = reference.observation { handler(observation, change) }
    }
    let registration = Registration(try path.keyPath(), options, Site(file, line), sink)
    let observation = KVObservation(registration)
    reference.observation = observation
    try registration.begin(at: self)
    return observation
  }

  /// Observes several key paths with one handler, which finds the changed path in the record.
  ///
  /// - Parameters:
  ///   - paths: The key paths or their texts. If one of them cannot be observed, none is.
  ///   - options: The contents and times of the records.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives each record.
  /// - Returns: One token for all paths.
  /// - Throws: ``KVError``: the errors of the form with a single path.
  public func observe(
    _ paths: [any KVKeyPathConvertible], options: KVObservingOptions = [.old, .new], file: StaticString = #fileID,
    line: UInt = #line, handler: @escaping (KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    try register(paths, options, Site(file, line), .records(handler))
  }

  /// Observes a key path with values of a known type.
  ///
  /// - Parameters:
  ///   - path: The key path, or its text.
  ///   - type: The type of the values, without an optional around it; nil values are passed as nil.
  ///   - options: The contents and times of the records.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives each record. A value that cannot be converted to the type (CO) is passed as
  ///     nil and is reported as an error through ``KVDiagnostics``.
  /// - Returns: A token. The observation ends when the token is dropped.
  /// - Throws: ``KVError``: the errors of the form without a type; `typeMismatch` if the table declares values that never
  ///   convert to the type (KVO.21).
  @inlinable
  public func observe<Value>(
    _ path: some KVKeyPathConvertible, as type: Value.Type, options: KVObservingOptions = [.old, .new],
    file: StaticString = #fileID, line: UInt = #line, handler: @escaping (KVValueChange<Value>) -> Void
  ) throws(KVError) -> KVObservation {
    let path = try path.keyPath()
    try checkValues(of: path, fit: type)
    return try register(consume path, options, Site(file, line), values: typedDelivery(type, handler))
  }

  /// Checks that values of a key path, as far as a table declares their type, can be converted to a type (KVO.21).
  @usableFromInline
  func checkValues(of path: KVKeyPath, fit type: Any.Type) throws(KVError) {
    guard let declared = path.declaredType(from: self), !Coercion.canFit(declared, in: type),
      let accessor = path.leaf(of: self)?.accessor.object, !accessor.canBeRead(as: type)
    else { return }
    throw KVError(
      .typeMismatch,
      """
      "\(path)" of \(Swift.type(of: self)) is observed as \(type), but its values are of the type \(declared), \
      which never convert to it. Observe it as: \(optionalWrappedType(declared) ?? declared).self.
      """, keyPath: path.description, component: path.last.description, rootType: "\(Swift.type(of: self))")
  }

  /// Registers a delivery of typed values.
  @usableFromInline
  func register(
    _ path: consuming KVKeyPath, _ options: KVObservingOptions, _ site: Site, owner: AnyObject? = nil,
    values deliver: consuming @escaping Sink.Delivery
  ) throws(KVError) -> KVObservation {
    if owner != nil { deliver = Sink.untilOrphaned(deliver) }
    return try register(consume path, options, site, owner: owner, Sink(.values, consume deliver))
  }

  /// Registers a sink for a path.
  ///
  /// Without an owner, the registration ends with its token.
  func register(
    _ path: consuming KVKeyPath, _ options: KVObservingOptions, _ site: Site, owner: AnyObject? = nil,
    _ sink: consuming Sink
  ) throws(KVError) -> KVObservation {
    let registration = Registration(consume path, options, site, owner: owner, consume sink)
    try registration.begin(at: self)
    return KVObservation(consume registration, cancelsOnDeinit: owner == nil)
  }

  /// Registers a sink for all of several paths, or for none.
  func register(
    _ paths: [any KVKeyPathConvertible], _ options: KVObservingOptions, _ site: Site, owner: AnyObject? = nil,
    _ sink: Sink
  ) throws(KVError) -> KVObservation {
    let registrations = try paths.keyPaths().map { Registration($0, options, site, owner: owner, sink) }
    try Registration.begin(registrations, at: self)
    return KVObservation(registrations, cancelsOnDeinit: owner == nil)
  }
}

private final class WeakObservation {
  weak var observation: KVObservation?
}

extension [any KVKeyPathConvertible] {
  /// Returns the key paths of the list.
  ///
  /// - Throws: ``KVError``: the errors of `keyPath()`, and `invalidKeyPath` if the list is empty, since nothing would be
  ///   observed, or has a path twice, of which each change would be told twice.
  func keyPaths() throws(KVError) -> [KVKeyPath] {
    if isEmpty { throw KVError(.invalidKeyPath, "the list of key paths is empty; name one key path or more.") }
    let paths = try map { path throws(KVError) in try path.keyPath() }
    var known: Set<KVKeyPath> = []
    for path in paths where !known.insert(path).inserted && paths.count(where: { $0.isSame(as: path) }) > 1 {
      throw KVError(
        .invalidKeyPath, "the list of key paths has \"\(path)\" twice; name it once.", keyPath: path.description)
    }
    return paths
  }
}
