import Foundation

extension KVRecord {
  /// Makes a record from an XML or binary property list, with records for the dictionaries in it.
  ///
  /// - Parameter data: The property list, with a dictionary at its top.
  /// - Throws: ``KVError``: `invalidDocument` with Foundation's error as the cause, and its line if it gives one, if
  ///   it is no property list; `unsupported` if something else than a dictionary is at its top; `limitExceeded` if it
  ///   is nested more than 200 deep.
  /// - Complexity: O(*n*).
  public convenience init(propertyList data: Data) throws(KVError) {
    try self.init(
      document: try KVPropertyList.value(from: data), format: "property list", reader: "KVPropertyList")
  }

  /// Returns the record as a property list.
  ///
  /// Keys come sorted in XML, so that equal records make equal documents.
  ///
  /// - Parameter format: The form; XML by default.
  /// - Throws: ``KVError``, with the path of what a property list cannot hold: `unsupported` for an object that is no
  ///   record, a nil in an array, or a record that contains itself; `limitExceeded` for what is nested too deeply.
  /// - Complexity: O(*n* log *n*).
  public func propertyList(format: KVPropertyList.Format = .xml) throws(KVError) -> Data {
    try KVPropertyList.data(from: self, format: format)
  }
}
