import Foundation

/// The memory of the process, where the system says it.
package func residentBytes() -> Int? {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
  let fields = text.split(separator: " ")
  return fields.count > 1 ? Int(fields[1]).map { $0 * 4_096 } : nil
}
