import Foundation
import KVCore
import KVDocuments

/// Compares what two readers make of one JSON document.
enum JSONAgreement {
  /// Whether a value of `JSONCoding` is what `JSONSerialization` returns.
  static func areSame(_ mine: Any?, _ theirs: Any) -> Bool {
    switch theirs {
    case is NSNull: return mine.flatMap(unwrappingOptionals) == nil
    case let object as [String: Any]:
      guard let own = mine as? [String: Any] else { return false }
      return own.count == object.count && object.allSatisfy { areSame(own[$0.key], $0.value) }
    case let array as [Any]:
      guard let own = mine as? [Any?] else { return false }
      return own.count == array.count && zip(own, array).allSatisfy { areSame($0, $1) }
    case let number as NSNumber where type(of: theirs) is NSNumber.Type:
      if let truth = mine as? Bool { return truth == number.boolValue }
      guard let own = (mine as? any NumericValue)?.number.double else { return false }
      // Off Apple's platforms JSONSerialization reads some doubles through decimal numbers, and misses the last digit.
      return abs(own - number.doubleValue) <= abs(own) * 1e-14
    case let text as String: return mine as? String == text
    default: return KVC.areEqual(mine, theirs)
    }
  }

  /// Whether `JSONSerialization` may read what `JSONCoding` refuses: it guesses encodings, takes names that occur twice
  /// and integers of any length, and off Apple's platforms a comma before a closing bracket.
  static func isStricter(_ error: KVError) -> Bool {
    let ends = ["it is not UTF-8.", "expected a value, found \"]\".", "expected a name in double quotes, found \"}\"."]
    return ends.contains { error.message.hasSuffix($0) } || error.message.contains("has more than 128 bits")
      || error.message.contains("already; take one of the two out")
  }

  /// Whether the readers may differ: `JSONSerialization` drops byte order marks out of texts.
  static func mayDiffer(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.contains("\u{FEFF}")
  }
}
