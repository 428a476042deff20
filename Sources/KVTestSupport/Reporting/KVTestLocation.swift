/// A place in source text: the caller of an expectation.
public struct KVTestLocation: Sendable, Hashable, CustomStringConvertible {
  /// The module and the name of the file.
  public let fileID: String
  /// The path of the file.
  public let filePath: String
  /// The line, beginning at 1.
  public let line: Int
  /// The column, beginning at 1.
  public let column: Int

  /// The file as those take it who want literals.
  let staticFileID: StaticString
  let staticFilePath: StaticString

  /// Makes a location: that of the caller, unless told otherwise.
  ///
  /// - Parameters:
  ///   - fileID: The module and the name of the file.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.fileID = "\(fileID)"
    self.filePath = "\(filePath)"
    self.line = Int(line)
    self.column = Int(column)
    staticFileID = fileID
    staticFilePath = filePath
  }

  /// File and line, as `MyTests/OrderTests.swift:12`.
  public var description: String { "\(fileID):\(line)" }

  /// Whether two locations are one place.
  ///
  /// - Parameters:
  ///   - left: A location.
  ///   - right: Another.
  public static func == (left: KVTestLocation, right: KVTestLocation) -> Bool {
    (left.filePath, left.line, left.column) == (right.filePath, right.line, right.column)
  }

  /// Hashes what ``==(_:_:)`` compares.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(filePath)
    hasher.combine(line)
    hasher.combine(column)
  }
}
