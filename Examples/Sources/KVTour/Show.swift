import Foundation
import KVBinding

/// Collects what a step shows: `show(value)`.
final class Show {
  var lines: [String] = []

  func callAsFunction(_ value: Any?) { lines.append(Self.text(of: value)) }

  /// Shows the error that a body throws, and that it throws none.
  func error(_ body: () throws -> Void) {
    do {
      try body()
      lines.append("no error")
    } catch {
      lines.append("\(error)")
    }
  }

  /// Returns a value as Swift would write it, the same at every run.
  private static func text(of value: Any?) -> String {
    guard let value else { return "nil" }
    switch value {
    case let text as String: return text.debugDescription
    case let record as KVRecord: return text(of: record.dictionary)
    case let array as [Any?]: return "[\(array.map { text(of: $0) }.joined(separator: ", "))]"
    case let dictionary as [String: Any]:
      let entries = dictionary.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \(text(of: $0.value))" }
      return "[\(entries.isEmpty ? ":" : entries.joined(separator: ", "))]"
    default: return "\(value)"
    }
  }
}
