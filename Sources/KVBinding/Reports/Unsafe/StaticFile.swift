/// The name of a source file, as the address of a constant text that exists as long as the process.
struct StaticFile: @unchecked Sendable {  // guard: the text is constant
  private let start: UnsafePointer<UInt8>?

  init(_ file: StaticString) { start = file.hasPointerRepresentation ? file.utf8Start : nil }

  var name: String { start.map { String(cString: $0) } ?? "" }
}
