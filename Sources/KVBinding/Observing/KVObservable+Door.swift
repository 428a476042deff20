import KVCore

/// Functions for the other libraries of the package: observers that are called first, and changes whose elements
/// the caller knows.
extension KVObservable {
  /// Whether somebody has observed the object.
  package var hasObservers: Bool { ObserverRegistrar.existing(of: self) != nil }

  /// Whether somebody may be notified of a change of a key.
  package func mayNotify(of key: InternedKey) -> Bool { ObserverRegistrar.existing(of: self)?.mayObserve(key) ?? false }

  /// Observes a key path for a caller elsewhere, whom listings name.
  package func observe(
    _ path: KVKeyPath, _ options: KVObservingOptions, _ site: Site, _ handler: @escaping (KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    try register(path, options, site, .records(handler))
  }

  /// Records the changes of a key: the recorder is notified before all observers of the key.
  ///
  /// - Parameters:
  ///   - path: The key.
  ///   - options: The options of the notices.
  ///   - site: Where the recording was begun.
  ///   - isRecorded: Whether changes of another key are recorded, from which the value of this one may follow.
  ///   - objectDidDeallocate: Called when the object has died, on any thread.
  ///   - record: Called with each notice.
  /// - Returns: The token, which has to be cancelled.
  /// - Throws: ``KVError`` if the key cannot be observed.
  package func recordChanges(
    _ path: KVKeyPath, _ options: KVObservingOptions, _ site: Site,
    isRecorded: @escaping (ObjectIdentifier, InternedKey) -> Bool, objectDidDeallocate: @escaping () -> Void,
    _ record: @escaping (borrowing _KVChangeNotice) -> Void
  ) throws(KVError) -> KVObservation {
    let kind = Sink.Kind.recorder(isRecorded: isRecorded, objectDidDeallocate: objectDidDeallocate)
    let registration = Registration(path, options, site, Sink(kind) { notice, _ in record(notice) })
    try registration.attach(to: self)
    return KVObservation(registration, cancelsOnDeinit: false)
  }

  /// Runs a function whose changes of a key notify nobody.
  package func withoutNotifying(of key: InternedKey, _ body: () throws(KVError) -> Void) throws(KVError) {
    try ObserverRegistrar.of(self).withoutNotifying(of: key, body)
  }

  /// Makes a change of a key with manual notification, and notifies before and after it.
  ///
  /// Unlike a manual change (KVO.16), it reads no elements of the key: the caller knows them.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - kind: The kind of the change.
  ///   - indexes: The indexes of the elements; nil for a setting.
  ///   - old: The elements that are removed or replaced; of a setting all elements.
  ///   - new: Returns the elements that are inserted or replace; of a setting all elements. It is called after the body.
  ///   - body: Makes the change. It is called once, after all handlers that run before the change.
  package func change<Element>(
    _ key: InternedKey, _ kind: KVChangeKind = .setting, at indexes: [Int]? = nil, from old: [Element],
    to new: @autoclosure () -> [Element], _ body: () -> Void
  ) {
    guard let registrar = ObserverRegistrar.existing(of: self),
      let open = OpenChange.of(key, in: registrar, where: { $0.live > 0 }),
      let list = open.list
    else { return body() }
    guard list.borrow({ $0.needsWillChange }) else {
      body()
      _KVChangeNotice.with(
        key, of: self, kind, at: indexes, from: old, to: new(), hasOld: kind != .insertion, hasNew: kind != .removal
      ) { registrar.deliver($0, to: list) }
      return
    }
    let run = ChangeRun.make(registrar.plan(key, of: self, list), open)
    _KVChangeNotice.with(
      key, of: self, kind, at: indexes, from: old, to: [], hasOld: kind != .insertion, hasNew: false
    ) { run.begin($0) }
    body()
    _KVChangeNotice.with(
      key, of: self, kind, at: indexes, from: old, to: new(), hasOld: kind != .insertion, hasNew: kind != .removal
    ) { run.finish($0, registrar) }
  }
}
