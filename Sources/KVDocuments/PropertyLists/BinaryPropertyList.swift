import Foundation
import KVCore

/// Reads a binary property list.
///
/// Foundation's reader ends the process for some damaged ones, off Apple's platforms: those that turn out to hold sets.
/// This one looks at every offset before it follows it, and reads each object once, however often it is referred to.
/// Objects that share bytes are refused, so that reading takes no more than the length of the file.
struct BinaryPropertyList {
  /// An object that was read.
  private struct Known {
    let value: Any
    /// How many containers are nested in it.
    var height = 0
    /// How many elements are in it, each counted as often as it is referred to.
    ///
    /// A string and data count as one element for each 64 bytes, beside the one that they are.
    var elements = 0
  }

  private let bytes: [UInt8]
  private let elementLimit: Int
  /// How many bytes the contents of the objects have that were read.
  private var read = 0
  private var offsets: [Int] = []
  private var referenceSize = 0
  private var known: [Int: Known] = [:]
  /// The containers that are being read: one that comes again contains itself.
  private var open: Set<Int> = []

  private static let damaged = DocumentFault("it begins as a binary one, and is damaged", code: .invalidDocument)

  private init(_ data: Data, elementLimit: Int?) {
    bytes = Array(data)
    // So that a sum of two does not overflow.
    self.elementLimit = min(elementLimit ?? min(10 * data.count, 10_000_000), .max / 4)
  }

  /// Returns the value at the top, as ``PropertyListCoding/value(from:elementLimit:)`` does.
  static func value(of data: Data, elementLimit: Int?) throws(DocumentFault) -> Any {
    var list = BinaryPropertyList(data, elementLimit: elementLimit)
    let top = try list.readTrailer()
    return try list.object(top, depth: 0).value
  }

  // MARK: Offsets

  private mutating func readTrailer() throws(DocumentFault) -> Int {
    guard bytes.count >= 40 else { throw Self.damaged }
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    let count = try integer(at: trailer + 8, size: 8)
    let top = try integer(at: trailer + 16, size: 8)
    let table = try integer(at: trailer + 24, size: 8)
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), (8...trailer).contains(table),
      count <= (trailer - table) / offsetSize, top < count
    else { throw Self.damaged }
    for index in 0..<count {
      let offset = try integer(at: table + index * offsetSize, size: offsetSize)
      guard (8..<table).contains(offset) else { throw Self.damaged }
      offsets.append(offset)
    }
    return top
  }

  /// Returns a big-endian number that stands for a place or a count.
  private func integer(at offset: Int, size: Int) throws(DocumentFault) -> Int {
    guard let number = Int(exactly: try number(at: offset, size: size)) else { throw Self.damaged }
    return number
  }

  private func number(at offset: Int, size: Int) throws(DocumentFault) -> UInt64 {
    try slice(offset, size).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func slice(_ offset: Int, _ count: Int) throws(DocumentFault) -> ArraySlice<UInt8> {
    guard count >= 0, offset >= 0, offset <= bytes.count, count <= bytes.count - offset else { throw Self.damaged }
    return bytes[offset..<(offset + count)]
  }

  /// Returns how many elements an object has, and where they begin.
  private func count(_ low: UInt8, _ offset: Int) throws(DocumentFault) -> (count: Int, start: Int) {
    if low != 0xF { return (Int(low), offset + 1) }
    guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 1, bytes[offset + 1] & 0xF <= 3 else {
      throw Self.damaged
    }
    let size = 1 << Int(bytes[offset + 1] & 0xF)
    return (try integer(at: offset + 2, size: size), offset + 2 + size)
  }

  // MARK: Objects

  private mutating func object(_ index: Int, depth: Int) throws(DocumentFault) -> Known {
    guard index < offsets.count else { throw Self.damaged }
    if let object = known[index] {
      if depth + object.height > Limits.nesting { throw .tooDeep() }
      return object
    }
    try DocumentFault.checkNesting(depth - 1)
    guard open.insert(index).inserted else { throw Self.damaged }
    defer { open.remove(index) }
    let offset = offsets[index]
    let object: Known
    switch bytes[offset] >> 4 {
    case 0xA: object = try array(offset, depth)
    case 0xD: object = try dictionary(offset, depth)
    default:
      let start = read
      let value = try scalar(offset)
      object = Known(value: value, elements: (read - start) / 64)
    }
    known[index] = object
    return object
  }

  /// Returns the bytes of the content of an object, which belong to no other object.
  private mutating func content(_ offset: Int, _ count: Int) throws(DocumentFault) -> ArraySlice<UInt8> {
    let slice = try slice(offset, count)
    read += count
    guard read <= bytes.count else { throw Self.damaged }
    return slice
  }

  private mutating func scalar(_ offset: Int) throws(DocumentFault) -> Any {
    let low = bytes[offset] & 0xF
    switch bytes[offset] >> 4 {
    case 0 where low == 8: return false
    case 0 where low == 9: return true
    case 1: return try integerNumber(offset + 1, low)
    case 2 where low == 2: return Double(Float(bitPattern: UInt32(try number(at: offset + 1, size: 4))))
    case 2 where low == 3: return Double(bitPattern: try number(at: offset + 1, size: 8))
    case 3 where low == 3:
      return try DocumentTree.finite(
        Date(timeIntervalSinceReferenceDate: Double(bitPattern: try number(at: offset + 1, size: 8))))
    case 4:
      let (count, start) = try count(low, offset)
      return Data(try content(start, count))
    case 5, 7:
      let (count, start) = try count(low, offset)
      guard let text = String(validating: try content(start, count), as: UTF8.self) else { throw Self.damaged }
      return text
    case 6: return try wideText(offset, low)
    case 8: throw .keyedArchive("UID")
    case 0xB, 0xC: throw .keyedArchive("NSSet")
    default: throw Self.damaged
    }
  }

  private func integerNumber(_ offset: Int, _ low: UInt8) throws(DocumentFault) -> Any {
    switch low {
    case 0, 1, 2: return try integer(at: offset, size: 1 << Int(low))
    case 3: return Int(Int64(bitPattern: try number(at: offset, size: 8)))
    case 4:
      let (high, low) = (try number(at: offset, size: 8), try number(at: offset + 8, size: 8))
      let value = Int128(truncatingIfNeeded: UInt128(high) << 64 | UInt128(low))
      return Int(exactly: value) ?? UInt64(exactly: value) ?? value as Any
    default: throw Self.damaged
    }
  }

  private mutating func wideText(_ offset: Int, _ low: UInt8) throws(DocumentFault) -> String {
    let (count, start) = try count(low, offset)
    guard count <= bytes.count else { throw Self.damaged }
    let slice = try content(start, count * 2)
    let units = stride(from: slice.startIndex, to: slice.endIndex, by: 2).map { offset in
      UInt16(slice[offset]) << 8 | UInt16(slice[offset + 1])
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw DocumentFault(
        "a string in UTF-16 has one half of a surrogate pair without the other, which is not a character",
        code: .invalidDocument)
    }
    return text
  }

  private mutating func array(_ offset: Int, _ depth: Int) throws(DocumentFault) -> Known {
    let (count, start) = try count(bytes[offset] & 0xF, offset)
    let objects = try objects(start, count, depth)
    return Known(value: objects.values, height: objects.height, elements: objects.elements)
  }

  private mutating func dictionary(_ offset: Int, _ depth: Int) throws(DocumentFault) -> Known {
    let (count, start) = try count(bytes[offset] & 0xF, offset)
    let names = try objects(start, count, depth)
    // A name is no element; its length counts.
    let values = try objects(start + count * referenceSize, count, depth, beside: names.elements - count)
    var entries: [String: Any] = [:]
    entries.reserveCapacity(count)
    for (name, value) in zip(names.values, values.values) {
      guard let name = name as? String else { throw Self.damaged }
      guard entries.updateValue(value, forKey: name) == nil else { throw .repeatedKey(name) }
    }
    return Known(value: entries, height: values.height, elements: values.elements)
  }

  /// Reads the objects that the references in a container stand for.
  ///
  /// - Parameter others: How many elements the container has beside them.
  private mutating func objects(
    _ start: Int, _ count: Int, _ depth: Int, beside others: Int = 0
  ) throws(DocumentFault) -> (values: [Any], height: Int, elements: Int) {
    guard count <= (bytes.count - start) / referenceSize else { throw Self.damaged }
    _ = try content(start, count * referenceSize)
    var values: [Any] = []
    values.reserveCapacity(count)
    var (height, elements) = (1, others)
    for position in 0..<count {
      let reference = try integer(at: start + position * referenceSize, size: referenceSize)
      let object = try object(reference, depth: depth + 1)
      values.append(object.value)
      height = max(height, object.height + 1)
      elements += 1 + object.elements
      if elements > elementLimit { throw tooLarge }
    }
    return (values, height, elements)
  }

  private var tooLarge: DocumentFault {
    DocumentFault(
      """
      its arrays and dictionaries have more than \(elementLimit) elements, each counted as often as it is referred to; \
      pass a higher elementLimit to read it all the same
      """, code: .limitExceeded)
  }
}
