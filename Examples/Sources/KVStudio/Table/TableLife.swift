import KVBinding

/// Changes of the table that no user makes: records that are inserted, removed and changed in turn.
@MainActor final class TableLife {
  private let model: TableModel
  private var random = SeededGenerator(seed: 11)
  private var count = 0

  init(_ model: TableModel) { self.model = model }

  /// Makes the next change.
  func change() throws {
    guard let template = model.records.randomElement(using: &random) else { return }
    count += 1
    switch count % 3 {
    case 1:
      let copy = KVRecord()
      for key in template.keys { copy[key] = template[key] }
      if let column = model.columns.first(where: { $0.kind == .text && $0.isEditable }) {
        copy[column.key] = "\(TableColumn.text(of: template[column.key]).prefix(150)) (new \(count / 3 + 1))"
      }
      try model.insert([copy], at: [Int.random(in: 0...model.records.count, using: &random)])
    case 2:
      // The value of another record is a value of the column.
      let columns = model.columns.filter { $0.isEditable }
      guard let column = columns.randomElement(using: &random), let other = model.records.randomElement(using: &random)
      else { return }
      template[column.key] = other[column.key]
    default: try model.remove([template])
    }
  }
}
