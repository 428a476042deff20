import Foundation

/// Turns a value into the tree of plain values that a document is written from, or says at which path it holds what the
/// format does not have.
struct DocumentTree {
  /// What a document is written as.
  enum Format {
    case json(KVJSON.Options)
    case propertyList
  }

  private let format: Format
  private var depth = 0
  /// The records that are being written: one that comes again contains itself.
  private var open: Set<ObjectIdentifier> = []

  private init(_ format: Format) { self.format = format }

  /// Returns the tree of a value; nil for nil.
  static func tree(of value: Any?, _ format: Format) throws(KVError) -> Any? {
    var tree = DocumentTree(format)
    do throws(DocumentFault) { return try tree.tree(of: value) } catch {
      let name = if case .json = format { "JSON" } else { "a property list" }
      throw error.writingError(of: value, format: name)
    }
  }

  private mutating func tree(of value: Any?) throws(DocumentFault) -> Any? {
    guard let value else { return nil }
    switch DocumentValue(value) {
    case .null: return nil
    case .bool(let truth): return truth
    case .number(let number): return try tree(of: number)
    case .string(let text): return text
    case .date(let date):
      guard case .json(let options) = format else { return date }
      if options.contains(.datesAsText) { return date.formatted(.iso8601) }
      throw DocumentFault("it has no dates; make it a string or a number, or pass .datesAsText")
    case .data(let data):
      guard case .json(let options) = format else { return data }
      if options.contains(.dataAsText) { return data.base64EncodedString() }
      throw DocumentFault("it has no data; make it a string, or pass .dataAsText")
    case .array(let elements): return try array(elements)
    case .set(let elements): return try array(try sorted(elements))
    case .dictionary(let dictionary): return try object(Array(dictionary.keys)) { dictionary[$0] }
    case .record(let record):
      guard open.insert(ObjectIdentifier(record)).inserted else {
        throw DocumentFault("the record contains itself; take it out, or write the parts")
      }
      defer { open.remove(ObjectIdentifier(record)) }
      return try object(record.keys) { record[$0] }
    case .other:
      throw DocumentFault("a value of type \(type(of: value)) is none that it has; give a record or a dictionary of it")
    }
  }

  private func tree(of number: KVNumber) throws(DocumentFault) -> Any {
    switch (format, number) {
    case (.json, .integer(let value)): return Int(exactly: value) ?? value as Any
    case (.json, .floating(let value)):
      guard value.isFinite else { throw Self.notFinite(value) }
      return value
    case (.json, .exact(let value)):
      guard value.double.isFinite else { throw Self.notFinite(value) }
      return Decimal(number: number) ?? value.double as Any
    case (.propertyList, .integer(let value)):
      if let small = Int(exactly: value) { return small }
      if let large = UInt64(exactly: value) { return large }
      throw DocumentFault("the integer \(value) does not fit in 64 bits; make it a string")
    case (.propertyList, _): return number.double
    }
  }

  private static func notFinite(_ number: Any) -> DocumentFault {
    DocumentFault("it has no number \(number); leave the value out")
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
        } else if case .json = format {
          result.append(KVJSON.Null())
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
    _ names: [String], _ value: (String) -> Any?
  ) throws(DocumentFault) -> [String: Any] {
    try enter()
    defer { depth -= 1 }
    var result: [String: Any] = [:]
    result.reserveCapacity(names.count)
    for name in names {
      let member: Any?
      do throws(DocumentFault) { member = try tree(of: value(name)) } catch { throw error.under(.naming(name)) }
      if let member { result[name] = member } else if case .json = format { result[name] = KVJSON.Null() }
    }
    return result
  }

  private mutating func enter() throws(DocumentFault) {
    guard depth < KVJSON.maximumDepth else { throw DocumentFault.tooDeep() }
    depth += 1
  }

  /// Returns the elements of a set in an order that depends on them alone: that of their texts.
  private mutating func sorted(_ elements: Set<AnyHashable>) throws(DocumentFault) -> [Any] {
    var texts: [(text: String, element: Any)] = []
    for element in elements {
      guard case .json = format else {
        texts.append(("\(element.base)", element.base))
        continue
      }
      let tree = try tree(of: element.base)
      let data = (try? JSONOutput(tree).data()) ?? Data()
      texts.append((String(decoding: data, as: UTF8.self), element.base))
    }
    return texts.sorted { $0.text < $1.text }.map(\.element)
  }
}
