import KVCore

extension ObserverRegistrar {
  /// Adds an entry, and watches what its key depends on.
  func addEntry(_ listener: Listener, _ place: ObservedPlace) {
    guard add(listener, isManual: place.isManual), let accessor = place.accessor, !accessor.affecting.isEmpty,
      let object = place.owner as? any KVObservable
    else { return }
    let key = accessor.key
    let made = withExtras { extras -> DependentKey? in
      if extras.isDead || extras.dependencies[key] != nil { return nil }
      let dependent = DependentKey(key, of: object, self)
      extras.dependencies[key] = dependent
      return dependent
    }
    guard let made else { return }
    do throws(KVError) { try made.begin(accessor.affecting, of: object) } catch {
      KVDiagnostics.report(.error, .faultyPath, nil, object) { "what \"\(key)\" depends on: \(error)" }
    }
  }

  /// Takes an entry out; with the last one of a key, what watches for it.
  func removeEntry(_ listener: Listener) {
    let key = listener.key
    guard remove(listener) else { return }
    let dependent = withExistingExtras { extras -> DependentKey? in
      extras.dependencies.isEmpty ? nil : extras.dependencies.removeValue(forKey: key)
    }
    dependent?.end()
  }
}
