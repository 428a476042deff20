import Foundation
import KVCore

/// The reader and the writer of JSON documents.
///
/// Reading takes what RFC 8259 allows and nothing else. The layout of what is written is that of Foundation's
/// `JSONEncoder`.
package enum JSONCoding {
  /// How a document is written.
  package struct Options: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// One member or element a line, indented as `JSONEncoder` does; without it there is no white space at all.
    package static let pretty = Options(rawValue: 1)
    /// Dates become strings, in RFC 3339 and UTC; without it a date is an error, since JSON has none.
    package static let datesAsText = Options(rawValue: 2)
    /// Data become strings, in Base64; without it data are an error, since JSON has none.
    package static let dataAsText = Options(rawValue: 4)
  }

  /// Reads a document; see ``KVDocument/init(data:format:elementLimit:)``.
  package static func value(from data: Data) throws(KVError) -> Any? {
    do throws(DocumentFault) { return try JSONReader.read(data).value } catch { throw error.readingError(of: "JSON") }
  }

  /// Writes a document, in UTF-8 and without a line break at its end; see ``KVDocument``.
  ///
  /// The elements of sets come sorted by their JSON.
  package static func data(from value: Any?, options: Options = []) throws(KVError) -> Data {
    let tree = try DocumentTree.tree(of: value, json: options).tree
    do throws(DocumentFault) { return try JSONWriter.data(tree, isPretty: options.contains(.pretty)) } catch {
      throw error.writingError(of: value, format: "JSON")
    }
  }
}
