import KVCore

extension ObserverRegistrar {
  /// Adds an entry, and watches what its key depends on.
  func addEntry(_ listener: Listener, _ place: ObservedPlace) {
    guard add(listener, isManual: place.isManual), let accessor = place.accessor, !accessor.affecting.isEmpty,
      let object = place.owner as? any KVObservable
    else { return }
    watch(accessor, of: object)
  }

  /// Adds an entry for a key of an object that is known to be a ``KVObject``, and watches what the key depends on.
  func addEntry(_ listener: Listener, _ accessor: Accessor, _ object: AnyObject) {
    guard add(listener, isManual: accessor.isManual), !accessor.affecting.isEmpty else { return }
    watch(accessor, of: unsafeDowncast(object, to: KVObject.self))
  }

  private func watch(_ accessor: Accessor, of object: any KVObservable) {
    let key = accessor.key
    let made = withExtras { extras -> DependentKey? in
      if extras.isDead || extras.dependencies[key] != nil { return nil }
      let dependent = DependentKey(key, of: object, self)
      extras.dependencies[key] = dependent
      return dependent
    }
    made?.begin(accessor.affecting, of: object)
  }

  /// Takes an entry out; with the last one of a key, what watches for it.
  func removeEntry(_ listener: Listener) {
    remove(listener)?.end()
  }
}
