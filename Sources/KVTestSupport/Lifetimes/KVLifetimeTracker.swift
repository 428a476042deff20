import KVCore

/// Remembers objects without keeping them alive, and tells which of them are: for tests that make many (TST.2).
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
    @exclusivity(unchecked) private(set) weak var object: AnyObject?
    let title: String

    init(_ object: AnyObject, _ title: String) {
      self.object = object
      self.title = title
    }
  }

  private let entries = Locked<[Entry]>([])

  /// Makes a tracker without objects.
  public init() {}

  /// Remembers an object, and where that was.
  ///
  /// - Parameters:
  ///   - object: The object; it is not retained.
  ///   - name: What failures call it; its type if there is none.
  ///   - fileID: The caller's file.
  ///   - filePath: The path of the caller's file.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  /// - Returns: The object.
  @discardableResult
  public func track<Object: AnyObject>(
    _ object: Object, _ name: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Object {
    let place = KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let type = "\(Swift.type(of: object))"
    let entry = Entry(object, "\(name.map { "\($0) (\(type))" } ?? type), tracked at \(place)")
    entries.withLock { $0.append(entry) }
    return object
  }

  /// The objects that are alive, in the order in which they were tracked: `order (Order), tracked at …`.
  public var alive: [String] { entries.withLock { $0 }.filter { $0.object != nil }.map(\.title) }

  /// Expects that all objects are gone (TST.2): one failure lists those that are not, and who observes or binds them.
  ///
  /// - Parameters:
  ///   - fileID: The caller's file.
  ///   - filePath: The path of the caller's file.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  public func expectAllReleased(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    // Outside of the lock: asking may be what keeps an object alive last.
    let entries = entries.withLock { $0 }
    var (lines, count) = ([String](), 0)
    for entry in entries {
      guard let object = entry.object else { continue }
      count += 1
      lines += [entry.title] + Ties(of: object).lines.map { "  \($0)" }
    }
    guard count > 0 else { return }
    fail(
      (["Of \(entries.count) tracked objects \(count) are still alive."] + lines).joined(separator: "\n"),
      at: KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
