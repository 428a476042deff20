import KVCore

/// An object that observes others by closures that belong to it (OBS.1).
///
/// ```swift
/// final class Badge: KVObserver {
///   func show(_ inbox: Inbox) throws {
///     try observe(inbox, "unread") { badge, old, new in badge.text = "\(new ?? 0)" }
///   }
/// }
/// ```
///
/// The observer is referenced weakly and passed to its closures, which need not capture it. Its observations end with
/// it. The protocol has no requirements. A ``KVObject`` is an observer already.
public protocol KVObserver: AnyObject {}

extension KVObject: KVObserver {}

extension KVObserver {
  /// Observes a key path of an object.
  ///
  /// If a collection changes in part, the old and the new value are the whole collection (OBS.2).
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - path: The key path, or its text.
  ///   - options: The times of the calls. With ``KVObservingOptions/initial``, the handler is called once before the
  ///     method returns, with the value as old and new value. With ``KVObservingOptions/distinct``, changes to an equal
  ///     value are ignored (OBS.2, CO.7). Old and new values are always included.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives the observer, the old and the new value.
  /// - Returns: A token that can cancel or pause the observation. It may be discarded.
  /// - Throws: ``KVError``: the errors of `observe(_:options:handler:)` of the object.
  @discardableResult
  public func observe(
    _ object: some KVObservable, _ path: some KVKeyPathConvertible,
    options: KVObservingOptions = [.initial, .distinct], file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (Self, Any?, Any?) -> Void
  ) throws(KVError) -> KVObservation {
    try observe(
      object, [path.keyPath()], options: options, file: file, line: line
    ) { owner, _, old, new in handler(owner, old, new) }
  }

  /// Observes several key paths of an object with one handler.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - paths: The key paths or their texts. If one of them cannot be observed, none is.
  ///   - options: The times of the calls, as for a single path.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives the observer, the key path that changed, the old and the new value.
  /// - Returns: One token for all paths. It may be discarded.
  /// - Throws: ``KVError``: the errors of the form with a single path.
  @discardableResult
  public func observe(
    _ object: some KVObservable, _ paths: [any KVKeyPathConvertible],
    options: KVObservingOptions = [.initial, .distinct], file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (Self, KVKeyPath, Any?, Any?) -> Void
  ) throws(KVError) -> KVObservation {
    let registrations = try paths.keyPaths().map { path in
      Registration(
        path, options.union([.old, .new]), Site(file, line), owner: self,
        reportedAsSetting: path.mayChangeInPart(of: object) ? .all : [],
        .owner { (owner: Self, change) in
          // The record lends its values: a variable would copy one.
          if change.isInitial {
            handler(owner, path, change.new, change.new)
          } else {
            handler(owner, path, change.old, change.new)
          }
        })
    }
    try Registration.begin(registrations, at: object)
    return KVObservation(registrations, cancelsOnDeinit: false)
  }

  /// Cancels all observations of this observer, of any object and of notifications (OBS.3).
  public func removeObservations() {
    for registration in Owners.owned(by: self) {
      if (registration as? Registration)?.kind.isAction == true { continue }
      registration.cancel()
    }
  }

  /// Cancels the observations of an object by this observer; those of other observers stay (OBS.3).
  ///
  /// - Parameter object: The observed object.
  public func removeObservations(of object: some KVObservable) { _ = remove(of: object) { _ in true } }

  /// Cancels the observations of a key path of an object by this observer (OBS.3).
  ///
  /// If there is none, a warning is reported through ``KVDiagnostics``.
  ///
  /// - Parameters:
  ///   - object: The observed object.
  ///   - path: The key path as it was registered.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  public func removeObservations(
    of object: some KVObservable, forKeyPath path: some KVKeyPathConvertible
  ) throws(KVError) {
    let path = try path.keyPath()
    guard remove(of: object, where: { $0.path == path }) == 0 else { return }
    KVDiagnostics.report(.warning, .unmatchedRemoval, path, object) {
      """
      removeObservations removes nothing: this \(type(of: self)) does not observe "\(path)" of \(type(of: object)). \
      KVDiagnostics.observations(of:) lists what is observed.
      """
    }
  }

  private func remove(of object: any KVObservable, where matches: (Registration) -> Bool) -> Int {
    let ended = (ObserverRegistrar.existing(of: object)?.registrations ?? [])
      .filter { $0.belongs(to: self) && matches($0) }
    for registration in ended { registration.cancel() }
    return ended.count
  }
}
