import KVCore

/// The handlers of a control's events, ready for use by a control without a toolkit.
///
/// It may be used on any thread. Handlers are called in the order in which they were added. A handler that is removed
/// during an event is not called any more; a handler that is added during an event is called from the next event on.
public final class KVControlHandlers: Plumbing, Sendable {
  // guard: immutable except for `isRemoved`, which the lock of the list guards
  private final class Handler: @unchecked Sendable {
    let event: KVControlEvent
    let body: () -> Void
    var isRemoved = false

    init(_ event: KVControlEvent, _ body: @escaping () -> Void) {
      self.event = event
      self.body = body
    }
  }

  private let handlers = Locked<[Handler]>([])

  /// Creates an empty list of handlers.
  public init() {}

  /// Whether there are no handlers.
  public var isEmpty: Bool { handlers.withLock { $0.isEmpty } }

  /// Adds a handler for an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - handler: The closure to call.
  /// - Returns: A token for ``remove(_:)``.
  public func add(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any {
    let handler = Handler(event, handler)
    handlers.withLock { $0.append(handler) }
    return handler
  }

  /// Removes a handler; repeated calls have no effect.
  ///
  /// - Parameter token: The token that ``add(for:_:)`` returned.
  public func remove(_ token: Any) {
    guard let handler = token as? Handler else { return }
    handlers.withLock { handlers in
      handler.isRemoved = true
      handlers.removeAll { $0 === handler }
    }
  }

  /// Calls the handlers of an event.
  ///
  /// - Parameter event: The event.
  public func send(_ event: KVControlEvent) {
    for handler in handlers.withLock({ $0 }) where handler.event == event {
      if handlers.withLock({ _ in !handler.isRemoved }) { handler.body() }
    }
  }
}
