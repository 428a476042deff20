import Sheet

/// A table of the cells that are not empty: a line for each of their rows, and one for each error.
struct Table {
  let lines: [String]

  init(_ cells: [Cell]) {
    let cells = cells.filter { $0.value != nil }
    let columns = Set(cells.map(\.column)).sorted()
    let rows = Dictionary(grouping: cells, by: \.row).sorted { $0.key < $1.key }
    var texts = [[""] + columns]
    for (row, cells) in rows {
      texts.append(["\(row)"] + columns.map { column in cells.first { $0.column == column }?.shownValue ?? "" })
    }
    let widths = texts[0].indices.map { column in texts.map { $0[column].count }.max() ?? 0 }
    let table = texts.map { zip($0, widths).map(Self.padded).joined(separator: "  ") }
    lines = table + rows.flatMap(\.value).filter { $0.error != nil }.map(\.line)
  }

  private static func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: width - text.count) + text
  }
}
