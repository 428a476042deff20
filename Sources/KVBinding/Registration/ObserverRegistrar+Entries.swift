import KVCore

extension ObserverRegistrar {
  /// Returns the registrar of an object, if somebody has observed it.
  static func existing(of object: any KVObservable) -> ObserverRegistrar? {
    let registrar = object._activeRegistrar?.object
    if let shared = registrar as? SharedRegistrar { return shared.isObserved(object) ? of(object) : nil }
    return registrar as? ObserverRegistrar
  }

  /// Adds an entry, and observes the paths that its key depends on.
  func addEntry(_ listener: Listener, _ component: ResolvedComponent, _ build: DependentBuild? = nil) {
    let mayBeOverridden = component.accessor?.mayBeOverridden ?? false
    guard add(listener, isManual: component.isManual, mayBeOverridden: mayBeOverridden), let key = component.key,
      !component.affecting.isEmpty || component.resolved != nil, let object = component.owner as? any KVObservable
    else { return }
    observeDependencies(key, component.affecting, of: object, component.resolved, build)
  }

  /// Adds an entry for a key of a ``KVObject``, and observes the paths that the key depends on.
  func addEntry(_ listener: Listener, _ accessor: Accessor, _ object: AnyObject, _ build: DependentBuild? = nil) {
    guard add(listener, isManual: accessor.isManual, mayBeOverridden: accessor.mayBeOverridden),
      !accessor.affecting.isEmpty
    else { return }
    observeDependencies(accessor.key, accessor.affecting, of: asObject(object, KVObject.self), nil, build)
  }

  private func observeDependencies(
    _ key: InternedKey, _ affecting: [KVKeyPath], of object: any KVObservable, _ resolved: ResolvedKey?,
    _ build: DependentBuild?
  ) {
    if let build { return build.add(key, affecting, of: object, self, resolved) }
    let build = DependentBuild()
    build.add(key, affecting, of: object, self, resolved)
    build.publish()
  }

  /// Removes an entry, and cancels the dependent key of its key if it was the last entry.
  func removeEntry(_ listener: Listener) {
    remove(listener)?.cancel()
  }

  // MARK: Reports

  /// Reports that manual changes were not ended before the object was deallocated.
  func reportUnended(_ keys: [String]) {
    guard KVDiagnostics.isReported(.warning) else { return }
    KVDiagnostics.report(always: .warning, .unmatchedChange, nil, id: objectID) {
      """
      a manual change of \(keys.map { "\"\($0)\"" }.joined(separator: ", ")) of \(objectType) was begun and never ended: \
      nothing was delivered. withChange(forKey:) cannot be left unmatched.
      """
    }
  }

  // MARK: Listings

  /// The registrations whose paths begin at the object; the order of their keys is unspecified.
  var registrations: [Registration] { registrations { $0.isAtRoot } }

  /// The registrations of other objects whose paths go through this object.
  var passingRegistrations: [Registration] {
    let own = Set(registrations.map { ObjectIdentifier($0) })
    return registrations { _ in true }.filter { !own.contains(ObjectIdentifier($0)) }
  }

  /// Returns the registrations that are entries themselves, and those of the links that pass a test, each once.
  private func registrations(ofLinks isIncluded: (PathLink) -> Bool) -> [Registration] {
    var known: Set<ObjectIdentifier> = []
    return allListeners.compactMap { listener in
      let link = listener as? PathLink
      let registration = link.map { isIncluded($0) ? $0.registration : nil } ?? listener as? Registration
      guard let registration, !registration.kind.isInternal else { return nil }
      return known.insert(ObjectIdentifier(registration)).inserted ? registration : nil
    }
  }
}
