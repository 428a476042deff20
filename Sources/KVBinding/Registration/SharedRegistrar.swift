import KVCore

/// A registrar of many objects, which costs none of them memory: live lists install it in their elements.
///
/// It notifies a few ``SharedObserver``s, which only need to know which object has changed. As soon as anybody else
/// observes an object, or asks for its observers, the object gets an ``ObserverRegistrar``, in which the shared observers
/// have registrations. That one retains the shared registrar, since a setter may still be using it.
final class SharedRegistrar: _KVRegistrar, @unchecked Sendable {  // guard: `lock` guards `observers`
  /// Guards all shared registrars, and what their observers know of objects; no user code runs within.
  ///
  /// It is one lock, since an observer can have objects with several registrars.
  static let lock = Locked(())
  private static let maximumObservers = 4

  private struct Member {
    let reference: WeakReference<SharedObserver>
    let order: UInt32
    var mask: UInt64
    /// The number of objects with the registrar that are members of the observer.
    var count = 0
  }

  /// The observers, in the order in which they were made.
  private var observers: [Member] = []

  override init() {
    super.init()
    isShared = true
  }

  /// Returns the shared registrar of an object for an observer; nil if it has a registrar of its own, or many observers.
  ///
  /// It is called under the lock.
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
    guard observers.count < Self.maximumObservers else { return false }
    let index = observers.firstIndex { RegistrationOrder.isEarlier(observer.order, than: $0.order) }
    let member = Member(reference: WeakReference(observer), order: observer.order, mask: observer.mask)
    observers.insert(member, at: index ?? observers.endIndex)
    observer.registrars[ObjectIdentifier(self)] = self
    updateMasks()
    return true
  }

  /// Takes over the keys of an observer; it is called under the lock.
  func keysDidChange(of observer: SharedObserver) {
    if let index = index(of: observer) { observers[index].mask = observer.mask }
    updateMasks()
  }

  /// Removes an observer; it is called under the lock.
  func remove(_ observer: SharedObserver) {
    observers.removeAll { $0.reference.id == ObjectIdentifier(observer) }
    updateMasks()
  }

  /// Counts an object that has become a member of an observer; it is called under the lock.
  func addMember(of observer: SharedObserver) {
    if let index = index(of: observer) { observers[index].count += 1 }
  }

  /// Counts an object that is a member no more, and removes the observer after its last one; it is called under the lock.
  func removeMember(of observer: SharedObserver) {
    guard let index = index(of: observer) else { return }
    observers[index].count -= 1
    removeIfUnused(by: observer)
  }

  /// Counts no members of an observer any more, which replaces all of them; it is called under the lock.
  func forgetMembers(of observer: SharedObserver) {
    if let index = index(of: observer) { observers[index].count = 0 }
  }

  /// Removes an observer without members; it is called under the lock.
  func removeIfUnused(by observer: SharedObserver) {
    guard let index = index(of: observer), observers[index].count <= 0 else { return }
    observer.registrars[ObjectIdentifier(self)] = nil
    remove(observer)
  }

  private func index(of observer: SharedObserver) -> Int? {
    observers.firstIndex { $0.reference.id == ObjectIdentifier(observer) }
  }

  private func updateMasks() {
    let mask = observers.reduce(0) { $0 | $1.mask }
    setMasks(observedKeys: mask, willChangeKeys: 0, oldValue: 0, newValue: 0)
  }

  // MARK: Other observers

  /// Returns whether somebody observes an object.
  func isObserved(_ object: any KVObservable) -> Bool {
    let references = Self.lock.withLock { _ in observers.map(\.reference) }
    let id = ObjectIdentifier(object)
    return references.contains { reference in
      reference.object.map { observer in Self.lock.withLock { _ in observer.isMember(id) } } ?? false
    }
  }

  /// Gives an object a registrar of its own, and returns that.
  func replaced(in object: KVObject) -> ObserverRegistrar {
    let registrar = ObserverRegistrar(object)
    registrar.withRareState { $0.former = self }
    // Released and reported outside of the lock.
    var living: [SharedObserver] = []
    var registrations: [Registration] = []
    Self.lock.withLock { _ in
      guard object.registrarSlot.registrar === self else { return }
      living = observers.compactMap { $0.reference.object }
      for observer in living {
        registrations += observer.register(ObjectIdentifier(object), at: registrar, insteadOf: self)
      }
      _ = object.registrarSlot.replace(self, by: registrar)
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
    var references = Self.lock.withLock { _ in observers.map(\.reference) }
    if references.count > 1 {
      // An observer that a handler gives the object is notified of later changes only.
      references = references.filter { reference in
        reference.object.map { observer in Self.lock.withLock { _ in observer.path(key, of: id) != nil } } ?? false
      }
    }
    for reference in references {
      guard let observer = reference.object, let path = Self.lock.withLock({ _ in observer.path(key, of: id) }) else {
        continue
      }
      observer.objectDidChange(id, path)
    }
  }
}
