import Foundation

extension KVRecord {
  /// Makes a record from a JSON document, with records for the objects in it.
  ///
  /// Numbers are `Int` where they are whole, else `Double`; see `KVJSON.value(from:)`. A member that is
  /// null is left out, since a key that is not there reads as nil; a null in an array is a nil element, and makes the
  /// array an `[Any?]`.
  ///
  /// ```swift
  /// let album = try KVRecord(json: data)
  /// try album.value(forKeyPath: "tracks.@sum.seconds")
  /// ```
  ///
  /// - Parameter data: The document, in UTF-8, with an object at its top.
  /// - Throws: ``KVError``: `invalidDocument` with the path, the line and the column of the first fault if it is no
  ///   JSON; `unsupported` if something else than an object is at its top; `limitExceeded` if it is nested more
  ///   than 200 deep.
  /// - Complexity: O(*n*).
  public convenience init(json data: Data) throws(KVError) {
    try self.init(document: try KVJSON.value(from: data), format: "JSON", reader: "KVJSON")
  }

  /// Returns the record as a JSON document.
  ///
  /// Members come sorted by key, so that equal records make equal documents.
  ///
  /// - Parameter options: How it is written; compact by default.
  /// - Throws: ``KVError``, with the path of what JSON cannot hold: `unsupported` for an object that is no record, NaN,
  ///   infinity, or a record that contains itself; `limitExceeded` for what is nested too deeply.
  /// - Complexity: O(*n* log *n*), since keys are sorted.
  public func json(options: KVJSON.Options = []) throws(KVError) -> Data {
    try KVJSON.data(from: self, options: options)
  }

  /// Makes a record from what was read of a document.
  convenience init(document value: Any?, format: String, reader: String) throws(KVError) {
    guard let dictionary = value as? [String: Any] else {
      throw KVError(
        .unsupported,
        "the \(format) has \(DocumentValue.article(of: value)) at its top, which is no record; read it with \(reader).value(from:)."
      )
    }
    try self.init(dictionary)
  }
}
