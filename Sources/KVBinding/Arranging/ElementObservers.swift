import KVCore

/// The registrations for key paths of the objects of an arranged content (CTR.18, CTR.45).
///
/// An object that occurs several times is observed once. Keys that never notify are left out: an element that does not
/// notify of a change keeps its index (SRT.10).
final class ElementObservers {
  private struct Entry {
    var count = 1
    let registrations: [Registration]
  }

  private let site: Site
  /// Called after a change of an object, with the key path whose value has changed.
  private let elementDidChange: (ObjectIdentifier, KVKeyPath) -> Void
  private var entries: [ObjectIdentifier: Entry] = [:]
  private(set) var paths: [KVKeyPath] = []

  init(_ site: Site, _ elementDidChange: @escaping (ObjectIdentifier, KVKeyPath) -> Void) {
    self.site = site
    self.elementDidChange = elementDidChange
  }

  deinit { for entry in entries.values { Self.cancel(entry) } }

  /// Observes other key paths, and exactly these elements.
  func observe(_ newPaths: Set<KVKeyPath>, of elements: some Sequence) {
    let newPaths = newPaths.filter { $0.description != "self" }.sorted()
    let former = entries
    let isSame = newPaths == paths
    (paths, entries) = (newPaths, [:])
    if paths.isEmpty {
      for entry in former.values { Self.cancel(entry) }
      return
    }
    var reused: Set<ObjectIdentifier> = []
    for element in elements {
      guard let object = Self.object(element) else { continue }
      let id = ObjectIdentifier(object)
      if isSame, entries[id] == nil, let entry = former[id] {
        entries[id] = Entry(registrations: entry.registrations)
        reused.insert(id)
      } else {
        add(object)
      }
    }
    for (id, entry) in former where !reused.contains(id) { Self.cancel(entry) }
  }

  func add(_ elements: some Sequence) {
    if paths.isEmpty { return }
    for element in elements { if let object = Self.object(element) { add(object) } }
  }

  func remove(_ elements: some Sequence) {
    if paths.isEmpty { return }
    for element in elements {
      guard let object = Self.object(element) else { continue }
      let id = ObjectIdentifier(object)
      guard let count = entries[id]?.count else { continue }
      if count > 1 {
        entries[id]?.count -= 1
      } else if let entry = entries.removeValue(forKey: id) {
        Self.cancel(entry)
      }
    }
  }

  private static func object(_ element: Any) -> (any KVObservable)? {
    (element as? any KVObservable) ?? unwrappingOptionals(element) as? any KVObservable
  }

  private static func cancel(_ entry: Entry) { for registration in entry.registrations { registration.cancel() } }

  private func add(_ object: any KVObservable) {
    let id = ObjectIdentifier(object)
    if entries[id] != nil {
      entries[id]?.count += 1
      return
    }
    var registrations: [Registration] = []
    registrations.reserveCapacity(paths.count)
    for path in paths { registrations += self.registrations(path, of: object) }
    entries[id] = Entry(registrations: registrations)
  }

  /// Returns the registrations for a path: none if it cannot be observed; several if it leads through a collection.
  private func registrations(_ path: KVKeyPath, of object: any KVObservable) -> [Registration] {
    let elementDidChange = elementDidChange
    let id = ObjectIdentifier(object)
    func sink(_ kind: Sink.Kind = .records) -> Sink { Sink(kind) { _, _ in elementDidChange(id, path) } }
    let registration = Registration(path, [], site, sink())
    do throws(KVError) {
      try registration.attach(to: object)
      return [registration]
    } catch {
      // The elements on the way are observed as those of `observeElements`.
      guard error.code == .notObservable, let count = Self.collectionPrefix(path, of: object),
        let collection = path.prefix(count), let rest = try? KVKeyPath(components: Array(path.components[count...]))
      else { return [] }
      let members = Registration(collection, [], site, sink())
      let tracker = ElementTracker(rest) { [site] in Registration(rest, [], site, sink()) }
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
      if Elements.canBeMapped(value) { return count }
    }
    return nil
  }
}
