import Foundation
import KVCore

/// A document as plain Swift values, and its format: JSON or a property list.
///
/// ```swift
/// let document = try KVDocument(data: data)
/// try KVC.value(of: document.root as Any, forKeyPath: "items.@sum.price")
/// let indented = try KVDocument(document.root).data(isPretty: true)
/// ```
public struct KVDocument {
  /// The format of a document.
  public enum Format: Sendable, Hashable, CaseIterable {
    /// JSON.
    case json
    /// An XML property list.
    case xml
    /// A binary property list.
    case binary
  }

  /// A null to write: for the entry of a dictionary, where setting nil would remove it (KVC.11), and for the key of a record.
  ///
  /// Reading a document or a record never returns one: a null is read as nil.
  public struct Null: NullValue, Sendable, Hashable {
    /// Creates a null.
    public init() {}
  }

  /// The value at the top; nil for the JSON document `null`.
  public var root: Any?
  /// The format in which the document was read, and is written.
  public var format: Format

  /// Creates a document of a value.
  ///
  /// - Parameters:
  ///   - root: The value at the top: a string, a number, a `Bool`, nil, a record, a dictionary with keys of type
  ///     `String`, an array or a set of these, or a value of a `RawRepresentable` type, which is written as its raw
  ///     value. Property lists also have dates and data, and no nil: members that are nil are left out.
  ///   - format: The format in which the document is written.
  public init(_ root: Any?, format: Format = .json) {
    self.root = root
    self.format = format
  }

  /// Reads a document.
  ///
  /// | JSON | Swift |
  /// |---|---|
  /// | object | `[String: Any]`; a name that occurs twice in it is an error |
  /// | array | `[Any]`; `[Any?]` if it contains a null |
  /// | string | `String` |
  /// | number with neither a fraction nor an exponent | `Int`; `UInt64` or `Int128` if it is too large for one |
  /// | any other number, and `-0` | the nearest `Double` |
  /// | `true`, `false` | `Bool` |
  /// | `null` | nil; as the member of an object an entry that exists and reads as nil |
  ///
  /// JSON is what RFC 8259 allows and nothing else, in UTF-8, with any value at its top (DOC.1 to DOC.3). A property
  /// list has the same types, `Date` and `Data`; its old text form is refused.
  ///
  /// - Parameters:
  ///   - data: The document.
  ///   - format: The format, or nil for that of the content.
  ///   - elementLimit: How many elements the arrays and dictionaries of a binary property list may have, each counted
  ///     as often as it is referred to (DOC.5); nil for 10 elements for each byte of the document, and 10,000,000.
  /// - Throws: ``KVError``: `invalidDocument` if the document is malformed, in JSON with the path, the line and the
  ///   column of the first fault; `unsupported` if a property list contains a set, an object of a keyed archive or a
  ///   date that is not finite;
  ///   `limitExceeded` if the document is nested more than 200 deep, or has more elements.
  /// - Complexity: O(*n*).
  public init(
    data: Data, format: Format? = nil, elementLimit: Int? = nil
  ) throws(KVError) {
    self.format = format ?? Format(of: data)
    root =
      self.format == .json
      ? try JSONCoding.value(from: data) : try PropertyListCoding.value(from: data, elementLimit: elementLimit)
  }

  /// Writes the document.
  ///
  /// The members of JSON and XML are sorted by key, so that equal values make equal documents. Every `Int` and every
  /// finite `Double` is written so that it is read as an equal value of its type: a `Double` always with a fraction or
  /// an exponent (DOC.2).
  ///
  /// - Parameters:
  ///   - isPretty: Whether JSON has one member or element a line, indented. By default it has no white space.
  ///   - datesAsText: Whether JSON contains dates as strings, in RFC 3339 and UTC. By default a date is an error.
  ///   - dataAsText: Whether JSON contains data as strings, in Base64. By default data are an error.
  /// - Returns: The document; JSON and XML are in UTF-8.
  /// - Throws: ``KVError``: `unsupported` with the path of a value that the format does not have; `limitExceeded` if
  ///   the value is nested more than 200 deep.
  /// - Complexity: O(*n* log *n*), since keys are sorted.
  public func data(
    isPretty: Bool = false, datesAsText: Bool = false, dataAsText: Bool = false
  ) throws(KVError) -> Data {
    guard format == .json else { return try PropertyListCoding.data(from: root as Any, format: format) }
    var options: JSONCoding.Options = []
    if isPretty { options.insert(.pretty) }
    if datesAsText { options.insert(.datesAsText) }
    if dataAsText { options.insert(.dataAsText) }
    return try JSONCoding.data(from: root, options: options)
  }
}

extension KVDocument.Format {
  /// The format of a document, by its first 512 bytes; JSON if they begin no property list.
  package init(of data: Data) {
    let start = String(decoding: data.prefix(512), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    let isXML = start.hasPrefix("<?xml") || start.hasPrefix("<!DOCTYPE plist") || start.hasPrefix("<plist")
    self = data.starts(with: Data("bplist".utf8)) ? .binary : isXML ? .xml : .json
  }
}
