import KVCore

extension ObserverRegistrar {
  /// Adds an entry, and observes the paths that its key depends on.
  func addEntry(_ listener: Listener, _ component: ResolvedComponent, _ build: DependentBuild? = nil) {
    guard add(listener, isManual: component.isManual), let accessor = component.accessor, !accessor.affecting.isEmpty,
      let object = component.owner as? any KVObservable
    else { return }
    observeDependencies(accessor, of: object, build)
  }

  /// Adds an entry for a key of a ``KVObject``, and observes the paths that the key depends on.
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

  /// Removes an entry, and cancels the dependent key of its key if it was the last entry.
  func removeEntry(_ listener: Listener) {
    remove(listener)?.cancel()
  }
}
