import Foundation
import KVCore
import KVFoundation

/// Turns a value into the tree of plain values that a document is written from, or says at which path it holds what the
/// format does not have.
struct DocumentTree {
  /// How JSON is written; nil for a property list.
  private let options: JSONCoding.Options?
  /// Whether the format writes a date as text.
  private let datesNeedText: Bool
  private var depth = 0
  /// How many containers are in one another.
  private var height = 0
  /// The records that are being written: one that comes again contains itself.
  private var open: Set<ObjectIdentifier> = []

  private init(_ options: JSONCoding.Options?, datesNeedText: Bool) {
    self.options = options
    self.datesNeedText = datesNeedText
  }

  /// Returns the tree of a value, which is nil for nil, and how many containers are in one another.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - options: How JSON is written; nil for a property list.
  ///   - datesNeedText: Whether the format writes a date as text, which those of the years 1 to 9999 have.
  static func tree(
    of value: Any?, json options: JSONCoding.Options?, datesNeedText: Bool = true
  ) throws(KVError) -> (tree: Any?, height: Int) {
    guard let value else { return (nil, 0) }
    var tree = DocumentTree(options, datesNeedText: datesNeedText)
    do throws(DocumentFault) { return (try tree.tree(of: value), tree.height) } catch {
      throw error.writingError(of: value, format: options == nil ? "a property list" : "JSON")
    }
  }

  private mutating func tree(of value: Any) throws(DocumentFault) -> Any? {
    switch DocumentValue(value) {
    case .null: return nil
    case .bool(let truth): return truth
    case .number(let number): return try plain(number)
    case .string(let text): return text
    case .date(let date):
      let date = try Self.finite(date)
      if let options, !options.contains(.datesAsText) {
        throw DocumentFault("it has no dates; make it a string or a number, or pass datesAsText: true")
      }
      if !datesNeedText { return date }
      guard let text = date.text else {
        throw DocumentFault(
          """
          a date \(date.timeIntervalSinceReferenceDate) seconds from 2001 has no text, which the years 1 to 9999 have; make \
          it a number
          """)
      }
      return isJSON ? text : date
    case .data(let data):
      guard let options else { return data }
      if options.contains(.dataAsText) { return data.base64EncodedString() }
      throw DocumentFault("it has no data; make it a string, or pass dataAsText: true")
    case .array(let elements): return try array(elements)
    case .set(let elements): return try array(try sorted(elements))
    case .dictionary(let dictionary): return try object(dictionary)
    case .record(let record):
      guard open.insert(ObjectIdentifier(record)).inserted else {
        throw DocumentFault("the record contains itself; take it out, or write the parts")
      }
      defer { open.remove(ObjectIdentifier(record)) }
      return try object(record.keys.map { name in (key: name, value: record[name] ?? (Any?.none as Any)) })
    case .other:
      throw DocumentFault(
        "a value of type \(type(of: value)) is not one that it has; give a record or a dictionary of it")
    }
  }

  private var isJSON: Bool { options != nil }

  /// Returns a date; throws if it is no point in time, which no document has (DOC.2).
  static func finite(_ date: Date) throws(DocumentFault) -> Date {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.isFinite else {
      // Foundation's description of such a date ends the process.
      throw DocumentFault("a date of \(seconds) seconds is not a point in time; leave it out, or correct it")
    }
    return date
  }

  /// Returns what the format has for a number: an integer exactly, and the nearest double for any other number (DOC.2).
  private func plain(_ number: AnyNumber) throws(DocumentFault) -> Any {
    switch number {
    case .integer(let value): return try plain(value)
    case .wide(let value as UInt128): throw tooLarge(value)
    // A decimal number that is an integer; JSON has all decimal numbers.
    case .exact(let exact) where !isJSON && number.double.isFinite && !KVC.areEqual(exact, number.double):
      guard let whole = number.truncated else { throw tooLarge(exact) }
      if KVC.areEqual(exact, whole) { return try plain(whole) }
    case .floating, .wide, .exact: break
    }
    let double = number.double
    guard isJSON else { return double }
    var written: Any = double
    if case .exact(let exact) = number { written = exact }
    guard double.isFinite else { throw DocumentFault("it has no number \(written); leave the value out") }
    if case .exact = number, let decimal = Decimal(number: number) { return decimal }
    return double
  }

  private func plain(_ integer: Int128) throws(DocumentFault) -> Any {
    if let small = Int(exactly: integer) { return small }
    if isJSON { return integer }
    guard let large = UInt64(exactly: integer) else { throw tooLarge(integer) }
    return large
  }

  private func tooLarge(_ integer: Any) -> DocumentFault {
    let size = isJSON ? "128 bits with a sign" : "64 bits"
    return DocumentFault("the integer \(integer) does not fit in \(size); make it a string")
  }

  private mutating func array(_ elements: [Any]) throws(DocumentFault) -> [Any] {
    try enter()
    defer { depth -= 1 }
    var result: [Any] = []
    result.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      do throws(DocumentFault) {
        if let element = try tree(of: element) {
          result.append(element)
        } else if isJSON {
          result.append(KVDocument.Null())
        } else {
          throw DocumentFault("it has no nil; take the element out")
        }
      } catch {
        throw error.under(.index(index))
      }
    }
    return result
  }

  private mutating func object(
    _ members: some Collection<(key: String, value: Any)>
  ) throws(DocumentFault) -> [String: Any] {
    try enter()
    defer { depth -= 1 }
    var result: [String: Any] = [:]
    result.reserveCapacity(members.count)
    for (name, value) in members {
      let member: Any?
      do throws(DocumentFault) { member = try tree(of: value) } catch { throw error.under(.naming(name)) }
      if let member { result[name] = member } else if isJSON { result[name] = KVDocument.Null() }
    }
    return result
  }

  private mutating func enter() throws(DocumentFault) {
    try DocumentFault.checkNesting(depth)
    depth += 1
    height = max(height, depth)
  }

  /// Returns the elements of a set in an order that depends on them alone: that of their texts.
  private mutating func sorted(_ elements: Set<AnyHashable>) throws(DocumentFault) -> [Any] {
    var texts: [(text: String, element: Any)] = []
    for element in elements {
      // Also for a property list: what it refuses may have no description.
      let tree = try tree(of: element.base)
      // The description of a container recurses.
      let isPlain = !isJSON && !(tree is [Any]) && !(tree is [String: Any])
      let text = isPlain ? "\(element.base)" : String(decoding: try JSONWriter.data(tree), as: UTF8.self)
      texts.append((text, element.base))
    }
    return texts.ordered { $0.text }.map(\.element)
  }
}
