import KVCore

extension ObserverRegistrar {
  /// Adds an entry, and watches what its key depends on.
  func addEntry(_ listener: Listener, _ component: ResolvedComponent, _ build: DependentBuild? = nil) {
    guard add(listener, isManual: component.isManual), let accessor = component.accessor, !accessor.affecting.isEmpty,
      let object = component.owner as? any KVObservable
    else { return }
    observeDependencies(accessor, of: object, build)
  }

  /// Adds an entry for a key of an object that is known to be a ``KVObject``, and watches what the key depends on.
  func addEntry(_ listener: Listener, _ accessor: Accessor, _ object: AnyObject, _ build: DependentBuild? = nil) {
    guard add(listener, isManual: accessor.isManual), !accessor.affecting.isEmpty else { return }
    observeDependencies(accessor, of: unsafeDowncast(object, to: KVObject.self), build)
  }

  private func observeDependencies(_ accessor: Accessor, of object: any KVObservable, _ build: DependentBuild?) {
    if let build { return build.add(accessor, of: object, self) }
    let build = DependentBuild()
    build.add(accessor, of: object, self)
    build.publish()
  }

  /// Takes an entry out; with the last one of a key, what watches for it.
  func removeEntry(_ listener: Listener) {
    remove(listener)?.cancel()
  }
}
