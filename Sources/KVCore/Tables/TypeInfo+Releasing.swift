extension TypeInfo {
  /// Returns whether a key of a class can be read when an object that it referenced is deallocated.
  ///
  /// An object ends inside the access to the property that alone retained it if a plain property is set in Swift: the
  /// property must not be read then, and nobody knows that it is being set. A property that notifies releases its former
  /// value after the access, a weak reference releases none, a constant is never set, and a key with manual notification
  /// is changed between the calls that tell of it. A computed property is like the keys that affect it.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - key: The name of the key.
  package static func canReadAtRelease(_ type: AnyClass, _ key: String) -> Bool {
    existing(type)?.canReadAtRelease(key, []) ?? false
  }

  private func canReadAtRelease(_ key: String, _ dependents: Set<String>) -> Bool {
    if kind == .record || fields.isObservableProperty(key) { return true }
    guard let accessor = unmanagedAccessor(key)?.object else { return false }
    if accessor.flags.contains(.needsNoNotification) { return true }
    if let known = accessor.knownReadingAtRelease { return known }
    let property = accessor.declaration.property
    let canRead =
      if let stored = (type as? AnyClass).flatMap({ StoredReference(property, in: $0) }) {
        stored.isStrong ? !stored.isVariable : accessor.value.isOptional
      } else {
        !accessor.affecting.isEmpty && !dependents.contains(key)
          && accessor.affecting.allSatisfy { path in
            path.count == 1 && path.affectingKey.map { canReadAtRelease($0, dependents.union([key])) } ?? false
          }
      }
    // In a cycle of dependencies, the answer belongs to the first key.
    if dependents.isEmpty { accessor.knownReadingAtRelease = canRead }
    return canRead
  }
}

extension KVKeyPath {
  /// The first component, if it is a key.
  fileprivate var affectingKey: String? { if case .key(let name) = first { name } else { nil } }
}

extension TypeInfo {
  /// Returns whether a table lists a key of a class as a reference to an object.
  package static func isReference(_ key: String, of type: AnyClass) -> Bool {
    existing(type)?.unmanagedAccessor(key)?.object.flags.contains(.isObjectReference) ?? false
  }
}
