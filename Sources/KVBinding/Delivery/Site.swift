/// A source location in twelve bytes.
@usableFromInline
struct Site: Sendable {
  let file: StaticFile
  let line: UInt32

  init(file: StaticFile, line: UInt32) {
    self.file = file
    self.line = line
  }

  @usableFromInline
  init(_ file: StaticString, _ line: UInt) {
    self.file = StaticFile(file)
    self.line = UInt32(clamping: line)
  }

  /// The location of a registration that no line of the program makes.
  static let unknown = Site("", 0)

  var isUnknown: Bool { line == 0 }
  var description: String { "\(file.name):\(line)" }
}

/// The name of a source file, as the address of a constant text that exists as long as the process.
struct StaticFile: @unchecked Sendable {  // guard: the text is constant
  private let start: UnsafePointer<UInt8>?

  init(_ file: StaticString) { start = file.hasPointerRepresentation ? file.utf8Start : nil }

  var name: String { start.map { String(cString: $0) } ?? "" }
}
