import KVBinding
import KVCore

// The observations of elements for automatic rearrangement (CTR.18).
extension KVArrayController {
  /// Observes all elements, or none, after the content, the key paths or the mode were assigned.
  func observeElements() {
    defer { shareObservations() }
    guard current.isAutomatic else {
      observers = nil
      return
    }
    let observers =
      self.observers ?? ElementObservers(Site(#fileID, #line)) { [weak self] in self?.elementDidChange($0, $1) }
    self.observers = observers
    observers.observe(automaticRearrangementKeyPaths, of: currentContent)
  }

  /// Observes the elements that an edit of the content brings, and no longer those that it removes.
  func followElements(_ edit: IndexedEdit<Element>?, old: [Element]) {
    guard let edit, let observers else { return }
    observers.add(edit.added ?? [])
    observers.remove(old)
  }

  private func elementDidChange(_ id: ObjectIdentifier, _ path: KVKeyPath) {
    elementDidChange(id, of: mappedKeys.compactMap(\.key).filter { $0.isShared && $0.path == path }, arranges: true)
    if arrangement.isStale { update { rearrange { arrangement.rearrange() } } }
  }
}
