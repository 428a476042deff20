import KVCore

extension KVObservable {
  /// Observes a key path of each element of a collection, and follows as elements come and go (KVO.17).
  ///
  /// The object of each record is the element. What happens to the collection itself is for another observation, of its own
  /// path. An element that stands in it twice is heard once.
  ///
  /// - Parameters:
  ///   - path: The path of the collection: an array or a set of observable objects.
  ///   - elementPath: The path from each element.
  ///   - options: What records carry. With `initial` there is one record an element, also for one that comes later.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  ///   - handler: Called with each record.
  /// - Returns: The token; the observation ends when it is dropped.
  /// - Throws: ``KVError``, as `observe` does for the collection and for each element that is there. What a later
  ///   element lacks is reported through ``KVDiagnostics``.
  /// - Complexity: O(*n*) in the number of elements; O(*k*) for *k* elements that come or go.
  public func observeElements(
    of path: some KVKeyPathConvertible, _ elementPath: some KVKeyPathConvertible,
    options: KVObservingOptions = [.old, .new], file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let elementPath = try elementPath.keyPath()
    let site = Site(file, line)
    let observation = ElementsObservation(try path.keyPath(), elements: elementPath, site) { _ in
      ChangeObservation(elementPath, options, site, handler)
    }
    try observation.beginFollowing(at: self)
    return KVObservation(observation)
  }

  /// Observes a key path of each element of a collection on behalf of an owner, which is held weakly (KVO.17, LIF.2).
  ///
  /// - Parameters:
  ///   - path: The path of the collection: an array or a set of observable objects.
  ///   - elementPath: The path from each element.
  ///   - options: What records carry. With `initial` there is one record an element, also for one that comes later.
  ///   - owner: The object that the observation belongs to.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  ///   - handler: Called with the owner and each record, whose object is the element.
  /// - Returns: A token for ending it early or pausing it; it may be thrown away.
  /// - Throws: ``KVError``, as the form without an owner.
  /// - Complexity: O(*n*) in the number of elements; O(*k*) for *k* elements that come or go.
  @discardableResult
  public func observeElements<Owner: AnyObject>(
    of path: some KVKeyPathConvertible, _ elementPath: some KVKeyPathConvertible,
    options: KVObservingOptions = [.old, .new], owner: Owner, file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (Owner, KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let elementPath = try elementPath.keyPath()
    let site = Site(file, line)
    let observation = OwnedElementsObservation(
      try path.keyPath(), elements: elementPath, site, owner: owner
    ) { [weak owner] _ in
      ChangeObservation(elementPath, options, site) { change in
        if let owner { handler(owner, change) }
      }
    }
    try observation.beginFollowing(at: self)
    return KVObservation(observation, endsWhenDropped: false)
  }
}
