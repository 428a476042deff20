import Foundation
import KVCore

/// The services of Foundation for sorting and filters: dates, decimal numbers, and the orders of locales (SRT.6,
/// FLT.11).
extension FoundationProvider {
  package static var now: any Sendable { Date() }

  package static let castTypes = ["Date", "Decimal", "NSDate", "NSDecimalNumber"]

  package static func cast(_ value: Any, to type: String) -> (any Sendable)? {
    switch type {
    case "Date", "NSDate":
      switch value {
      case let date as Date: date
      case let text as String: Date(text: text)
      default:
        (try? KVC.convert(value, to: Double.self)).flatMap { seconds in
          seconds.isFinite ? Date(timeIntervalSinceReferenceDate: seconds) : nil
        }
      }
    case "Decimal", "NSDecimalNumber":
      if let text = value as? String {
        try? KVC.convert(text, to: Decimal.self, lenient: true)
      } else {
        try? KVC.convert(value, to: Decimal.self)
      }
    case "NSNumber": (value as? Date)?.timeIntervalSinceReferenceDate
    default: nil
    }
  }

  package static func literal(of value: Any) -> (constant: any Sendable, type: String)? {
    switch value {
    case let date as Date:
      let seconds = date.timeIntervalSinceReferenceDate
      // A date outside of the years 1 to 9999 has no text.
      return seconds.isFinite ? (date.text.map { $0 as any Sendable } ?? seconds, "NSDate") : nil
    case let decimal as Decimal where !decimal.isNaN: return ("\(decimal)", "NSDecimalNumber")
    default: return nil
    }
  }

  package static func comparison(locale identifier: String) -> @Sendable (String, String) -> KVOrdering {
    let locale = Locale(identifier: identifier)
    return { left, right in
      let options: String.CompareOptions = [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering]
      switch left.compare(right, options: options, range: nil, locale: locale) {
      case .orderedAscending: return .less
      case .orderedSame: return .same
      case .orderedDescending: return .greater
      }
    }
  }
}
