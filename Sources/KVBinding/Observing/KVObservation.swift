import KVCore

/// A registration, in the hands of whoever made it: it ends when this is dropped, or earlier by ``cancel()``.
///
/// ```swift
/// let token = try person.observe("name") { change in print(change) }
/// token.pause()
/// token.resume()
/// token.cancel()
/// ```
///
/// A registration that was given an owner, or that belongs to a target, lives as long as that; its token may be thrown
/// away (KVO.10, LIF.2). All of it may be used from any thread.
public final class KVObservation: @unchecked Sendable {  // guard: immutable; observations are thread-safe
  private let content: Content

  /// What is registered, and whether it ends with the token.
  ///
  /// One word, since each observer has a token: nearly always there is one observation, which needs no array.
  private enum Content {
    case held(Observation)
    case owned(Observation)
    case several(Several)
  }

  private final class Several {
    let registrations: [any Registration]
    let endsWhenDropped: Bool

    init(_ registrations: [any Registration], _ endsWhenDropped: Bool) {
      self.registrations = registrations
      self.endsWhenDropped = endsWhenDropped
    }
  }

  init(_ observation: Observation, endsWhenDropped: Bool = true) {
    content = endsWhenDropped ? .held(observation) : .owned(observation)
  }

  init(_ observations: [Observation], endsWhenDropped: Bool = true) {
    content = .several(Several(observations, endsWhenDropped))
  }

  /// Makes the token of something that is no observation of an object, and that has an owner.
  init(owned registration: any Registration) { content = .several(Several([registration], false)) }

  deinit {
    switch content {
    case .held(let observation): observation.end()
    case .owned: break
    case .several(let several): if several.endsWhenDropped { cancel() }
    }
  }

  /// Ends the registration; doing so again does nothing (KVO.9).
  ///
  /// Nothing is delivered any more once this has returned, but for a handler that is running on another thread. The token
  /// keeps the handler and what that captures: let go of the token, too, to have them released.
  public func cancel() { forEach { $0.end() } }

  /// Holds records back for good until ``resume()``: what happens meanwhile is not delivered later (LIF.4).
  public func pause() { setPaused(true) }

  /// Delivers records again.
  public func resume() { setPaused(false) }

  private func setPaused(_ isPaused: Bool) { forEach { $0.setPaused(isPaused) } }

  /// Whether records are held back.
  public var isPaused: Bool { contains { $0.isPaused } }

  /// Whether anything is still registered: not so after ``cancel()``, and after the death of the object or the owner.
  public var isActive: Bool { contains { !$0.isEnded } }

  private func forEach(_ body: (any Registration) -> Void) {
    switch content {
    case .held(let observation), .owned(let observation): body(observation)
    case .several(let several): several.registrations.forEach(body)
    }
  }

  private func contains(_ test: (any Registration) -> Bool) -> Bool {
    switch content {
    case .held(let observation), .owned(let observation): test(observation)
    case .several(let several): several.registrations.contains(where: test)
    }
  }
}
