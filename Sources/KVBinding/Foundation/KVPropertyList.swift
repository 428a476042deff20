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
  /// - Throws: `KVError`: `invalidDocument` if it is no property list, of XML with Foundation's error as the cause, and its
  ///   line if it gives one; `unsupported` if it holds an object of a keyed archive, or a set; `limitExceeded`.
  /// - Complexity: O(*n*).
  public static func value(from data: Data) throws(KVError) -> Any {
    if format(of: data) == .binary { return try binaryValue(from: data) }
    var format = PropertyListSerialization.PropertyListFormat.xml
    let tree: Any
    do {
      tree = try PropertyListSerialization.propertyList(from: data, options: [], format: &format)
    } catch {
      throw fault(error)
    }
    guard format == .xml else { throw fault(nil) }
    do throws(DocumentFault) { return try PropertyListTree.value(of: tree) } catch {
      throw KVError(error.code, "the property list cannot be read: \(error.reason).")
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
  ///   more than ``KVJSON/maximumDepth`` deep.
  /// - Complexity: O(*n* log *n*).
  public static func data(from value: Any, format: Format = .xml) throws(KVError) -> Data {
    var writer = PropertyListTree()
    let tree: Any?
    do throws(DocumentFault) { tree = try writer.tree(of: value) } catch {
      throw error.writingError(of: value, format: "a property list")
    }
    guard let tree else {
      throw DocumentFault("it has no nil; leave the value out").writingError(of: value, format: "a property list")
    }
    do {
      return try PropertyListSerialization.data(
        fromPropertyList: tree, format: format == .xml ? .xml : .binary, options: 0)
    } catch {
      throw KVError(.invalidDocument, "cannot be written as a property list: \(reason(error)).", underlying: error)
    }
  }

  private static func binaryValue(from data: Data) throws(KVError) -> Any {
    do throws(BinaryPropertyList.Fault) { return try BinaryPropertyList.value(of: data) } catch {
      switch error {
      case .damaged:
        throw KVError(.invalidDocument, "no property list: it begins as a binary one, and is damaged.")
      case .foreign(let type):
        throw KVError(
          .unsupported, "the property list cannot be read: it holds a value of type \(type), as keyed archives do.")
      case .tooDeep:
        let reason = DocumentFault.tooDeep()
        throw KVError(reason.code, "the property list cannot be read: \(reason.reason).")
      }
    }
  }

  /// What is wrong with data that Foundation could not read, or could read as the old text form only.
  private static func fault(_ error: (any Error)?) -> KVError {
    let sentence = error.map { reason($0) } ?? "it is neither XML nor binary"
    return KVError(.invalidDocument, "no property list: \(sentence).", underlying: error)
  }

  /// The sentence that Foundation keeps for debugging says where the fault is; the other one says nothing.
  private static func reason(_ error: any Error) -> String {
    let error = error as NSError
    let text = error.userInfo["NSDebugDescription"] as? String ?? error.localizedDescription
    return String(text.last == "." ? text.dropLast() : text[...])
  }
}
