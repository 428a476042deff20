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
}
