import Foundation
import KVBinding

/// A document as plain Swift values, and the form that it came in.
struct Document {
  /// The value at the top; nil for the JSON document `null`.
  var root: Any?
  let format: KVDocument.Format
  private let isPretty: Bool

  /// Reads a document, whatever its form.
  init(_ data: Data) throws(KVError) {
    let document = try KVDocument(data: data)
    (root, format) = (document.root, document.format)
    isPretty = format == .json && Self.isPretty(data)
  }

  /// Returns the document in its form; a binary property list becomes XML, which a terminal can show.
  func data() throws(KVError) -> Data {
    if format != .json { return try KVDocument(root, format: .xml).data() }
    return try KVDocument(root).data(isPretty: isPretty) + Data("\n".utf8)
  }

  /// Whether a JSON document has line breaks inside.
  private static func isPretty(_ data: Data) -> Bool {
    guard let lineBreak = data.firstIndex(of: UInt8(ascii: "\n")) else { return false }
    return data[lineBreak...].contains { $0 > UInt8(ascii: " ") }
  }
}

extension Document {
  /// Reads a document from a file, or from standard input.
  ///
  /// - Parameter file: The path of the file; nil or `-` for standard input.
  static func read(from file: String?) throws(ToolFailure) -> Document {
    let name = file.flatMap { $0 == "-" ? nil : $0 }
    let data = try data(from: file)
    do throws(KVError) { return try Document(data) } catch {
      let location = name.map { "\"\($0)\"" } ?? "standard input"
      throw ToolFailure("cannot read \(location): \(error.message)")
    }
  }

  /// Reads the bytes of a document.
  ///
  /// - Parameter file: The path of the file; nil or `-` for standard input.
  static func data(from file: String?) throws(ToolFailure) -> Data {
    if let file, file != "-" { try contents(of: file) } else { try standardInput() }
  }

  private static func standardInput() throws(ToolFailure) -> Data {
    do { return try StandardStreams.read() } catch {
      throw ToolFailure("cannot read standard input: \(error.localizedDescription)")
    }
  }

  private static func contents(of name: String) throws(ToolFailure) -> Data {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: name, isDirectory: &isDirectory) else {
      let file = URL(fileURLWithPath: name)
      let others = try? FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
      let hint = Nearest.hint(for: file.lastPathComponent, among: others ?? [])
      throw ToolFailure("cannot read \"\(name)\": there is no such file.\(hint)")
    }
    if isDirectory.boolValue { throw ToolFailure("cannot read \"\(name)\": it is a directory.") }
    do {
      return try Data(contentsOf: URL(fileURLWithPath: name), options: .mappedIfSafe)
    } catch {
      throw ToolFailure("cannot read \"\(name)\": \(error.localizedDescription)")
    }
  }
}
