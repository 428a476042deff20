import Foundation
import KVCore

/// Returns the description of a value; that of a date that is not a point in time would end the process, also in a
/// collection.
package func describedSafely(_ value: Any) -> String {
  guard let seconds = secondsOfNoPoint(in: value) else { return "\(value)" }
  return "\(type(of: value) == Date.self ? "a" : "a collection with a") date of \(seconds) seconds"
}

/// Returns the seconds of a date that is not a point in time, and is the value or an element of it; nil if there is none.
private func secondsOfNoPoint(in value: Any) -> Double? {
  // A cast of a collection to a date would make objects of Foundation of all that is in it.
  if let elements = try? Elements.all(of: value) {
    for case let element? in elements { if let seconds = secondsOfNoPoint(in: element) { return seconds } }
    return nil
  }
  guard let seconds = (value as? Date)?.timeIntervalSinceReferenceDate, !seconds.isFinite else { return nil }
  return seconds
}
