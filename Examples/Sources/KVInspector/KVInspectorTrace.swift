import KVBinding
import Synchronization

/// Collects the events of the library, until somebody takes them.
///
/// It adds a handler of diagnostics while it runs, and leaves the handler of the program as it is.
public final class KVInspectorTrace: Sendable {
  /// An event.
  public struct Line: Sendable {
    /// The number of the event, from 1.
    public let number: Int
    /// The level, such as `verbose`.
    public let level: String
    /// The topic, such as `delivery`.
    public let topic: String
    /// The key path that was observed or bound; nil if there is none.
    public let keyPath: String?
    /// The object of the registration.
    public let object: ObjectIdentifier?
    /// Where the observation or binding was made, as `Module/File.swift:12`.
    public let location: String?
    /// What has happened, in at most 300 characters.
    public let message: String
  }

  private struct State {
    var lines: [Line] = []
    var count = 0
    var left = 0
    var handler: KVDiagnostics.HandlerToken?
  }

  private let limit: Int
  private let isWanted: @Sendable (KVDiagnostics.Event) -> Bool
  private let state = Mutex(State())

  /// Creates a trace.
  ///
  /// - Parameter limit: How many events it keeps until they are taken. Further ones are only counted.
  public convenience init(limit: Int = 200) { self.init(limit: limit) { _ in true } }

  init(limit: Int, isWanted: @escaping @Sendable (KVDiagnostics.Event) -> Bool) {
    (self.limit, self.isWanted) = (limit, isWanted)
  }

  deinit { stop() }

  /// Begins to collect events; without effect if it does already.
  public func start() {
    state.withLock { state in
      guard state.handler == nil else { return }
      state.handler = KVDiagnostics.addHandler(level: .verbose) { [weak self] event in self?.add(event) }
    }
  }

  /// Ends the collection.
  public func stop() {
    let handler = state.withLock { state in
      defer { state.handler = nil }
      return state.handler
    }
    if let handler { KVDiagnostics.removeHandler(handler) }
  }

  private func add(_ event: KVDiagnostics.Event) {
    guard isWanted(event) else { return }
    state.withLock { state in
      state.count += 1
      guard state.lines.count < limit else { return state.left += 1 }
      state.lines.append(
        Line(
          number: state.count, level: "\(event.level)", topic: "\(event.topic)",
          keyPath: event.keyPath?.description, object: event.object, location: event.location,
          message: String(event.message.prefix(300))))
    }
  }

  /// Returns the events since the last call, and how many further ones were left out.
  public func take() -> (lines: [Line], leftOut: Int) {
    state.withLock { state in
      defer { (state.lines, state.left) = ([], 0) }
      return (state.lines, state.left)
    }
  }
}
