import KVCore

/// Functions for the other libraries of the package: observers that are called first, changes whose elements the caller knows,
/// and what computes its values from other objects.
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

  /// Throws unless a key that depends on a key path would follow it, also through elements.
  package func checkFollowing(_ path: KVKeyPath) throws(KVError) {
    let trial = Registration(path, [], .unknown, .operand)
    defer { trial.cancel() }
    try trial.attach(to: self)
  }

  /// Lets the observations of the receiver and its bindings end with another object.
  ///
  /// - Parameter other: The object, which retains nothing of the receiver.
  /// - Returns: A function that forgets it, for the deallocation of the receiver.
  package func endObservations(with other: AnyObject) -> () -> Void {
    let end = ObservationsEnd(of: self, with: other)
    Owners.add(end, to: other)
    return { Owners.forget(end) }
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

/// The end of the observations of an object with another one.
// guard: immutable
private final class ObservationsEnd: OwnedRegistration, @unchecked Sendable {
  private let observed: WeakReference<AnyObject>
  private let other: WeakReference<AnyObject>
  var owner: AnyObject? { other.object }
  var ownerID: ObjectIdentifier? { other.id }

  init(of observed: AnyObject, with other: AnyObject) {
    self.observed = WeakReference(observed)
    self.other = WeakReference(other)
  }

  func cancel() {
    guard let observed = observed.object as? any KVObservable else { return }
    for registration in ObserverRegistrar.existing(of: observed)?.registrations ?? [] { registration.cancel() }
  }
}

extension KVObject {
  /// The objects that compute a value on this thread by ``computing(_:)``, innermost last.
  package static var computingObjects: [KVObject] { ThreadDeliveries.current.object.computing }

  /// Runs a function that computes a value of the receiver, which may ask other objects for theirs.
  package func computing<Value>(_ body: () throws(KVError) -> Value) throws(KVError) -> Value {
    let thread = ThreadDeliveries.current.object
    thread.computing.append(self)
    defer { thread.computing.removeLast() }
    return try body()
  }
}
