import Foundation
import KVCore

/// A value as documents see it, whatever its Swift type.
package enum DocumentValue {
  case null
  case bool(Bool)
  case number(AnyNumber)
  case string(String)
  case date(Date)
  case data(Data)
  case array([Any])
  /// The elements of a set, in no order.
  case set(Set<AnyHashable>)
  case dictionary([String: Any])
  case record(KVRecord)
  case other

  init(_ value: Any) {
    // The types that documents are made of come first, compared by identity: a cast that fails costs a hundred times
    // as much.
    let type: Any.Type = Swift.type(of: value)
    if type == String.self, let text = value as? String {
      self = .string(text)
    } else if type == Int.self, let number = value as? Int {
      self = .number(.integer(Int128(number)))
    } else if type == Double.self, let number = value as? Double {
      self = .number(.floating(number))
    } else if type == Bool.self, let truth = value as? Bool {
      self = .bool(truth)
    } else if type == [String: Any].self, let dictionary = value as? [String: Any] {
      self = .dictionary(dictionary)
    } else if type == [Any].self, let array = value as? [Any] {
      self = .array(array)
    } else {
      self = Self.uncommon(value)
    }
  }

  private static func uncommon(_ value: Any) -> DocumentValue {
    guard let plain = unwrappingOptionals(value) else { return .null }
    if type(of: plain) != type(of: value) { return DocumentValue(plain) }
    if let record = objectCast(value, to: KVRecord.self) { return .record(record) }
    switch value {
    case is KVDocument.Null: return .null
    case let date as Date: return .date(date)
    case let data as Data: return .data(data)
    case let number as any NumericValue: return .number(number.number)
    case let text as any StringProtocol: return .string(String(text))
    case let array as [Any]: return .array(array)
    case let set as Set<AnyHashable>: return .set(set)
    case let dictionary as [String: Any]: return .dictionary(dictionary)
    case let raw as any RawRepresentable: return DocumentValue(raw.rawValue)
    default: return .other
    }
  }
}

extension DocumentValue {
  /// The kind of a value in the words of a format, with its article: `a string`.
  package static func article(of value: Any?, in format: KVDocument.Format = .json) -> String {
    switch value.map({ DocumentValue($0) }) {
    case nil, .null: "null"
    case .array, .set: "an array"
    case .dictionary, .record: format == .json ? "an object" : "a dictionary"
    case .string: "a string"
    case .bool: "a boolean"
    case .number: "a number"
    case .date: "a date"
    default: "data"
    }
  }
}
