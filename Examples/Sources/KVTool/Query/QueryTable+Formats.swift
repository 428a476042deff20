import KVBinding

extension QueryTable {
  /// Returns the table as JSON, one row or one group a line.
  func jsonLines() throws(ToolFailure) -> String {
    var result = ""
    var elements: [String] = []
    elements.reserveCapacity(groups.map(\.rows.count).max() ?? 0)
    try forEachRow { (group, row) throws(ToolFailure) in
      guard grouping != nil else { return result += try object(row) + "\n" }
      elements.append(try object(row))
      guard elements.count == group.rows.count else { return }
      let key = try Self.json(group.key)
      result += "{\"key\":\(key),\"count\":\(elements.count),\"elements\":[\(elements.joined(separator: ","))]}\n"
      elements.removeAll(keepingCapacity: true)
    }
    return result
  }

  private func object(_ row: Any?) throws(ToolFailure) -> String {
    guard let columns else { return try Self.json(row) }
    var members: [String] = []
    for column in columns {
      members.append("\(try Self.json(column.description)):\(try Self.json(value(column, of: row)))")
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// Returns the table as RFC 4180 has it: with a header, and with what the rows of a group share in the first column.
  func csv(_ columns: [KVKeyPath]) throws(ToolFailure) -> String {
    let shared = grouping.flatMap { columns.contains($0) ? nil : $0 }
    let titles = (shared.map { [$0] } ?? []) + columns
    if titles.isEmpty { return "" }
    var result = Self.line(titles.map { Self.field($0.description, isNull: false) })
    try forEachRow { (group, row) throws(ToolFailure) in
      var fields: [String] = []
      if shared != nil { fields.append(try Self.field(group.key)) }
      for column in columns { fields.append(try Self.field(value(column, of: row))) }
      result += Self.line(fields)
    }
    return result
  }

  private static func field(_ value: Any?) throws(ToolFailure) -> String {
    field(try cell(value), isNull: ValueKind(value) == .null)
  }

  /// Returns a field; an empty string is quoted, so that it is not taken for null.
  private static func field(_ text: String, isNull: Bool) -> String {
    let needsQuotes = text.isEmpty ? !isNull : text.utf8.contains { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }
    return needsQuotes
      ? "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\"" : text
  }

  private static func line(_ fields: [String]) -> String {
    // A line with nothing on it would be taken for no record.
    (fields == [""] ? "\"\"" : fields.joined(separator: ",")) + "\r\n"
  }
}
