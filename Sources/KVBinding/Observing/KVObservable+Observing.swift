import KVCore

extension KVObservable {
  /// Observes a key path: the handler is called with a record of each change (KVO.1).
  ///
  /// The handler runs at once, on the thread that makes the change, in the order of registration (KVO.6), and outside of
  /// all locks: it may register, cancel and change values (KVO.7).
  ///
  /// - Parameters:
  ///   - path: The path, or its text. It may lead through objects, structs, dictionaries and indexes, and end in an
  ///     operator; a change of any component is heard (KVO.11).
  ///   - options: What records carry, and when they come.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  ///   - handler: Called with each record.
  /// - Returns: The token; the observation ends when it is dropped.
  /// - Throws: ``KVError``: `undefinedKey` where a key does not exist; `notObservable` where the path can never notify or
  ///   leads through the elements of a collection; `invalidKeyPath` (KVO.13).
  /// - Complexity: O(1) a component.
  public func observe(
    _ path: some KVKeyPathConvertible, options: KVObservingOptions = [.old, .new], file: StaticString = #fileID,
    line: UInt = #line, handler: @escaping (KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let observation = ChangeObservation(try path.keyPath(), options, Site(file, line), handler)
    try observation.begin(at: self)
    return KVObservation(observation)
  }

  /// Observes several key paths by one handler, which sees from the record which one changed.
  ///
  /// - Parameters:
  ///   - paths: The paths. If one of them cannot be observed, none is.
  ///   - options: What records carry, and when they come.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  ///   - handler: Called with each record.
  /// - Returns: One token for all of them.
  /// - Throws: ``KVError``, as for a single path.
  public func observe(
    _ paths: [KVKeyPath], options: KVObservingOptions = [.old, .new], file: StaticString = #fileID,
    line: UInt = #line, handler: @escaping (KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let observations = paths.map { ChangeObservation($0, options, Site(file, line), handler) }
    try Observation.begin(observations, at: self)
    return KVObservation(observations)
  }

  /// Observes a key path whose value has a known type.
  ///
  /// - Parameters:
  ///   - path: The path, or its text.
  ///   - type: The type of the value, without an optional around it: nil comes as nil.
  ///   - options: What records carry, and when they come.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  ///   - handler: Called with each record. A value that does not convert to the type (CO) comes as nil, and is reported
  ///     as an error through ``KVDiagnostics``.
  /// - Returns: The token; the observation ends when it is dropped.
  /// - Throws: ``KVError``, as the form without a type.
  @inlinable
  public func observe<Value>(
    _ path: some KVKeyPathConvertible, as type: Value.Type, options: KVObservingOptions = [.old, .new],
    file: StaticString = #fileID, line: UInt = #line, handler: @escaping (KVValueChange<Value>) -> Void
  ) throws(KVError) -> KVObservation {
    let path = try path.keyPath()
    return try observe(path, options, Site(file, line), sink: typedSink(type, handler))
  }

  @usableFromInline
  func observe(
    _ path: KVKeyPath, _ options: KVObservingOptions, _ site: Site, sink: @escaping NoticeSink
  ) throws(KVError) -> KVObservation {
    let observation = TypedObservation(path, options, site, sink)
    try observation.begin(at: self)
    return KVObservation(observation)
  }
}
