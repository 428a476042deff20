import Foundation
import KVCore

extension KVRecord {
  /// Creates a record from a JSON document, with records for the objects in it.
  ///
  /// A null is kept at every depth: a member that is null is a key whose value is nil, and a null in an array is a nil
  /// element, and makes the array an `[Any?]`.
  ///
  /// ```swift
  /// let album = try KVRecord(json: data)
  /// try album.value(forKeyPath: "tracks.@sum.seconds")
  /// ```
  ///
  /// - Parameter data: The document, in UTF-8, with an object at its top.
  /// - Throws: ``KVError``: as ``KVDocument/init(data:format:elementLimit:)``, and `unsupported` if another value is at the top.
  /// - Complexity: O(*n*).
  public convenience init(json data: Data) throws(KVError) { try self.init(KVDocument(data: data, format: .json)) }

  /// Creates a record from a document, with records for the dictionaries in it.
  ///
  /// - Parameter document: The document, with a dictionary at its top.
  /// - Throws: ``KVError`` with the code `unsupported` if another value is at the top.
  /// - Complexity: O(*n*).
  public convenience init(_ document: KVDocument) throws(KVError) {
    guard let dictionary = document.root as? [String: Any] else {
      let format = document.format == .json ? "JSON" : "property list"
      throw KVError(
        .unsupported,
        "the \(format) has \(DocumentValue.article(of: document.root)) at its top, which is not a record; read it with KVDocument(data:)."
      )
    }
    try self.init(dictionary)
  }

  /// Returns the record as a JSON document.
  ///
  /// Members are sorted by key, so that equal records make equal documents.
  ///
  /// - Parameter isPretty: Whether the document has one member or element a line, indented.
  /// - Returns: The document, in UTF-8.
  /// - Throws: ``KVError``: as ``KVDocument/data(isPretty:datesAsText:dataAsText:)``.
  /// - Complexity: O(*n* log *n*), since keys are sorted.
  public func json(isPretty: Bool = false) throws(KVError) -> Data { try KVDocument(self).data(isPretty: isPretty) }
}
