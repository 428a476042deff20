import KVCore

/// An object that observes others by closures that belong to it (OBS).
///
/// ```swift
/// final class Badge: KVObserver {
///   func show(_ inbox: Inbox) throws {
///     try observe(inbox, "unread") { badge, old, new in badge.text = "\(new ?? 0)" }
///   }
/// }
/// ```
///
/// The observer is held weakly, and handed to its closures, which need not capture it: what it observes ends with it.
/// There is nothing to implement; a ``KVObject`` is an observer already.
public protocol KVObserver: AnyObject {}

extension KVObject: KVObserver {}

extension KVObserver {
  /// Observes a path of an object.
  ///
  /// Of a collection that is changed in part, old and new are the whole collection.
  ///
  /// - Parameters:
  ///   - object: What is observed.
  ///   - path: The path, or its text.
  ///   - initial: Whether the handler is called once before this returns, with the value as old and as new (OBS.2).
  ///   - distinct: Whether changes to an equal value are left out (OBS.2, CO.7).
  ///   - coalesced: Whether changes are merged inside of `KVCoalescing.coalesce`.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  ///   - handler: Called with the observer, the old and the new value.
  /// - Returns: A token for ending it early or pausing it; it may be thrown away.
  /// - Throws: ``KVError``, as `observe(_:options:handler:)` of the object does.
  @discardableResult
  public func observe(
    _ object: some KVObservable, _ path: some KVKeyPathConvertible, initial: Bool = true, distinct: Bool = true,
    coalesced: Bool = false, file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (Self, Any?, Any?) -> Void
  ) throws(KVError) -> KVObservation {
    try observe(
      object, [path.keyPath()], initial: initial, distinct: distinct, coalesced: coalesced, file: file, line: line
    ) { owner, _, old, new in handler(owner, old, new) }
  }

  /// Observes several paths of an object by one handler.
  ///
  /// - Parameters:
  ///   - object: What is observed.
  ///   - paths: The paths. If one of them cannot be observed, none is.
  ///   - initial: Whether the handler is called once a path before this returns.
  ///   - distinct: Whether changes to an equal value are left out.
  ///   - coalesced: Whether changes are merged inside of `KVCoalescing.coalesce`.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  ///   - handler: Called with the observer, the path that changed, the old and the new value.
  /// - Returns: A token for all of them; it may be thrown away.
  /// - Throws: ``KVError``, as for a single path.
  @discardableResult
  public func observe(
    _ object: some KVObservable, _ paths: [KVKeyPath], initial: Bool = true, distinct: Bool = true,
    coalesced: Bool = false, file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (Self, KVKeyPath, Any?, Any?) -> Void
  ) throws(KVError) -> KVObservation {
    var options: KVObservingOptions = [.old, .new]
    if initial { options.insert(.initial) }
    if distinct { options.insert(.distinct) }
    if coalesced { options.insert(.coalesced) }
    let observations = paths.map { path in
      OwnedObservation(
        path, options, Site(file, line), owner: self, whole: path.mayChangeInPart(of: object) ? .all : []
      ) { owner, change in
        guard let change else { return }
        handler(unsafeDowncast(owner, to: Self.self), path, change.isInitial ? change.new : change.old, change.new)
      }
    }
    try Observation.begin(observations, at: object)
    return KVObservation(observations, endsWhenDropped: false)
  }

  /// Ends everything that belongs to this observer: its closures on any object, and on notifications (OBS.3).
  public func removeObservations() {
    for registration in Owners.owned(by: self) {
      if let observation = registration as? OwnedObservation, observation.action != nil { continue }
      registration.cancel()
    }
  }

  /// Ends what this observer observes of an object; other observers hear on (OBS.3).
  ///
  /// - Parameter object: The object.
  public func removeObservations(of object: some KVObservable) { remove(of: object) { _ in true } }

  /// Ends what this observer observes of a path of an object (OBS.3).
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - path: The path, as it was registered.
  /// - Throws: ``KVError`` with the code `invalidKeyPath`.
  public func removeObservations(
    of object: some KVObservable, forKeyPath path: some KVKeyPathConvertible
  ) throws(KVError) {
    let path = try path.keyPath()
    remove(of: object) { $0.path == path }
  }

  private func remove(of object: some KVObservable, where matches: (Observation) -> Bool) {
    for observation in ObserverRegistrar.existing(of: object)?.observations ?? []
    where observation.belongs(to: self) && matches(observation) {
      observation.end()
    }
  }
}
