/// A sequence of recorded changes, which can be compared and printed (TST.2).
///
/// It prints as a table:
///
/// ```
/// 1  items  insertion at 2  nil → [Item]
/// 2  total  setting         22.5 → 25.0
/// ```
public struct KVChangeLog: RandomAccessCollection, CustomStringConvertible {
  /// The records, in order.
  package let changes: [KVChange]

  /// Creates a log.
  ///
  /// - Parameter changes: The records.
  package init(_ changes: [KVChange] = []) { self.changes = changes }

  /// The position of the first record: 0.
  public var startIndex: Int { 0 }
  /// The position after the last record.
  public var endIndex: Int { changes.count }

  /// The record at a position.
  ///
  /// - Parameter position: The position.
  public subscript(position: Int) -> KVChange { changes[position] }

  /// Returns the records of one key path.
  ///
  /// - Parameter path: The key path as it was registered.
  /// - Returns: The records of the key path, in order.
  public func of(_ path: KVKeyPath) -> KVChangeLog { KVChangeLog(changes.filter { $0.keyPath == path }) }

  /// A table of all records, or `no changes` if there are none.
  public var description: String { table(indices) }

  /// Returns a table of the first records.
  func table(first limit: Int) -> String { table(indices.prefix(limit)) }

  /// Returns a table of the last records, with their numbers.
  func table(last limit: Int) -> String { table(indices.suffix(limit)) }

  private func table(_ shown: Range<Int>) -> String {
    guard !isEmpty else { return "no changes" }
    let rows = shown.map { ["\($0 + 1)", "\(self[$0].keyPath)", self[$0].kindText, self[$0].values] }
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ") + "  " + row[3] }
    let before = shown.lowerBound > 0 ? ["… \(shown.lowerBound) before these"] : []
    let after = shown.upperBound < count ? ["… \(count - shown.upperBound) more"] : []
    return (before + lines + after).joined(separator: "\n")
  }
}
