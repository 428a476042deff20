import KVCore
import Synchronization

/// What happens in observing and binding, for logs and debuggers: one hook for all of it (DIA.1).
///
/// ```swift
/// KVDiagnostics.setHandler(level: .verbose) { event in print(event) }
/// ```
///
/// Nothing is reported by default. Anything at all can be done with an event; see Examples for adapters to loggers.
public enum KVDiagnostics {
  /// How much an event matters.
  public enum Level: Int, Sendable, Comparable, CaseIterable {
    /// Every delivery.
    case verbose
    /// What helps to find out what the package does: who registers, and who ends.
    case debug
    /// What is worth knowing.
    case info
    /// What is probably a mistake.
    case warning
    /// What failed, and could not be thrown to anybody.
    case error

    /// Whether the left one matters less.
    ///
    /// - Parameters:
    ///   - left: A level.
    ///   - right: Another level.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// What an event is about.
  public enum Topic: Sendable, Hashable {
    /// A record was delivered.
    case delivery
    /// An observation began, or ended for whatever reason.
    case registration
    /// A component of an observed path turned out not to exist, or not to be observable, when it appeared (KVO.13).
    case faultyPath
    /// An observed value is not of the type that its observer expects.
    case faultyValue
    /// A change was ended by hand that had not been begun (KVO.16).
    case unmatchedChange
    /// A binding carried a value over, or could not.
    case binding
    /// A value could not be set back when a transaction failed (COA.8).
    case failedRollback
  }

  /// One thing that happened.
  public struct Event: Sendable, CustomStringConvertible {
    /// How much it matters.
    public let level: Level
    /// What it is about.
    public let topic: Topic
    /// The key path concerned, if one is.
    public let keyPath: KVKeyPath?
    /// The object concerned, if one is: by its identity, so that the event may be sent anywhere.
    public let object: ObjectIdentifier?
    /// Where the registration was made, as `Module/File.swift:12`; nil where none is concerned.
    public let location: String?
    /// One line that says it.
    public let message: String

    /// The level, the message and the place on one line.
    public var description: String { "[\(level)] \(message)" + (location.map { " (\($0))" } ?? "") }
  }

  private struct Handler: Sendable {
    let call: @Sendable (Event) -> Void
  }

  private static let handler = Locked<Handler?>(nil)
  /// The lowest level that is reported; above all levels if none is.
  private static let threshold = Atomic<Int>(Int.max)

  /// Sets what is called with each event, in place of what was set before.
  ///
  /// - Parameters:
  ///   - level: The lowest level that is reported.
  ///   - handler: Called at once on the thread where it happens; nil for silence. It must not change what it hears of.
  public static func setHandler(level: Level = .info, _ handler: (@Sendable (Event) -> Void)?) {
    let new = handler.map { Handler(call: $0) }
    let old = Self.handler.withLock { handler in
      defer { handler = new }
      return handler
    }
    threshold.store(handler == nil ? Int.max : level.rawValue, ordering: .releasing)
    // Outside of the lock: with the old handler goes what it holds, which may report something as it dies.
    withExtendedLifetime(old) {}
  }

  /// Whether every delivery is reported.
  @inline(__always)
  static var isTracing: Bool { threshold.load(ordering: .relaxed) == Level.verbose.rawValue }

  /// Reports an event, if anybody wants to know.
  static func report(
    _ level: Level, _ topic: Topic, _ path: KVKeyPath?, _ object: AnyObject?, _ site: Site? = nil,
    _ message: () -> String
  ) {
    guard level.rawValue >= threshold.load(ordering: .acquiring) else { return }
    report(always: level, topic, path, object, site, message)
  }

  /// Reports an event whatever its level, if there is a handler at all.
  static func report(
    always level: Level, _ topic: Topic, _ path: KVKeyPath?, _ object: AnyObject?, _ site: Site? = nil,
    _ message: () -> String
  ) {
    guard let handler = handler.withLock({ $0 }) else { return }
    handler.call(
      Event(
        level: level, topic: topic, keyPath: path, object: object.map { ObjectIdentifier($0) },
        location: site?.description, message: message()))
  }
}
