import KVCore

/// The token of an observation, which ends when the token is dropped or by ``cancel()``.
///
/// ```swift
/// let token = try person.observe("name") { change in print(change) }
/// token.pause()
/// token.resume()
/// token.cancel()
/// ```
///
/// An observation with an owner or a target lives as long as that object, and its token may be discarded (KVO.10,
/// LIF.2). All members may be used from any thread.
public final class KVObservation: Plumbing, @unchecked Sendable {  // guard: immutable; observations are thread-safe
  private let content: Content

  /// The observations, and whether they end with the token.
  ///
  /// The enum takes one word, since each observer has a token. A token nearly always has one observation, which needs
  /// no array. It cannot be copied, so that no reference is counted to use what it holds.
  private enum Content: ~Copyable {
    case cancelledOnDeinit(Registration)
    case owned(Registration)
    case severalCancelledOnDeinit(ContiguousArray<any PausableRegistration>)
    case severalOwned(ContiguousArray<any PausableRegistration>)
  }

  init(_ registration: consuming Registration, cancelsOnDeinit: Bool = true) {
    content = cancelsOnDeinit ? .cancelledOnDeinit(registration) : .owned(registration)
  }

  init(_ registrations: [any PausableRegistration], cancelsOnDeinit: Bool = true) {
    let registrations = ContiguousArray(registrations)
    content = cancelsOnDeinit ? .severalCancelledOnDeinit(registrations) : .severalOwned(registrations)
  }

  deinit {
    switch content {
    case .cancelledOnDeinit(let registration): registration.cancel()
    case .severalCancelledOnDeinit: cancel()
    case .owned: break
    case .severalOwned: break
    }
  }

  /// Cancels the observation; repeated calls have no effect (KVO.9).
  ///
  /// Once the method has returned, no handler is called any more, except for a handler that is running on another
  /// thread. The token keeps the handler and its captures alive: drop the token, too, to release them.
  public func cancel() {
    switch content {
    case .cancelledOnDeinit(let registration): registration.cancel()
    case .owned(let registration): registration.cancel()
    case .severalCancelledOnDeinit(let registrations): registrations.forEach { $0.cancel() }
    case .severalOwned(let registrations): registrations.forEach { $0.cancel() }
    }
  }

  /// Pauses the observation until ``resume()``; changes in between are not delivered later (LIF.4).
  public func pause() { setPaused(true) }

  /// Resumes the delivery of changes.
  public func resume() { setPaused(false) }

  /// Limits how often changes are delivered: debounce or throttle (COA.10).
  ///
  /// ```swift
  /// let token = try field.observe("text") { change in search(change.new) }
  ///   .limited(by: .debounce(for: .milliseconds(300), on: .main))
  /// ```
  ///
  /// Deferred changes are merged as in a coalescing scope: one change has the old value of the first and the new value of
  /// the last. `initial` and `prior` records are not deferred. Cancelling the observation drops what is deferred.
  ///
  /// The limit is that of the observation: the key paths of a list, or all keys of an object, share one timer, and the
  /// handler receives one change, that of the path that changed last. Observe the paths one by one if the handler needs
  /// the change of each. In an observation of elements, each element has a timer of its own.
  ///
  /// For ``KVCore/KVObject/onDeinit(_:)`` and notifications the method has no effect, which is reported as a warning.
  ///
  /// - Parameter limit: The limit, which replaces an earlier one.
  /// - Returns: The receiver.
  @discardableResult
  public func limited(by limit: KVRateLimit) -> KVObservation {
    let shared = ObservationLimit(limit)
    forEach { registration in
      if let registration = registration as? Registration { return registration.setLimit(shared) }
      KVDiagnostics.report(.warning, .registration, nil, nil) {
        "limited(by:) has no effect: only changes of key paths can be deferred, not notifications and onDeinit closures."
      }
    }
    return self
  }

  private func setPaused(_ isPaused: Bool) { forEach { $0.setPaused(isPaused) } }

  /// Whether the observation is paused.
  public var isPaused: Bool { contains { $0.isPaused } }

  /// Whether the observation is registered: not after ``cancel()``, nor after the death of the object or the owner.
  public var isActive: Bool { contains { !$0.isEnded && !$0.isOrphaned } }

  private func forEach(_ body: (any PausableRegistration) -> Void) {
    switch content {
    case .cancelledOnDeinit(let registration): body(registration)
    case .owned(let registration): body(registration)
    case .severalCancelledOnDeinit(let registrations): registrations.forEach(body)
    case .severalOwned(let registrations): registrations.forEach(body)
    }
  }

  private func contains(_ test: (any PausableRegistration) -> Bool) -> Bool {
    var isFound = false
    forEach { if test($0) { isFound = true } }
    return isFound
  }
}
