import KVCore

/// The functions that a control calls at its events: all that a control without a toolkit needs.
///
/// It may be used on any thread. Functions are called in the order in which they were added; one that is removed meanwhile
/// is not called any more, one that is added meanwhile is called from the next event on.
public final class KVControlHandlers: Sendable {
  // guard: immutable but for `isRemoved`, which belongs to the lock of the list
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

  /// Makes an empty list.
  public init() {}

  /// Whether nobody listens.
  public var isEmpty: Bool { handlers.withLock { $0.isEmpty } }

  /// Adds a function.
  ///
  /// - Parameters:
  ///   - event: The event at which it is called.
  ///   - handler: The function.
  /// - Returns: The token that removes it.
  public func add(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any {
    let handler = Handler(event, handler)
    handlers.withLock { $0.append(handler) }
    return handler
  }

  /// Removes a function; doing so again does nothing.
  ///
  /// - Parameter token: What ``add(for:_:)`` returned.
  public func remove(_ token: Any) {
    guard let handler = token as? Handler else { return }
    handlers.withLock { handlers in
      handler.isRemoved = true
      handlers.removeAll { $0 === handler }
    }
  }

  /// Calls the functions of an event.
  ///
  /// - Parameter event: The event that happened.
  public func send(_ event: KVControlEvent) {
    for handler in handlers.withLock({ $0 }) where handler.event == event {
      if handlers.withLock({ _ in !handler.isRemoved }) { handler.body() }
    }
  }
}
