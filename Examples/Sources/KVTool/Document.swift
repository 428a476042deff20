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

  private init(_ excerpt: KVDocumentExcerpt, isPretty: Bool) {
    (root, format) = (excerpt.root, excerpt.format)
    self.isPretty = format == .json && isPretty
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
  /// - Parameters:
  ///   - file: The path of the file; nil or `-` for standard input.
  ///   - path: The key path that was given beside it.
  static func read(from file: String?, besidePath path: String? = nil) throws(ToolFailure) -> Document {
    let source = try DocumentSource(file, besidePath: path)
    let excerpt = try source.excerpt(of: everything)
    return Document(excerpt, isPretty: source.isPretty)
  }

  private static let everything: KVKeyPath = "@self"
}
