import Foundation

/// Returns the description of a value; that of a date that is not a point in time would end the process.
package func describedSafely(_ value: Any) -> String {
  guard let seconds = (value as? Date)?.timeIntervalSinceReferenceDate, !seconds.isFinite else { return "\(value)" }
  return "a date of \(seconds) seconds"
}
