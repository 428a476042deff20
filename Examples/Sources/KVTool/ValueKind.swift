import Foundation
import KVBinding

/// What a value of a document is, in the words of its form.
enum ValueKind: String, Comparable {
  case array, boolean, data, date, integer, null, number, object, string, unknown

  init(_ value: Any?) {
    switch value {
    case nil: self = .null
    case let value?:
      switch type(of: value) {
      case is String.Type: self = .string
      case is Bool.Type: self = .boolean
      case is Double.Type: self = .number
      case is any FixedWidthInteger.Type: self = .integer
      case is [String: Any].Type: self = .object
      case is Date.Type: self = .date
      case is Data.Type: self = .data
      case is [Any].Type, is [Any?].Type: self = .array
      case is Any?.Type: self = .null
      default: self = .unknown
      }
    }
  }

  /// The kind with its article.
  var article: String {
    switch self {
    case .array, .integer, .object, .unknown: "an \(rawValue)"
    case .data, .null: rawValue
    default: "a \(rawValue)"
    }
  }

  static func < (left: ValueKind, right: ValueKind) -> Bool { left.rawValue < right.rawValue }
}
