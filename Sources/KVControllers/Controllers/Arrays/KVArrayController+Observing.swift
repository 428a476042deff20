import KVBinding
import KVCore

// The observations of elements for automatic rearrangement (CTR.18).
extension KVArrayController {
  /// Observes all elements, or none, after the content, the key paths or the mode were assigned.
  func observeElements() {
    defer { mappedKeys.share(observers?.paths ?? []) }
    guard model.state.isAutomatic else {
      (observers, model.didEdit) = (nil, nil)
      return
    }
    let observers =
      self.observers
      ?? ElementObservers(Site(#fileID, #line)) { [weak self] id, path in
        guard let self else { return }
        elementDidChange(id, of: mappedKeys.all.filter { $0.isShared && $0.path == path }, arranges: true)
        if model.arrangement.isStale { update { make { model.rearrangement() } } }
      }
    self.observers = observers
    observers.observe(automaticRearrangementKeyPaths, of: model.content)
    model.didEdit = { [unowned observers] added, removed in
      observers.add(added)
      observers.remove(removed)
    }
  }
}
