import KVCore
import Synchronization

/// The diagnostics of observations and bindings, for logs and debuggers: one hook for all events (DIA.1).
///
/// ```swift
/// KVDiagnostics.setHandler(level: .verbose) { event in print(event) }
/// ```
///
/// Until a handler is set, debug builds write warnings and errors to standard error, and release builds report nothing.
/// For adapters to loggers see Examples.
public enum KVDiagnostics: LinkedWithBinding {
  /// The importance of an event.
  public enum Level: Int, Sendable, Comparable, CaseIterable {
    /// Every delivery, every value that a binding propagates, and every wave.
    case verbose
    /// Registrations, their ends, and other information that explains what the package does.
    case debug
    /// Noteworthy information.
    case info
    /// Probable mistakes.
    case warning
    /// Failures that could not be thrown to a caller.
    case error

    /// Returns whether a level is less important than another one.
    ///
    /// - Parameters:
    ///   - left: A level.
    ///   - right: Another level.
    /// - Returns: Whether the left level is less important.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// The subject of an event.
  public enum Topic: Sendable, Hashable {
    /// A record was delivered.
    case delivery
    /// An observation began or ended, for any reason.
    case registration
    /// A component of an observed path appeared that does not exist or is not observable (KVO.13).
    case faultyPath
    /// An observed value does not have the type that its observer expects, or no rows of a list can be made from it.
    case faultyValue
    /// A manual change or a coalescing scope that does not fit: one that ended without having begun or was never ended,
    /// ended with another kind or other indexes than it began, or names a key or indexes that do not exist (KVO.16).
    case unmatchedChange
    /// A call removed or unbound something that matches no registration (TGT.3, BND.9).
    case unmatchedRemoval
    /// Handlers changed each other's keys without end (KVO.23).
    case endlessChange
    /// A binding propagated a value, or failed to.
    case binding
    /// A wave has ended, in which bindings followed others or notifications were kept (WAV.10).
    case wave
    /// A value could not be restored when a transaction or an undo failed (COA.8, UND.7).
    case failedRollback
    /// An undo manager cannot record a change, or an element of a collection (UND.14).
    case undo
  }

  /// An event.
  public struct Event: Sendable, CustomStringConvertible {
    /// The importance of the event.
    public let level: Level
    /// The subject of the event.
    public let topic: Topic
    /// The key path of the event, if there is one.
    public let keyPath: KVKeyPath?
    /// The identity of the object of the event, if there is one; by identity, so that the event can be sent to any
    /// thread.
    ///
    /// For an observation it is the root of the key path.
    public let object: ObjectIdentifier?
    /// The identity of the object on the key path that changed, if it is not the root (DIA.3).
    public let changedObject: ObjectIdentifier?
    /// The source location of the registration, as `Module/File.swift:12`; nil if the event has none.
    public let location: String?
    /// One line that describes the event.
    public let message: String

    /// The level, the message and the location in one line.
    public var description: String { "[\(level)] \(message)" + (location.map { " (\($0))" } ?? "") }
  }

  /// Identifies a handler that was added, to remove it.
  public struct HandlerToken: Sendable, Hashable {
    fileprivate let number: Int
  }

  private struct Handler: Sendable {
    /// The number of the token; 0 for the handler of the program.
    let number: Int
    let level: Level
    let call: @Sendable (Event) -> Void
  }

  #if DEBUG
    private static let initialThreshold = Level.warning.rawValue
    private static let initialHandlers = [
      Handler(number: 0, level: .warning) { writeToStandardError("KVBinding: \($0)") }
    ]
  #else
    private static let initialThreshold = Int.max
    private static let initialHandlers: [Handler] = []
  #endif

  /// The handler of the program first, then the added ones.
  private static let handlers = Locked<[Handler]>(initialHandlers)
  /// The lowest reported level; above all levels if there is no handler.
  private static let threshold = Atomic<Int>(initialThreshold)
  private static let lastNumber = Atomic<Int>(0)

  /// Sets the handler of events, which replaces the previous one (DIA.1).
  ///
  /// Until the first call, debug builds write warnings and errors to standard error. `setHandler(nil)` ends that.
  /// Handlers that were added by `addHandler(level:_:)` stay.
  ///
  /// - Parameters:
  ///   - level: The lowest level to report.
  ///   - handler: A closure that receives each event, synchronously on the thread where it occurs; nil to report
  ///     nothing. It must not change the objects of the event.
  public static func setHandler(level: Level = .info, _ handler: (@Sendable (Event) -> Void)?) {
    updateHandlers { handlers in
      handlers.removeAll { $0.number == 0 }
      if let handler { handlers.insert(Handler(number: 0, level: level, call: handler), at: 0) }
    }
  }

  /// Adds a handler beside that of the program, for a tool that comes and goes (DIA.1).
  ///
  /// - Parameters:
  ///   - level: The lowest level to report to this handler.
  ///   - handler: A closure that receives each event as that of `setHandler(level:_:)` does, after it.
  /// - Returns: The value to pass to `removeHandler(_:)`.
  public static func addHandler(level: Level = .info, _ handler: @escaping @Sendable (Event) -> Void) -> HandlerToken {
    let number = lastNumber.add(1, ordering: .relaxed).newValue
    updateHandlers { $0.append(Handler(number: number, level: level, call: handler)) }
    return HandlerToken(number: number)
  }

  /// Removes a handler that was added; without effect if it is removed already (DIA.1).
  ///
  /// - Parameter token: The result of `addHandler(level:_:)`.
  public static func removeHandler(_ token: HandlerToken) {
    updateHandlers { handlers in handlers.removeAll { $0.number == token.number } }
  }

  private static func updateHandlers(_ update: (inout [Handler]) -> Void) {
    let old = handlers.withLock { handlers -> [Handler] in
      let old = handlers
      update(&handlers)
      threshold.store(handlers.map(\.level.rawValue).min() ?? .max, ordering: .releasing)
      _KVRegistrar.reportsValues.store(isTracing, ordering: .relaxed)
      return old
    }
    // Outside of the lock: the release of an old handler also releases its captures, which may report events.
    withExtendedLifetime(old) {}
  }

  /// Whether deliveries are reported.
  @inline(__always)
  static var isTracing: Bool { threshold.load(ordering: .relaxed) == Level.verbose.rawValue }

  /// Returns whether events of a level are reported.
  package static func isReported(_ level: Level) -> Bool { level.rawValue >= threshold.load(ordering: .acquiring) }

  /// Reports an event if its level is reported.
  package static func report(
    _ level: Level, _ topic: Topic, _ path: KVKeyPath?, _ object: AnyObject?, _ site: Site? = nil,
    _ message: () -> String
  ) {
    if isReported(level) { report(always: level, topic, path, id: object.map { ObjectIdentifier($0) }, site, message) }
  }

  /// Reports an event whose level is reported, of an object that may have been deallocated.
  ///
  /// - Parameter isTraced: Whether every handler receives it, whatever its level is.
  static func report(
    always level: Level, _ topic: Topic, _ path: KVKeyPath?, id object: ObjectIdentifier?,
    changed: ObjectIdentifier? = nil, _ site: Site? = nil, isTraced: Bool = false, _ message: () -> String
  ) {
    let handlers = handlers.withLock { $0 }.filter { isTraced || $0.level <= level }
    guard !handlers.isEmpty else { return }
    let event = Event(
      level: level, topic: topic, keyPath: path, object: object, changedObject: changed,
      location: site.flatMap { $0.isUnknown ? nil : $0.description }, message: limited(message()))
    for handler in handlers { handler.call(event) }
  }
}

/// Returns a message with at most 4,000 bytes: paths and values can be long.
private func limited(_ message: String) -> String {
  message.utf8.count <= 4_000 ? message : "\(message.prefix(3_000))…\(message.suffix(500))"
}
