import Synchronization

/// A closure that runs when an object is deallocated (LIF.5).
final class DeinitHandler: PausableRegistration, @unchecked Sendable {  // guard: the closure is the object's own
  let order = RegistrationOrder.next()
  let body: () -> Void
  /// The registrar retains the handler.
  private weak let registrar: ObserverRegistrar?
  private let paused = Atomic(false)

  init(_ body: @escaping () -> Void, _ registrar: ObserverRegistrar) {
    self.body = body
    self.registrar = registrar
  }

  func begin() { registrar?.withRareState { $0.deinitHandlers[self.order] = self } }

  /// Whether the closure was removed, or has run.
  var isEnded: Bool { registrar?.withExistingRareState { $0.deinitHandlers[self.order] === self ? true : nil } == nil }
  var isOrphaned: Bool { false }
  var isPaused: Bool { paused.load(ordering: .acquiring) }
  func setPaused(_ isPaused: Bool) { paused.store(isPaused, ordering: .releasing) }

  func cancel() {
    // The removed closure is released outside of the lock.
    _ = registrar?.withExistingRareState { $0.deinitHandlers.removeValue(forKey: self.order) }
  }
}
