import KVBinding

extension QueryTable {
  /// The columns of a terminal that a cell takes at most.
  private static let widest = 60

  /// Returns the table with aligned columns; numbers are aligned to the right.
  func text(_ columns: [KVKeyPath]) throws(ToolFailure) -> String {
    let titles = columns.map { DisplayWidth.escaped($0.description) }
    var widths = titles.map { DisplayWidth.of($0) }
    var isOfNumbers = columns.map { _ in true }
    var cells: [String] = []
    try forEachRow { (_, row) throws(ToolFailure) in
      for (index, column) in columns.enumerated() {
        let value = try value(column, of: row)
        switch ValueKind(value) {
        case .integer, .number, .null: break
        default: isOfNumbers[index] = false
        }
        let cell = Self.cut(DisplayWidth.escaped(try Self.cell(value)))
        widths[index] = max(widths[index], DisplayWidth.of(cell))
        cells.append(cell)
      }
    }
    func line(_ cells: some Collection<String>, _ indent: String) -> String {
      var line = indent
      for (index, cell) in cells.enumerated() {
        let padding = String(repeating: " ", count: widths[index] - DisplayWidth.of(cell))
        line += (index == 0 ? "" : "  ") + (isOfNumbers[index] ? padding + cell : cell + padding)
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }
    var result = ""
    var position = 0
    let indent = grouping == nil ? "" : "  "
    for (index, group) in groups.enumerated() {
      if let grouping {
        let key = group.key == nil ? "null" : DisplayWidth.escaped(try Self.cell(group.key))
        let heading = "\(DisplayWidth.escaped(grouping.description)): \(key) (\(group.rows.count))"
        result += "\(index == 0 ? "" : "\n")\(heading)\n"
      }
      if !columns.isEmpty { result += line(titles, indent) }
      for _ in group.rows {
        result += line(cells[position..<position + columns.count], indent)
        position += columns.count
      }
    }
    return result
  }

  /// Returns a text that is not too wide.
  private static func cut(_ text: String) -> String {
    if text.utf8.count <= widest { return text }
    var (width, end) = (0, text.startIndex)
    for index in text.indices {
      width += DisplayWidth.of(text[index])
      if width > widest { return text[..<end] + "…" }
      // The character before the last one that fits gives way to the ellipsis.
      if width < widest { end = text.index(after: index) }
    }
    return text
  }
}
