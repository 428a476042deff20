import KVCore

/// A registrar of many objects, which costs none of them memory: live lists install it in their elements.
///
/// It notifies a few ``SharedObserver``s, which only need to know which object has changed. As soon as anybody else
/// observes an object, or asks for its observers, the object gets an ``ObserverRegistrar``, in which the shared observers
/// have registrations. That one retains the shared registrar, since a setter may still be using it.
final class SharedRegistrar: _KVRegistrar, @unchecked Sendable {  // guard: `lock` guards `observers`
  // There are three kinds of locks, which are taken in this order: the one of all replacements, those of observers, and
  // those of shared registrars. Lists on two threads have none in common but that of replacements, which are rare.
  private static let replacements = Locked(())
  private static let maximumObservers = 4

  private struct Member {
    let reference: WeakReference<SharedObserver>
    let order: UInt32
    var mask: UInt64
    /// The number of objects with the registrar that are members of the observer.
    var count = 0
  }

  /// Guards the observers; no user code runs within.
  private let lock = Locked(())
  /// The observers, in the order in which they were made.
  private var observers: [Member] = []

  override init() {
    super.init()
    isShared = true
  }

  /// Returns the shared registrar of an object for an observer; nil if it has a registrar of its own, or many observers.
  ///
  /// It is called under the lock of the observer, as all that has one as its parameter.
  static func of(_ object: KVObject, for observer: SharedObserver) -> SharedRegistrar? {
    let registrar =
      object.registrarSlot.registrar { observer.registrars.first?.value ?? SharedRegistrar() } as? SharedRegistrar
    guard let registrar, registrar.admits(observer) else { return nil }
    return registrar
  }

  /// Returns the shared registrar of an object; nil if it has none, or one of its own.
  static func installed(in object: any KVObservable) -> SharedRegistrar? {
    object._activeRegistrar?.object as? SharedRegistrar
  }

  private func admits(_ observer: SharedObserver) -> Bool {
    if observer.registrars[ObjectIdentifier(self)] != nil { return true }
    let isAdmitted = lock.withLock { _ in
      guard observers.count < Self.maximumObservers else { return false }
      let index = observers.firstIndex { RegistrationOrder.isEarlier(observer.order, than: $0.order) }
      let member = Member(reference: WeakReference(observer), order: observer.order, mask: observer.mask)
      observers.insert(member, at: index ?? observers.endIndex)
      updateMasks()
      return true
    }
    if isAdmitted { observer.registrars[ObjectIdentifier(self)] = self }
    return isAdmitted
  }

  /// Takes over the keys of an observer.
  func keysDidChange(of observer: SharedObserver) {
    let mask = observer.mask
    change(observer) { $0.mask = mask }
  }

  /// Removes an observer.
  func remove(_ observer: SharedObserver) {
    lock.withLock { _ in
      observers.removeAll { $0.reference.id == ObjectIdentifier(observer) }
      updateMasks()
    }
  }

  /// Counts an object that has become a member of an observer.
  func addMember(of observer: SharedObserver) { change(observer) { $0.count += 1 } }

  /// Counts an object that is a member no more, and removes the observer after its last one.
  func removeMember(of observer: SharedObserver) {
    if let count = change(observer, { $0.count -= 1 }), count <= 0 { remove(unused: observer) }
  }

  /// Counts no members of an observer any more, which replaces all of them.
  func forgetMembers(of observer: SharedObserver) { change(observer) { $0.count = 0 } }

  /// Removes an observer without members.
  func removeIfUnused(by observer: SharedObserver) {
    if let count = change(observer, { _ in }), count <= 0 { remove(unused: observer) }
  }

  private func remove(unused observer: SharedObserver) {
    observer.registrars[ObjectIdentifier(self)] = nil
    remove(observer)
  }

  /// Changes what is known of an observer; returns the number of its members.
  @discardableResult
  private func change(_ observer: SharedObserver, _ body: (inout Member) -> Void) -> Int? {
    lock.withLock { _ in
      guard let index = observers.firstIndex(where: { $0.reference.id == ObjectIdentifier(observer) }) else {
        return nil
      }
      let mask = observers[index].mask
      body(&observers[index])
      if observers[index].mask != mask { updateMasks() }
      return observers[index].count
    }
  }

  private var references: [WeakReference<SharedObserver>] { lock.withLock { _ in observers.map(\.reference) } }

  private func updateMasks() {
    let mask = observers.reduce(0) { $0 | $1.mask }
    setMasks(observedKeys: mask, willChangeKeys: 0, oldValue: 0, newValue: 0)
  }

  // MARK: Other observers

  /// Returns whether somebody observes an object.
  func isObserved(_ object: any KVObservable) -> Bool {
    let id = ObjectIdentifier(object)
    return references.contains { reference in
      reference.object.map { observer in observer.lock.withLock { _ in observer.isMember(id) } } ?? false
    }
  }

  /// Gives an object a registrar of its own, and returns that.
  func replaced(in object: KVObject) -> ObserverRegistrar {
    let registrar = ObserverRegistrar(object)
    registrar.withRareState { $0.previous = self }
    // Released and reported outside of the locks.
    var living: [SharedObserver] = []
    var registrations: [Registration] = []
    Self.replacements.withLock { _ in
      guard object.registrarSlot.registrar === self else { return }
      let id = ObjectIdentifier(object)
      var members: [SharedObserver] = []
      func register() {
        let observers = references.compactMap(\.object)
        living += observers
        for observer in observers {
          guard let new = observer.lock.withLock({ _ in observer.register(id, at: registrar) }) else { continue }
          registrations += new
          members.append(observer)
        }
      }
      register()
      _ = object.registrarSlot.replace(self, by: registrar)
      // What has joined meanwhile found the shared registrar, which has notified the others up to here.
      register()
      for observer in members { observer.lock.withLock { _ in removeMember(of: observer) } }
    }
    withExtendedLifetime(living) {}
    for registration in registrations { registration.reportBegin() }
    return ObserverRegistrar.of(object)
  }

  // MARK: Notifications by objects

  override func didChange(_ change: borrowing _KVChangeNotice, since beginning: AnyObject?) {
    guard let object = change.object as? KVObject else { return }
    let current = KVDiagnostics.isTracing ? ObserverRegistrar.of(object) : object.registrarSlot.registrar
    // It may have been replaced while a setter was using it.
    if let current, current !== self { return current.didChange(change, since: nil) }
    let (key, id) = (change.key, ObjectIdentifier(object))
    let open = OpenChange.ofOthers()
    defer { extendLifetime(open) }
    var references = references
    if references.count > 1 {
      // An observer that a handler gives the object is notified of later changes only.
      references = references.filter { reference in
        reference.object.map { observer in observer.lock.withLock { _ in observer.path(key, of: id) != nil } } ?? false
      }
    }
    for reference in references {
      guard let observer = reference.object, let path = observer.lock.withLock({ _ in observer.path(key, of: id) })
      else {
        continue
      }
      observer.objectDidChange(id, path)
    }
  }
}
