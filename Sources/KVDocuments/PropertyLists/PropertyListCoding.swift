import Foundation
import KVCore

/// The reader and the writer of property lists, XML and binary.
///
/// The old text form, which almost any text is, is refused.
package enum PropertyListCoding {
  // The stack that Foundation takes for a level, in bytes, by measurement and a fifth more: it asks for no room itself.
  private static let readingSize = 1_000
  private static let writingSize = 1_800

  /// Reads a property list; see ``KVDocument/init(data:format:elementLimit:)``.
  package static func value(from data: Data, elementLimit: Int? = nil) throws(KVError) -> Any {
    if KVDocument.Format(of: data) == .binary {
      return try reading { () throws(DocumentFault) in
        try BinaryPropertyList.value(of: data, elementLimit: elementLimit)
      }
    }
    let (text, outline) = try reading { () throws(DocumentFault) in
      guard let text = try XMLText(data) else { throw unknownFormat }
      let outline = try text.outline()
      if outline.height > Limits.nesting + 1 { throw DocumentFault.tooDeep() }
      if !StackSpace.hasRoom(for: outline.height * readingSize) { throw DocumentFault.tooDeep(.stack) }
      return (text, outline)
    }
    let (tree, format): (Any, PropertyListSerialization.PropertyListFormat)
    do {
      (tree, format) = try PropertyListSerialization.content(of: text.data(outline))
    } catch {
      throw KVError(.invalidDocument, "not a property list: \(error.sentence).", underlying: error)
    }
    return try reading { () throws(DocumentFault) in
      guard format == .xml else { throw unknownFormat }
      var count = 0
      let value = try plain(tree, &count)
      if count < outline.keyCount { throw DocumentFault.repeatedKey(text.repeatedKey) }
      return value
    }
  }

  private static func reading<Value>(_ body: () throws(DocumentFault) -> Value) throws(KVError) -> Value {
    do throws(DocumentFault) { return try body() } catch { throw error.readingError(of: "a property list") }
  }

  private static var unknownFormat: DocumentFault {
    DocumentFault("it is neither XML nor binary", code: .invalidDocument)
  }

  /// Writes a property list; see ``KVDocument/data(isPretty:datesAsText:dataAsText:)``.
  package static func data(from value: Any, format: KVDocument.Format = .xml) throws(KVError) -> Data {
    let (tree, height) = try DocumentTree.tree(of: value, json: nil, datesNeedText: format == .xml)
    guard let tree else {
      throw DocumentFault("it has no nil; leave the value out").writingError(of: value, format: "a property list")
    }
    if !StackSpace.hasRoom(for: height * Self.writingSize) {
      throw DocumentFault.tooDeep(.stack).writingError(of: value, format: "a property list")
    }
    do {
      return try PropertyListSerialization.data(
        fromPropertyList: tree, format: format == .xml ? .xml : .binary, options: 0)
    } catch {
      throw KVError(.invalidDocument, "cannot be written as a property list: \(error.sentence).", underlying: error)
    }
  }

  /// Returns what Foundation read as plain Swift values, and counts the keys of the dictionaries.
  private static func plain(_ tree: Any, _ keyCount: inout Int, depth: Int = 0) throws(DocumentFault) -> Any {
    try DocumentFault.checkNesting(depth - 1)
    // By the dynamic type: as a cast, the number 1 is a `Bool`, an `Int` and a `Double`.
    if type(of: tree) is NSNumber.Type, let number = tree as? NSNumber { return plain(number) }
    switch tree {
    case let text as String: return text
    case let truth as Bool where type(of: tree) == Bool.self: return truth
    case let date as Date: return try DocumentTree.finite(date)
    case is Int, is Double, is Data: return tree
    case let dictionary as [String: Any]:
      var result: [String: Any] = [:]
      result.reserveCapacity(dictionary.count)
      keyCount += dictionary.count
      for (name, entry) in dictionary { result[name] = try plain(entry, &keyCount, depth: depth + 1) }
      return result
    case let array as [Any]:
      var result: [Any] = []
      result.reserveCapacity(array.count)
      for element in array { result.append(try plain(element, &keyCount, depth: depth + 1)) }
      return result
    default:
      throw DocumentFault.keyedArchive("\(type(of: tree))")
    }
  }

  private static func plain(_ number: NSNumber) -> Any {
    if type(of: number) == type(of: NSNumber(value: true)) { return number.boolValue }
    switch number.typeCode {
    case "f", "d": return number.doubleValue
    default: return Int(exactly: number) ?? UInt64(exactly: number) ?? number.doubleValue as Any
    }
  }
}
