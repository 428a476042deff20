import Foundation
import KVCore

extension KVObserver {
  /// Observes notifications of a center, with the ownership of all that an observer observes (OBS.4).
  ///
  /// - Parameters:
  ///   - names: The names; each is observed for each object.
  ///   - objects: The objects that post them; nil for any, an empty array for none. They are not retained.
  ///   - center: The center.
  ///   - handler: Called with the observer and the notification, on the thread that posts it.
  /// - Returns: A token for ending it early or pausing it; it may be thrown away.
  @discardableResult
  public func observe(
    notifications names: [Notification.Name], from objects: [AnyObject]? = nil,
    center: NotificationCenter = .default, handler: @escaping (Self, Notification) -> Void
  ) -> KVObservation {
    let registration = NotificationRegistration(self, center)
    Owners.add(registration, to: self)
    let call = UncheckedHandler { owner, notification in handler(asObject(owner, Self.self), notification) }
    for name in names {
      for object in objects.map({ $0.map(Optional.some) }) ?? [nil] {
        registration.add(name, object, call)
      }
    }
    return KVObservation([registration], cancelsOnDeinit: false)
  }
}

/// The handler runs where notifications are posted, which is for their poster to arrange.
private struct UncheckedHandler: @unchecked Sendable {  // guard: see above
  let call: (AnyObject, Notification) -> Void
}

/// One call's observations of a notification center.
private final class NotificationRegistration: OwnedRegistration, PausableRegistration, @unchecked Sendable {
  // guard: `state` is locked
  private let reference: WeakReference<AnyObject>
  private let center: NotificationCenter
  private let state = Locked(State())

  private struct State {
    var tokens: [Token] = []
    var isPaused = false
    var isEnded = false
  }

  private struct Token: @unchecked Sendable {  // guard: tokens are opaque to all but their center
    let value: any NSObjectProtocol
  }

  /// The object whose notifications are wanted; some centers take one that has died for any object.
  private struct Poster: @unchecked Sendable {  // guard: a weak reference, never set again
    weak var object: AnyObject?

    func posts(_ notification: Notification) -> Bool {
      guard let object, let poster = notification.object else { return false }
      return objectCast(poster, to: AnyObject.self) === object
    }
  }

  var owner: AnyObject? { reference.object }
  var ownerID: ObjectIdentifier? { reference.id }

  init(_ owner: AnyObject, _ center: NotificationCenter) {
    reference = WeakReference(owner)
    self.center = center
  }

  func add(_ name: Notification.Name, _ object: AnyObject?, _ handler: UncheckedHandler) {
    let poster = object.map { Poster(object: $0) }
    let token = center.addObserver(forName: name, object: object, queue: nil) { [weak self] notification in
      guard let self, poster?.posts(notification) ?? true, !self.isPaused else { return }
      if let owner = self.owner { handler.call(owner, notification) } else { self.cancel() }
    }
    let boxed = Token(value: token)
    state.withLock { $0.tokens.append(boxed) }
  }

  var isEnded: Bool { state.withLock { $0.isEnded } }
  var isOrphaned: Bool { owner == nil }
  var isPaused: Bool { state.withLock { $0.isPaused } }

  func setPaused(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

  func cancel() {
    let ended = state.withLock { state in
      defer { state.tokens = [] }
      state.isEnded = true
      return state.tokens
    }
    for token in ended { center.removeObserver(token.value) }
    Owners.forget(self)
  }
}
