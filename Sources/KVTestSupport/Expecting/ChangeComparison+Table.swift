extension ChangeComparison {
  /// The first line of a report.
  var summary: String {
    let missing = rows.filter { $0.expected != nil && !$0.isMatch }.count
    let extra = rows.filter { $0.recorded != nil && !$0.isMatch }.count
    var parts: [String] = []
    if missing > 0 { parts.append("\(missing) of \(expectedCount) expected did not come") }
    if extra > 0, matching != .nonExhaustive {
      parts.append("\(extra) of \(recordedCount) recorded \(extra == 1 ? "was" : "were") not expected")
    }
    return parts.joined(separator: ", ")
  }

  /// Both sequences side by side, or one below the other if they are too wide.
  var table: String {
    let width = max(8, rows.map { $0.left.count }.max() ?? 0)
    let digits = "\(recordedCount)".count
    let lines: [String]
    if width <= 60 {
      let head = "  " + "expected".padded(to: width) + "  recorded"
      lines = [head] + folded { ["\(sign(of: $0)) \($0.left.padded(to: width))  \($0.right(digits))"] }
    } else {
      lines = folded { row in
        if sign(of: row) == " " { return ["  \(row.right(digits))"] }
        return (row.expected == nil ? [] : ["- expected  \(row.left)"])
          + (row.recorded == nil ? [] : ["+ recorded  \(row.right(digits))"])
      }
    }
    return lines.map(\.withoutTrailingSpaces).joined(separator: "\n")
  }

  /// The reasons why records that look as expected do not match, one line each.
  var hints: [String] {
    rows.filter { !$0.isMatch }.prefix(3).compactMap { row in
      guard let expected = row.expected, let (number, change) = row.recorded else { return nil }
      return expected.hint(for: change).map { "Record \(number) reads as expected, but \($0)." }
    }
  }

  /// Returns the sign of a row: `≠` for another change, `-` for a missing one, `+` for an additional one.
  private func sign(of row: Row) -> String {
    if row.isMatch || row.expected == nil && matching == .nonExhaustive { return " " }
    return row.expected == nil ? "+" : row.recorded == nil ? "-" : "≠"
  }

  /// Returns the lines of the rows; of many rows only those near a difference, and the last ones.
  private func folded(_ lines: (Row) -> [String]) -> [String] {
    var shown = Set(rows.indices)
    if rows.count > 30 {
      let differences = rows.indices.filter { sign(of: rows[$0]) != " " }
      shown = Set(differences.prefix(20).flatMap { ($0 - 3)...($0 + 3) }).union(rows.indices.suffix(3))
    }
    var result: [String] = []
    var hidden = 0
    for (index, row) in rows.enumerated() {
      guard shown.contains(index) else {
        hidden += 1
        continue
      }
      if hidden > 0 { result.append("  … \(hidden) more …") }
      hidden = 0
      result += lines(row)
    }
    return result
  }
}

extension ChangeComparison.Row {
  fileprivate var left: String { expected?.description ?? "" }
  fileprivate func right(_ width: Int) -> String {
    guard let (number, change) = recorded else { return "" }
    return "\(number)".padded(to: width) + "  \(change.keyPath): \(change.kindText) \(change.values)"
  }
}

extension String {
  fileprivate var withoutTrailingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
