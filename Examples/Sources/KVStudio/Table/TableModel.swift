import KVBinding

/// The model of the table: the records, which all windows show.
@KVModel final class TableModel: KVObject {
  var records: [KVRecord]
  @KVIgnored let title: String
  @KVIgnored let columns: [TableColumn]
  /// Whether values may be set, and records inserted and removed.
  @KVIgnored let isEditable: Bool

  init(_ title: String, _ columns: [TableColumn], _ records: [KVRecord], isEditable: Bool = true) {
    self.records = records
    self.title = title
    self.columns = columns
    self.isEditable = isEditable
  }

  /// Throws a refusal if nothing may be changed.
  func checkEditing() throws(Refusal) {
    guard !isEditable else { return }
    throw Refusal(403, "\(title) can only be read here. Start kv studio with --allow-edits to change it in memory.")
  }

  func column(_ key: String) -> TableColumn? { columns.first { $0.key == key } }

  /// Inserts records by index, so that lists need not look for them.
  func insert(_ new: [KVRecord], at indexes: [Int]) throws(KVError) {
    try mutableArray(forKey: "records").insert(new, at: indexes)
  }

  /// Removes those of some records that are in the table.
  ///
  /// - Returns: What was removed, and from where.
  @discardableResult
  func remove(_ removed: [KVRecord]) throws(KVError) -> (records: [KVRecord], indexes: [Int]) {
    let wanted = Set(removed.map(ObjectIdentifier.init))
    let indexes = records.indices.filter { wanted.contains(ObjectIdentifier(records[$0])) }
    let present = indexes.map { records[$0] }
    if !indexes.isEmpty { try mutableArray(forKey: "records").remove(at: indexes) }
    return (present, indexes)
  }
}
