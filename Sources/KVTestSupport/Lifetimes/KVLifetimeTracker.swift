import KVCore

/// A tracker of objects that knows which are still alive, without retaining them, for tests that create many (TST.2).
///
/// ```swift
/// let tracker = KVLifetimeTracker()
/// do {
///   let order = tracker.track(Order(), "order")
///   try label.bind("text", to: "number", of: tracker.track(order.items[0]))
/// }
/// tracker.expectAllReleased()
/// ```
///
/// It may be used on any thread.
public final class KVLifetimeTracker: Sendable {
  // guard: set once, before it is shared
  private final class Entry: @unchecked Sendable {
    private(set) weak var object: AnyObject?
    let title: String

    init(_ object: AnyObject, _ title: String) {
      self.object = object
      self.title = title
    }
  }

  private let entries = Locked<[Entry]>([])

  /// Creates a tracker without objects.
  public init() {}

  /// Tracks an object, and records the location of the call.
  ///
  /// - Parameters:
  ///   - object: The object, which is not retained.
  ///   - name: The name of the object in failures; nil for the name of its type.
  ///   - fileID: The file of the caller.
  ///   - filePath: The path of the caller's file.
  ///   - line: The line of the caller.
  ///   - column: The column of the caller.
  /// - Returns: The object.
  @discardableResult
  public func track<Object: AnyObject>(
    _ object: Object, _ name: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Object {
    let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let type = "\(Swift.type(of: object))"
    let entry = Entry(object, "\(name.map { "\($0) (\(type))" } ?? type), tracked at \(location)")
    entries.withLock { $0.append(entry) }
    return object
  }

  /// The tracked objects that are alive, in the order of tracking, such as `order (Order), tracked at …`.
  public var alive: [String] { entries.withLock { $0 }.filter { $0.object != nil }.map(\.title) }

  /// Expects all tracked objects to be deallocated (TST.2).
  ///
  /// One failure lists the objects that are alive, with their observations and bindings.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller.
  ///   - filePath: The path of the caller's file.
  ///   - line: The line of the caller.
  ///   - column: The column of the caller.
  public func expectAllReleased(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    // Outside of the lock, since reading a weak reference may keep the last reference.
    let entries = entries.withLock { $0 }
    var (lines, count) = ([String](), 0)
    for entry in entries {
      guard let object = entry.object else { continue }
      count += 1
      lines += [entry.title] + ObserverLinks(of: object).lines.map { "  \($0)" }
    }
    guard count > 0 else { return }
    fail(
      (["Of \(entries.count) tracked objects \(count) are still alive."] + lines).joined(separator: "\n"),
      at: KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
