import Foundation

/// JSON documents as plain Swift values, for key-value coding without a model.
///
/// ```swift
/// let document = try KVJSON.value(from: data)
/// try KVC.value(of: document as Any, forKeyPath: "items.@sum.price")
/// let changed = try KVJSON.data(from: document, options: .pretty)
/// ```
///
/// Reading takes what RFC 8259 allows and nothing else, and every double is the nearest one. Foundation's `JSONEncoder`
/// writes; the layout is its own.
public enum KVJSON {
  /// How deeply arrays and objects may be nested, reading and writing: as deeply as the package follows them.
  static let maximumDepth = 200

  /// How a document is written.
  public struct Options: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: Int
    /// Makes a set from its bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// One member or element a line, indented as `JSONEncoder` does; without it there is no white space at all.
    public static let pretty = Options(rawValue: 1)
    /// Dates become strings, in ISO 8601 and UTC; without it a date is an error, since JSON has none.
    public static let datesAsText = Options(rawValue: 2)
    /// Data become strings, in Base64; without it data are an error, since JSON has none.
    public static let dataAsText = Options(rawValue: 4)
  }

  /// A null to be written: for the entry of a dictionary, where setting nil would remove it (KVC.11).
  ///
  /// Reading never makes one; there null is nil.
  public struct Null: Sendable, Hashable {
    /// Makes a null.
    public init() {}
  }

  /// Reads a document.
  ///
  /// | JSON | Swift |
  /// |---|---|
  /// | object | `[String: Any]`; of a member that occurs twice, the first one counts |
  /// | array | `[Any]`; `[Any?]` if it holds a null |
  /// | string | `String` |
  /// | number without a fraction, `1.0` among them | `Int`; `UInt64` or `Double` if it is too large for one |
  /// | any other number, and `-0` | `Double` |
  /// | `true`, `false` | `Bool` |
  /// | `null` | nil; as the member of an object an entry that is there and reads as nil |
  ///
  /// - Parameter data: The document, in UTF-8. Any value may be at its top.
  /// - Returns: The value; nil for the document `null`.
  /// - Throws: `KVError`: `invalidDocument` with the path, the line and the column of the first fault if it is no JSON;
  ///   `limitExceeded` if it is nested more than 200 deep.
  /// - Complexity: O(*n*).
  public static func value(from data: Data) throws(KVError) -> Any? {
    do throws(DocumentFault) { return try JSONReader.read(data).value } catch { throw error.readingError(of: "JSON") }
  }

  /// Writes a document.
  ///
  /// The members of objects come sorted by key, so that equal values make equal documents; the elements of sets come
  /// sorted by their JSON.
  ///
  /// - Parameters:
  ///   - value: Strings, numbers of any `KVNumeric` type, `Bool`, nil, records, dictionaries with keys of type
  ///     `String`, arrays and sets of these, and values of `RawRepresentable` types, which are written as their raw
  /// value.
  ///   - options: How it is written; compact by default.
  /// - Returns: The document, in UTF-8, without a line break at its end.
  /// - Throws: `KVError`: `unsupported` with the path of what JSON cannot hold: another object, NaN, infinity, a record
  ///   that contains itself; `limitExceeded` if it is nested more than 200 deep.
  /// - Complexity: O(*n* log *n*), since keys are sorted.
  public static func data(from value: Any?, options: Options = []) throws(KVError) -> Data {
    let tree = try DocumentTree.tree(of: value, .json(options))
    do { return try JSONOutput(tree).data(isPretty: options.contains(.pretty)) } catch {
      throw KVError(.invalidDocument, "cannot be written as JSON: \(error.sentence).", underlying: error)
    }
  }
}
