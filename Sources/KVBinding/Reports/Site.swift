/// A source location in twelve bytes.
@usableFromInline
package struct Site: Sendable {
  let file: StaticFile
  let line: UInt32

  init(file: StaticFile, line: UInt32) {
    self.file = file
    self.line = line
  }

  @usableFromInline
  package init(_ file: StaticString, _ line: UInt) {
    self.file = StaticFile(file)
    self.line = UInt32(clamping: line)
  }

  /// The location of a registration that no line of the program makes.
  package static let unknown = Site("", 0)

  var isUnknown: Bool { line == 0 }
  var description: String { "\(file.name):\(line)" }
}
