import KVCore

extension KVObservable {
  /// Observes a key path of each element of a collection, and follows insertions and removals of elements (KVO.17).
  ///
  /// The object of each record is the element. Changes of the collection itself are not reported; observe its own key
  /// path for them. An element that occurs twice in the collection is observed once.
  ///
  /// - Parameters:
  ///   - path: The key path of the collection: an array or a set of observable objects.
  ///   - elementPath: The key path from each element.
  ///   - options: The contents and times of the records. With `initial`, there is one record per element, including
  ///     elements that are inserted later.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives each record.
  /// - Returns: A token. The observation ends when the token is dropped.
  /// - Throws: ``KVError``: the errors of `observe`, for the collection and for its current elements. Errors of
  ///   elements that are inserted later are reported through ``KVDiagnostics``.
  /// - Complexity: O(*n*) in the number of elements; O(*k*) for *k* inserted or removed elements.
  public func observeElements(
    of path: some KVKeyPathConvertible, _ elementPath: some KVKeyPathConvertible,
    options: KVObservingOptions = [.old, .new], file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    try observeElements(path.keyPath(), elementPath.keyPath(), options, Site(file, line), .records(handler))
  }

  /// Observes a key path of each element of a collection on behalf of an owner, which is referenced weakly (KVO.17,
  /// LIF.2).
  ///
  /// - Parameters:
  ///   - path: The key path of the collection: an array or a set of observable objects.
  ///   - elementPath: The key path from each element.
  ///   - options: The contents and times of the records. With `initial`, there is one record per element, including
  ///     elements that are inserted later.
  ///   - owner: The object that the observation belongs to.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives the owner and each record, whose object is the element.
  /// - Returns: A token that can cancel or pause the observation. It may be discarded.
  /// - Throws: ``KVError``: the errors of the form without an owner.
  /// - Complexity: O(*n*) in the number of elements; O(*k*) for *k* inserted or removed elements.
  @discardableResult
  public func observeElements<Owner: AnyObject>(
    of path: some KVKeyPathConvertible, _ elementPath: some KVKeyPathConvertible,
    options: KVObservingOptions = [.old, .new], owner: Owner, file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (Owner, KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let owned = WeakReference(owner)
    let sink = Sink.records { change in if let owner = owned.object { handler(owner, change) } }
    return try observeElements(path.keyPath(), elementPath.keyPath(), options, Site(file, line), owner: owner, sink)
  }

  private func observeElements(
    _ path: KVKeyPath, _ elementPath: KVKeyPath, _ options: KVObservingOptions, _ site: Site, owner: AnyObject? = nil,
    _ sink: Sink
  ) throws(KVError) -> KVObservation {
    let tracker = ElementTracker(elementPath) { Registration(elementPath, options, site, sink) }
    let registration = Registration(path, [.old, .new], site, owner: owner, .elements(tracker))
    try tracker.begin(registration, at: self)
    return KVObservation(registration, cancelsOnDeinit: owner == nil)
  }
}
