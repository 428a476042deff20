import KVCore

// A recorder of a dependent key does not need the changes that it records by another key, from which the value follows
// (UND.1).

extension PlanBuilder {
  /// Adds the recorder of a dependent key, when all keys have been added.
  func add(recorder: Registration, _ changedKey: ChangedKey) { recorders.append((recorder, changedKey)) }

  /// Adds the recorders that do not record the change by another key.
  func joinRecorders() {
    let waiting = recorders
    recorders = []
    for (registration, changedKey) in waiting where !isRecordedByAnotherKey(registration) {
      add(registration, changedKey, depth: 0, isLeaf: true)
    }
  }

  /// Returns whether a recorder records a key that is being set, or one between that and its own key.
  private func isRecordedByAnotherKey(_ registration: Registration) -> Bool {
    guard case .recorder(let isRecorded, _) = registration.kind, let registrar = registration.registrar else {
      return false
    }
    if recordsChangedKey(isRecorded) { return true }
    var waiting = [DependentKey.ID(registrar: ObjectIdentifier(registrar), key: registration.key): registrar]
    var known = Set(waiting.keys)
    while let (id, registrar) = waiting.popFirst() {
      let dependent = registrar.withExistingRareState { $0.dependencies[id.key] }
      let isFound = dependent?.forEachSource { registrar, key in
        let id = DependentKey.ID(registrar: ObjectIdentifier(registrar), key: key)
        guard contains(id), known.insert(id).inserted else { return false }
        if isRecorded(registrar.objectID, key) { return true }
        waiting[id] = registrar
        return false
      }
      if isFound == true { return true }
    }
    return false
  }
}

extension DependentKey {
  /// Calls a function with the observed keys on the affecting paths, as far as those lead from object to object, until it
  /// returns true; returns whether it has.
  fileprivate func forEachSource(_ body: (ObserverRegistrar, InternedKey) -> Bool) -> Bool {
    for path in paths {
      var next: Any? = object
      for component in path.components {
        guard let owner = next as? any KVObservable, let name = component.observedName,
          let registrar = ObserverRegistrar.existing(of: owner)
        else { break }
        if body(registrar, (try? TypeInfo.of(owner).accessor(name))?.key ?? InternedKey(name)) { return true }
        next = (try? Reader.value(ofKey: name, in: owner)) ?? nil
      }
    }
    return false
  }
}
