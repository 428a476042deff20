import Foundation
import KVBinding
import KVDocuments

/// A document as plain Swift values, and the form that it came in.
struct Document {
  /// The value at the top; nil for the JSON document `null`.
  var root: Any?
  let format: KVDocument.Format
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
    return Document(root: excerpt.root, format: excerpt.format)
  }

  private static let everything: KVKeyPath = "@self"
}
