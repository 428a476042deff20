/// The failure of an expectation, which a reporter receives (TST.1).
public struct KVTestFailure: Sendable, Hashable, CustomStringConvertible {
  /// The expected and the actual result, in several lines if that is clearer.
  public let message: String
  /// The source location of the expectation.
  package let location: KVTestLocation

  /// Creates a failure, for your own helpers, which pass it to ``KVFailureReporter/report(_:)``.
  ///
  /// - Parameters:
  ///   - message: The expected and the actual result.
  ///   - fileID: The module and the name of the file.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public init(
    _ message: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(message, at: KVTestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  init(_ message: String, at location: KVTestLocation) {
    self.message = message
    self.location = location
  }

  /// The module and the name of the file.
  public var fileID: String { location.fileID }
  /// The path of the file.
  public var filePath: String { location.filePath }
  /// The line, beginning at 1.
  public var line: Int { location.line }
  /// The column, beginning at 1.
  public var column: Int { location.column }

  /// The location and the message.
  public var description: String { "\(location): \(message)" }
}
