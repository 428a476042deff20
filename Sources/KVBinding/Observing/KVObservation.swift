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
  private let observations: [Observation]
  private let endsWhenDropped: Bool

  init(_ observations: [Observation], endsWhenDropped: Bool = true) {
    self.observations = observations
    self.endsWhenDropped = endsWhenDropped
  }

  deinit { if endsWhenDropped { cancel() } }

  /// Ends the registration; doing so again does nothing (KVO.9).
  ///
  /// Nothing is delivered any more once this has returned, but for a handler that is running on another thread.
  public func cancel() { for observation in observations { observation.end() } }

  /// Holds records back for good until ``resume()``: what happens meanwhile is not delivered later (LIF.4).
  public func pause() { for observation in observations { observation.setPaused(true) } }

  /// Delivers records again.
  public func resume() { for observation in observations { observation.setPaused(false) } }

  /// Whether records are held back.
  public var isPaused: Bool { observations.contains { $0.isPaused } }

  /// Whether anything is still registered: not so after ``cancel()``, and after the death of the object or the owner.
  public var isActive: Bool { observations.contains { !$0.isEnded } }
}
