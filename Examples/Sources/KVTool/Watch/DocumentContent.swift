import Foundation
import KVBinding
import KVDocuments

/// A value of a document, to be compared and hashed by what it holds, whichever objects hold it.
///
/// `KVC.areEqual` compares objects by identity, and `true` with 1; for a document neither would do.
indirect enum DocumentContent: Hashable {
  case null
  case bool(Bool)
  case integer(Int128)
  /// The bits of a number that is no integer, so that one that is no number equals itself.
  case real(UInt64)
  case string(String)
  case date(Date)
  case data(Data)
  case array([DocumentContent])
  case object([String: DocumentContent])

  /// Takes the content of what `KVDocument` and `KVRecord` make of documents.
  init(_ value: Any?) {
    guard let value else {
      self = .null
      return
    }
    switch ValueKind(value) {
    case .string: self = .string(value as? String ?? "")
    case .boolean: self = .bool(value as? Bool ?? false)
    case .integer: self = (value as? any FixedWidthInteger).map { .integer(Int128($0)) } ?? .null
    case .number: self = Self.number(value as? Double ?? 0)
    case .date: self = (value as? Date).map { .date($0) } ?? .null
    case .data: self = (value as? Data).map { .data($0) } ?? .null
    case .array: self = .array((value as? [Any?] ?? []).map { DocumentContent($0) })
    case .object: self = .object(Self.members(value as? [String: Any] ?? [:]))
    case .null, .unknown:
      guard let record = value as? KVRecord else {
        self = .null
        return
      }
      self = .object(Self.members(record.dictionary))
    }
  }

  /// The content of a number, however it is written: `2.0` is 2.
  private static func number(_ number: Double) -> DocumentContent {
    if number == 0, number.sign == .minus { return .real(number.bitPattern) }
    return Int128(exactly: number).map { .integer($0) } ?? .real(number.bitPattern)
  }

  /// The members that are not null: merging a null removes the key.
  private static func members(_ dictionary: [String: Any]) -> [String: DocumentContent] {
    dictionary.mapValues { DocumentContent($0) }.filter { $0.value != .null }
  }

  /// How little two values have in common, from 0 to 1.
  ///
  /// - Complexity: O(*n*) in the values.
  func distance(to other: DocumentContent) -> Double {
    switch (self, other) {
    case (.object(let left), .object(let right)):
      let keys = Set(left.keys).union(right.keys)
      let equal = keys.filter { left[$0] == right[$0] }
      return keys.isEmpty ? 0 : 1 - Double(equal.count) / Double(keys.count)
    case (.array, .array): return 0.5
    case (.object, _), (_, .object), (.array, _), (_, .array): return 1
    default: return self == other ? 0 : 0.75
    }
  }
}
