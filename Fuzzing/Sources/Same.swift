import Foundation
import KVBinding
import KVCore

/// Compares values of documents: by type, and numbers and texts by their bits.
enum Same {
  static func areSame(_ left: Any?, _ right: Any?, isXML: Bool = false) -> Bool {
    guard let left = left.flatMap(unwrappingOptionals), let right = right.flatMap(unwrappingOptionals) else {
      return left.flatMap(unwrappingOptionals) == nil && right.flatMap(unwrappingOptionals) == nil
    }
    switch (left, right) {
    case (let left as Double, let right as Double) where type(of: left) == Double.self:
      return left.bitPattern == right.bitPattern || left.isNaN && right.isNaN
    case (let left as String, let right as String):
      return left.utf8.elementsEqual(right.utf8)
    case (let left as Date, let right as Date):
      // XML has whole seconds.
      let (left, right) = (left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
      return left == right || left.isNaN && right.isNaN || isXML && abs(left - right) <= 1
    case (let left as [String: Any], let right as [String: Any]):
      return left.count == right.count
        && left.allSatisfy { name, value in right[name].map { areSame(value, $0, isXML: isXML) } ?? false }
    case (let left as [Any?], let right as [Any?]):
      return left.count == right.count && zip(left, right).allSatisfy { areSame($0, $1, isXML: isXML) }
    default:
      return type(of: left) == type(of: right) && (left as? AnyHashable) == (right as? AnyHashable)
    }
  }

  /// Whether XML can hold the value: its texts have no control characters, and its dates four digits of the year.
  static func isText(_ value: Any?) -> Bool {
    switch value.flatMap(unwrappingOptionals) {
    case let text as String: return text.unicodeScalars.allSatisfy(isXML)
    case let date as Date: return (-62_000_000_000...250_000_000_000).contains(date.timeIntervalSince1970)
    case let members as [String: Any]: return members.allSatisfy { isText($0) && isText($1) }
    case let elements as [Any?]: return elements.allSatisfy { isText($0) }
    default: return true
    }
  }

  private static func isXML(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && scalar.value < 0xFFFE || scalar.value >= 0x10000 || scalar == "\t" || scalar == "\n"
  }
}
