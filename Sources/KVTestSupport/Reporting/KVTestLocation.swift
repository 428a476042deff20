/// A source location: the caller of an expectation.
package struct KVTestLocation: Sendable, Hashable, CustomStringConvertible {
  /// The module and the name of the file.
  package let fileID: String
  /// The path of the file.
  package let filePath: String
  /// The line, beginning at 1.
  package let line: Int
  /// The column, beginning at 1.
  package let column: Int

  /// The file, for functions that require static strings.
  let staticFileID: StaticString
  let staticFilePath: StaticString

  /// Creates a location, by default that of the caller.
  ///
  /// - Parameters:
  ///   - fileID: The module and the name of the file.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  package init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.fileID = "\(fileID)"
    self.filePath = "\(filePath)"
    self.line = Int(line)
    self.column = Int(column)
    staticFileID = fileID
    staticFilePath = filePath
  }

  /// The file and the line, such as `MyTests/OrderTests.swift:12`.
  package var description: String { "\(fileID):\(line)" }

  /// Returns whether two locations have the same file, line and column.
  ///
  /// - Parameters:
  ///   - left: A location.
  ///   - right: Another location.
  /// - Returns: Whether the locations are equal.
  package static func == (left: KVTestLocation, right: KVTestLocation) -> Bool {
    (left.filePath, left.line, left.column) == (right.filePath, right.line, right.column)
  }

  /// Hashes the properties that ``==(_:_:)`` compares.
  ///
  /// - Parameter hasher: The hasher.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(filePath)
    hasher.combine(line)
    hasher.combine(column)
  }
}
