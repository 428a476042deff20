import KVCore

/// The observers of key paths of the objects of an arranged content (CTR.18, CTR.40).
///
/// An object that occurs several times is observed once. Keys that never notify are left out: an element that does not
/// notify of a change keeps its index (SRT.10).
package final class ElementObservers: SharedObserver {
  /// The objects that are observed by registrations; guarded as the state of ``SharedObserver``.
  private var registered = CountedElements<ObjectIdentifier, [Registration]>()

  deinit { for registrations in registered.all { Self.cancel(registrations) } }

  /// Whether exactly these key paths are observed, with the same policies.
  package func observes(_ paths: Set<KVKeyPath>) -> Bool { isSame(as: Self.observed(paths)) }

  private static func observed(_ paths: Set<KVKeyPath>) -> [KVKeyPath] {
    paths.filter { $0.description != "self" }.sorted()
  }

  /// Observes other key paths, and exactly these elements.
  package func observe(_ newPaths: Set<KVKeyPath>, of elements: some Sequence) {
    let newPaths = Self.observed(newPaths)
    let isSame = self.isSame(as: newPaths)
    let previous = lock.withLock { _ in
      beginReplacing(newPaths)
      if !isSame { return registered.takeAll() }
      registered.restart()
      return []
    }
    defer { endReplacing() }
    add(elements)
    for registrations in previous + lock.withLock({ _ in registered.removeUncounted() }) { Self.cancel(registrations) }
  }

  package func add(_ elements: some Sequence) {
    if paths.isEmpty { return }
    for element in elements { if let object = Self.object(element) { add(object) } }
  }

  package func remove(_ elements: some Sequence) {
    if paths.isEmpty { return }
    for element in elements {
      guard let object = Self.object(element) else { continue }
      let last = lock.withLock { _ in removeOccurrence(object) ? nil : registered.remove(ObjectIdentifier(object)) }
      if let last { Self.cancel(last) }
    }
  }

  override func isRegistered(_ id: ObjectIdentifier) -> Bool { registered[id] != nil }

  override func take(_ registrations: [Registration], of id: ObjectIdentifier, count: Int) {
    registered.keep(registrations, of: id, count: count)
  }

  private static func object(_ element: Any) -> (any KVObservable)? {
    objectCast(element, to: (any KVObservable).self)
  }

  private static func cancel(_ registrations: [Registration]) {
    for registration in registrations { registration.cancel() }
  }

  private func add(_ object: any KVObservable) {
    if join(object) { return }
    let id = ObjectIdentifier(object)
    if lock.withLock({ _ in registered.addOccurrence(id) }) { return }
    let registrations = paths.flatMap { self.registrations($0, of: object) }
    lock.withLock { _ in _ = registered.keep(registrations, of: id) }
  }

  /// Returns the registrations for a path: none if it cannot be observed; several if it leads through a collection.
  private func registrations(_ path: KVKeyPath, of object: any KVObservable) -> [Registration] {
    let id = ObjectIdentifier(object)
    let registration = registration(path, of: id)
    do throws(KVError) {
      try registration.attach(to: object)
      return [registration]
    } catch {
      // The elements on the way are observed as those of `observeElements`.
      guard error.code == .notObservable, let count = Self.collectionPrefix(path, of: object),
        let collection = path.prefix(count), let remainder = try? path.part(Array(path.components[count...]))
      else { return [] }
      let members = self.registration(collection, of: id)
      let tracker = ElementTracker(remainder) { [site, objectDidChange] in
        Registration(remainder, [], site, Sink(.records) { _, _ in objectDidChange(id, path) })
      }
      let elements = Registration(collection, [], site, .elements(tracker))
      return begun([members, elements]) { registration throws(KVError) in
        if registration === members { try members.attach(to: object) } else { try tracker.begin(elements, at: object) }
      }
    }
  }

  /// Returns the registrations that a function begins without an error.
  private func begun(
    _ registrations: [Registration], _ begin: (Registration) throws(KVError) -> Void
  ) -> [Registration] {
    registrations.filter { registration in
      do throws(KVError) {
        try begin(registration)
        return true
      } catch {
        return false
      }
    }
  }

  /// Returns the number of components of a path that lead to a collection whose elements have the rest.
  private static func collectionPrefix(_ path: KVKeyPath, of object: any KVObservable) -> Int? {
    guard path.count > 1 else { return nil }
    for count in 1..<path.count {
      guard let prefix = path.prefix(count), let value = (try? Reader(prefix).value(of: object)) ?? nil else {
        return nil
      }
      if DynamicCollection.canBeMapped(value) { return count }
    }
    return nil
  }
}
