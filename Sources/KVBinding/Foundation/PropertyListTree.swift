import Foundation

/// Turns values into what `PropertyListSerialization` takes, or says at which path there is something that it does not;
/// and what it returns into plain Swift values.
struct PropertyListTree {
  private var depth = 0
  private var open: Set<ObjectIdentifier> = []

  // MARK: Writing

  /// Returns the tree of a value; nil for nil.
  mutating func tree(of value: Any) throws(DocumentFault) -> Any? {
    switch DocumentValue(value) {
    case .null: return nil
    case .bool(let truth): return truth
    case .number(let number): return try numberTree(number)
    case .string(let text): return text
    case .date(let date): return date
    case .data(let data): return data
    case .array(let elements): return try arrayTree(elements)
    case .set(let elements): return try arrayTree(Self.sorted(elements))
    case .dictionary(let dictionary): return try dictionaryTree(dictionary.keys.sorted()) { dictionary[$0] }
    case .record(let record):
      guard open.insert(ObjectIdentifier(record)).inserted else {
        throw .containsItself()
      }
      defer { open.remove(ObjectIdentifier(record)) }
      return try dictionaryTree(record.keys) { record[$0] }
    case .other:
      throw .foreign(value)
    }
  }

  private func numberTree(_ number: KVNumber) throws(DocumentFault) -> Any {
    switch number {
    case .integer(let value):
      if let small = Int(exactly: value) { return small }
      guard let large = UInt64(exactly: value) else {
        throw DocumentFault("the integer \(value) does not fit in 64 bits; make it a string")
      }
      return large
    case .floating(let value): return value
    case .exact(let value): return value.double
    }
  }

  private mutating func arrayTree(_ elements: [Any]) throws(DocumentFault) -> [Any] {
    try enter()
    defer { depth -= 1 }
    var result: [Any] = []
    result.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      do throws(DocumentFault) {
        guard let element = try tree(of: element) else {
          throw DocumentFault("it has no nil; take the element out")
        }
        result.append(element)
      } catch { throw error.under(.index(index)) }
    }
    return result
  }

  private mutating func dictionaryTree(
    _ names: [String], _ value: (String) -> Any?
  ) throws(DocumentFault) -> [String: Any] {
    try enter()
    defer { depth -= 1 }
    var result: [String: Any] = [:]
    for name in names {
      guard let value = value(name) else { continue }
      do throws(DocumentFault) { result[name] = try tree(of: value) } catch { throw error.under(.naming(name)) }
    }
    return result
  }

  private mutating func enter() throws(DocumentFault) {
    guard depth < KVJSON.maximumDepth else { throw DocumentFault.tooDeep() }
    depth += 1
  }

  /// The elements of a set in an order that depends on them alone.
  private static func sorted(_ elements: Set<AnyHashable>) -> [Any] {
    elements.map { (text: "\($0.base)", element: $0.base) }.sorted { $0.text < $1.text }.map(\.element)
  }

  // MARK: Reading

  /// Returns what Foundation read as plain Swift values.
  static func value(of tree: Any, depth: Int = 0) throws(DocumentFault) -> Any {
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
      for (name, entry) in dictionary { result[name] = try value(of: entry, depth: depth + 1) }
      return result
    case let array as [Any]:
      var result: [Any] = []
      result.reserveCapacity(array.count)
      for element in array { result.append(try value(of: element, depth: depth + 1)) }
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
