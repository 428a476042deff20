import KVCore

/// The observations of the elements of a content, while a controller rearranges automatically (CTR.18).
///
/// An object that occurs several times is observed once. Elements that cannot be observed are left out.
final class ElementObservations<Element> {
  private struct Entry {
    var count: Int
    let registrations: [Registration]
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private let paths: Set<KVKeyPath>
  private let didChange: (ObjectIdentifier) -> Void

  /// Creates observations of key paths, without elements.
  ///
  /// - Parameter didChange: Called with the identity of an element after a change of one of the paths.
  init(_ paths: Set<KVKeyPath>, _ didChange: @escaping (ObjectIdentifier) -> Void) {
    self.paths = paths
    self.didChange = didChange
  }

  deinit { removeAll() }

  func add(_ elements: [Element]) { for element in elements { add(element) } }
  func remove(_ elements: [Element]) { for element in elements { remove(element) } }

  private func add(_ element: Element) {
    guard let id = ArrangedContent<Element>.identity(of: element) else { return }
    if entries[id] != nil {
      entries[id]?.count += 1
      return
    }
    guard let object = element as? any KVObservable else { return }
    entries[id] = Entry(count: 1, registrations: paths.compactMap { register($0, object, id) })
  }

  private func remove(_ element: Element) {
    guard let id = ArrangedContent<Element>.identity(of: element), let entry = entries[id] else { return }
    if entry.count > 1 {
      entries[id]?.count -= 1
      return
    }
    entries[id] = nil
    for registration in entry.registrations { registration.cancel() }
  }

  private func removeAll() {
    for entry in entries.values { for registration in entry.registrations { registration.cancel() } }
    entries = [:]
  }

  private func register(_ path: KVKeyPath, _ object: some KVObservable, _ id: ObjectIdentifier) -> Registration? {
    let didChange = didChange
    let registration = Registration(path, [], Site(#fileID, #line), Sink(.records) { _, _ in didChange(id) })
    do throws(KVError) { try registration.begin(at: object) } catch {
      // An error of the path itself is that of the arrangement; a path that cannot notify changes nothing (SRT.10).
      return nil
    }
    return registration
  }
}

extension KVArrayController {
  /// Observes all elements anew, or none, after the content, the key paths or the mode were assigned.
  func observeElements() {
    guard current.isAutomatic else {
      observations = nil
      return
    }
    let paths = automaticRearrangementKeyPaths
    let observations = ElementObservations<Element>(paths) { [unowned self] id in elementDidChange(id) }
    observations.add(current.content)
    self.observations = observations
  }

  /// Observes the elements that an edit of the content brings, and no longer those that it removes.
  func followElements(_ edit: ContentEdit?, old: [Element]) {
    guard let edit, let observations else { return }
    observations.add(edit.elements)
    observations.remove(old)
  }

  private func elementDidChange(_ id: ObjectIdentifier) {
    performEdit { update(for: nil, arrangement.elementDidChange(id), selection: .followsMoves) }
  }
}
