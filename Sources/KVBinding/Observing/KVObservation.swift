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
public final class KVObservation: @unchecked Sendable {  // guard: immutable; registrations are thread-safe
  /// The first of them stands by itself: nearly always it is the only one, and needs no array.
  private let first: Observation?
  private let others: [any Registration]
  private let endsWhenDropped: Bool

  init(_ observation: Observation, endsWhenDropped: Bool = true) {
    first = observation
    others = []
    self.endsWhenDropped = endsWhenDropped
  }

  init(_ observations: [Observation], endsWhenDropped: Bool = true) {
    first = observations.first
    others = Array(observations.dropFirst())
    self.endsWhenDropped = endsWhenDropped
  }

  /// Makes the token of something that is no observation of an object, and that has an owner.
  init(owned registration: any Registration) {
    first = nil
    others = [registration]
    endsWhenDropped = false
  }

  deinit { if endsWhenDropped { cancel() } }

  /// Ends the registration; doing so again does nothing (KVO.9).
  ///
  /// Nothing is delivered any more once this has returned, but for a handler that is running on another thread. The token
  /// keeps the handler and what that captures: let go of the token, too, to have them released.
  public func cancel() {
    first?.end()
    for registration in others { registration.end() }
  }

  /// Holds records back for good until ``resume()``: what happens meanwhile is not delivered later (LIF.4).
  public func pause() { setPaused(true) }

  /// Delivers records again.
  public func resume() { setPaused(false) }

  private func setPaused(_ isPaused: Bool) {
    first?.setPaused(isPaused)
    for registration in others { registration.setPaused(isPaused) }
  }

  /// Whether records are held back.
  public var isPaused: Bool { first?.isPaused == true || others.contains { $0.isPaused } }

  /// Whether anything is still registered: not so after ``cancel()``, and after the death of the object or the owner.
  public var isActive: Bool { first?.isEnded == false || others.contains { !$0.isEnded } }
}
