import KVCore

/// An observer of some keys of many objects, which is notified of the object that has changed, and of nothing else.
///
/// An object that nobody else observes, and whose keys are plain, gets a ``SharedRegistrar``, and takes a word here. The
/// subclass observes the others by registrations.
package class SharedObserver {
  /// Called after a change of an object, with the key path whose value has changed.
  final let objectDidChange: (ObjectIdentifier, KVKeyPath) -> Void
  final let site: Site
  /// The position of the members in the order of registration (KVO.6).
  final let order = RegistrationOrder.next()
  /// The observed key paths.
  package private(set) final var paths: [KVKeyPath] = []
  /// The class of the last object whose paths are plain keys.
  private var plainType: ObjectIdentifier?

  /// Guards what follows, and the state of the subclass; no user code runs within.
  final let lock = Locked(())
  /// The keys of the paths, if all of them are plain.
  private var keys: [InternedKey] = []
  /// The objects with shared registrars, and how often those occur that occur several times.
  private var members: Set<ObjectIdentifier> = []
  private var counts: [ObjectIdentifier: Int] = [:]
  /// The former members, while the objects are replaced.
  private var leaving: Set<ObjectIdentifier> = []
  /// The registrars of the members.
  final var registrars: [ObjectIdentifier: SharedRegistrar] = [:]

  package init(_ site: Site, _ objectDidChange: @escaping (ObjectIdentifier, KVKeyPath) -> Void) {
    self.site = site
    self.objectDidChange = objectDidChange
  }

  deinit { for registrar in registrars.values { registrar.remove(self) } }

  // MARK: For the subclass

  /// Returns whether an object is observed by registrations; called under the lock.
  func isRegistered(_ id: ObjectIdentifier) -> Bool { false }

  /// Takes over the registrations for an object that was a member a number of times; called under the lock.
  func take(_ registrations: [Registration], of id: ObjectIdentifier, count: Int) {}

  /// Begins to replace all objects, and perhaps the paths; called under the lock.
  final func beginReplacing(_ newPaths: [KVKeyPath]) {
    (leaving, members, counts) = (members, [], [:])
    for registrar in registrars.values { registrar.forgetMembers(of: self) }
    if isSame(as: newPaths) { return }
    (paths, keys, plainType) = (newPaths, [], nil)
    for registrar in registrars.values { registrar.keysDidChange(of: self) }
  }

  /// Returns whether paths equal the observed ones, and may reach the same.
  final func isSame(as newPaths: [KVKeyPath]) -> Bool { paths.elementsEqual(newPaths) { $0.isSame(as: $1) } }

  final func endReplacing() {
    let previous = lock.withLock { _ in
      defer {
        leaving = []
        for registrar in registrars.values { registrar.removeIfUnused(by: self) }
      }
      return (leaving, registrars)
    }
    withExtendedLifetime(previous) {}
  }

  /// Observes an object without a registration; false if that is impossible.
  final func join(_ object: any KVObservable) -> Bool {
    guard let object = object as? KVObject, isPlain(object) else { return false }
    let id = ObjectIdentifier(object)
    return lock.withLock { _ in
      guard !isRegistered(id), let registrar = SharedRegistrar.of(object, for: self) else { return false }
      if !members.insert(id).inserted {
        counts[id, default: 1] += 1
        return true
      }
      registrar.addMember(of: self)
      // Another thread may have given the object a registrar of its own, before it could see this member.
      if object.registrarSlot.registrar === registrar { return true }
      members.remove(id)
      registrar.removeMember(of: self)
      return false
    }
  }

  /// Removes one occurrence of an object; false if it is not a member.
  ///
  /// It is called under the lock.
  final func removeOccurrence(_ object: any KVObservable) -> Bool {
    let id = ObjectIdentifier(object)
    guard members.contains(id) else { return false }
    switch counts[id] {
    case nil:
      members.remove(id)
      SharedRegistrar.installed(in: object)?.removeMember(of: self)
    case 2: counts[id] = nil
    case let count?: counts[id] = count - 1
    }
    return true
  }

  /// Returns whether all paths are keys of properties that notify themselves, and which nothing affects.
  private func isPlain(_ object: KVObject) -> Bool {
    let type = ObjectIdentifier(type(of: object))
    if type == plainType { return true }
    var keys: [InternedKey] = []
    for path in paths {
      guard path.count == 1, let key = path.selfNotifyingKey(of: object) else { return false }
      keys.append(key)
    }
    let areKeys = lock.withLock { _ in
      // By an alias, a path may be another key of another class, which is observed by registrations.
      if !self.keys.isEmpty { return self.keys == keys }
      self.keys = keys
      for registrar in registrars.values { registrar.keysDidChange(of: self) }
      return true
    }
    if areKeys { plainType = type }
    return areKeys
  }

  // MARK: For the registrars, under the lock of the observer

  /// The bits of the keys.
  final var mask: UInt64 { keys.reduce(0) { $0 | $1.bit } }

  final func isMember(_ id: ObjectIdentifier) -> Bool { members.contains(id) || leaving.contains(id) }

  /// Returns the path that is a key of an object, if it is observed, now or at the begin of the change that is being
  /// delivered.
  final func path(_ key: InternedKey, of id: ObjectIdentifier) -> KVKeyPath? {
    guard let index = keys.firstIndex(of: key), isMember(id) || isRegistered(id) else { return nil }
    return paths[index]
  }

  /// Registers at the registrar that an object is about to get; called under the lock.
  ///
  /// - Returns: The registrations, which are reported when the lock is released; nil if the object is no member.
  final func register(_ id: ObjectIdentifier, at registrar: ObserverRegistrar) -> [Registration]? {
    guard members.remove(id) != nil else { return nil }
    let registrations = zip(paths, keys).map { path, key in
      let registration = self.registration(path, of: id, order: order)
      registration.attach(to: registrar, key)
      return registration
    }
    take(registrations, of: id, count: counts.removeValue(forKey: id) ?? 1)
    return registrations
  }

  /// Returns a registration for a path of an object; it is the last one unless its order is given.
  final func registration(_ path: KVKeyPath, of id: ObjectIdentifier, order: UInt32? = nil) -> Registration {
    Registration(path, [], site, order: order, Sink(.records) { [objectDidChange] _, _ in objectDidChange(id, path) })
  }
}
