import Foundation

/// Property lists as plain Swift values, for key-value coding without a model.
///
/// Reading takes XML and binary property lists; the old text form, which almost any text is, is refused.
public enum KVPropertyList {
  /// The form of a property list.
  public enum Format: Sendable, Hashable {
    /// XML, as text.
    case xml
    /// Binary.
    case binary
  }

  /// Reads a property list.
  ///
  /// - Parameter data: The property list.
  /// - Returns: `String`, `Int` (`UInt64` or `Double` if an integer is too large for one), `Double`, `Bool`, `Date`,
  ///   `Data`, `[Any]`, `[String: Any]`.
  /// - Throws: `KVError`: `invalidDocument` if it is no property list, of XML with Foundation's error as the cause,
  ///   and its line if it gives one; `unsupported` if it holds an object of a keyed archive, or a set; `limitExceeded`.
  /// - Complexity: O(*n*).
  public static func value(from data: Data) throws(KVError) -> Any {
    do throws(DocumentFault) {
      if format(of: data) == .binary { return try BinaryPropertyList.value(of: data) }
    } catch {
      throw error.readingError(of: "property list")
    }
    var format = PropertyListSerialization.PropertyListFormat.xml
    let tree: Any
    do {
      tree = try PropertyListSerialization.propertyList(from: data, options: [], format: &format)
    } catch {
      throw KVError(.invalidDocument, "no property list: \(error.sentence).", underlying: error)
    }
    do throws(DocumentFault) {
      if format != .xml { throw DocumentFault("it is neither XML nor binary", code: .invalidDocument) }
      return try plain(tree)
    } catch {
      throw error.readingError(of: "property list")
    }
  }

  /// Returns the form of a property list without reading it; nil if it begins like none.
  ///
  /// - Parameter data: The property list, or its first 512 bytes.
  /// - Returns: The form, or nil.
  public static func format(of data: Data) -> Format? {
    if data.starts(with: Data("bplist".utf8)) { return .binary }
    let start = String(decoding: data.prefix(512), as: UTF8.self)
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return start.hasPrefix("<?xml") || start.hasPrefix("<!DOCTYPE plist") || start.hasPrefix("<plist") ? .xml : nil
  }

  /// Writes a property list.
  ///
  /// Keys come sorted in XML, so that equal values make equal documents.
  ///
  /// - Parameters:
  ///   - value: Strings, numbers, `Bool`, `Date`, `Data`, records, dictionaries with keys of type `String`, arrays and
  ///     sets of these. Members that are nil are left out.
  ///   - format: The form.
  /// - Returns: The property list; XML is in UTF-8.
  /// - Throws: `KVError`: `unsupported` with the path of what a property list cannot hold: another object, a nil in
  ///   an array, an integer that fits in no 64 bits, a record that contains itself; `limitExceeded` if it is nested
  ///   more than 200 deep.
  /// - Complexity: O(*n* log *n*).
  public static func data(from value: Any, format: Format = .xml) throws(KVError) -> Data {
    guard let tree = try DocumentTree.tree(of: value, .propertyList) else {
      throw DocumentFault("it has no nil; leave the value out").writingError(of: value, format: "a property list")
    }
    do {
      return try PropertyListSerialization.data(
        fromPropertyList: tree, format: format == .xml ? .xml : .binary, options: 0)
    } catch {
      throw KVError(.invalidDocument, "cannot be written as a property list: \(error.sentence).", underlying: error)
    }
  }

  /// Returns what Foundation read as plain Swift values.
  private static func plain(_ tree: Any, depth: Int = 0) throws(DocumentFault) -> Any {
    guard depth <= KVJSON.maximumDepth else { throw DocumentFault.tooDeep() }
    // By the dynamic type: as a cast, the number 1 is a `Bool`, an `Int` and a `Double`.
    if let number = tree as? NSNumber, type(of: tree) is NSNumber.Type { return plain(number) }
    switch tree {
    case let text as String: return text
    case let truth as Bool where type(of: tree) == Bool.self: return truth
    case is Int, is Double, is Date, is Data: return tree
    case let dictionary as [String: Any]:
      var result: [String: Any] = [:]
      result.reserveCapacity(dictionary.count)
      for (name, entry) in dictionary { result[name] = try plain(entry, depth: depth + 1) }
      return result
    case let array as [Any]:
      var result: [Any] = []
      result.reserveCapacity(array.count)
      for element in array { result.append(try plain(element, depth: depth + 1)) }
      return result
    default:
      throw DocumentFault("it holds a value of type \(type(of: tree)), as keyed archives do")
    }
  }

  private static func plain(_ number: NSNumber) -> Any {
    if type(of: number) == type(of: NSNumber(value: true)) { return number.boolValue }
    switch String(cString: number.objCType) {
    case "f", "d": return number.doubleValue
    default: return Int(exactly: number) ?? UInt64(exactly: number) ?? number.doubleValue as Any
    }
  }
}
