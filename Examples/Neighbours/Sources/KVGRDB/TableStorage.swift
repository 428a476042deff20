import GRDB
import KVControllers

/// The statements of a ``TableRows``: the columns of a table that a model has as keys, read and written by key.
struct TableStorage {
  /// The values of a row, by column.
  typealias Values = [String: DatabaseValue]

  /// A column that is a key of the model.
  private struct Column {
    let name: String
    let type: any DatabaseValueConvertible.Type
    let isOptional: Bool
  }

  let table: String
  let primaryKey: String
  private let columns: [Column]
  private let database: any DatabaseWriter

  var columnNames: [String] { columns.map(\.name) }

  /// - Throws: `KVError` if the table has no primary key of one column, or if a key of the model is of a type that no column has.
  init(_ table: String, in database: any DatabaseWriter, keys: [KVKeyDescription]) throws(KVError) {
    self.table = table
    self.database = database
    let (names, primaryKeys) = try Self.attempt("the table \(table) cannot be read") {
      try database.read { db in (try db.columns(in: table).map(\.name), try db.primaryKey(table).columns) }
    }
    let settable = Dictionary(keys.filter { !$0.isReadOnly }.map { ($0.name, $0) }) { first, _ in first }
    guard primaryKeys.count == 1, settable[primaryKeys[0]] != nil else {
      throw KVError(
        .unsupported,
        "the table \(table) needs a primary key of one column that is a key of the model; it has \(primaryKeys).")
    }
    primaryKey = primaryKeys[0]
    var columns: [Column] = []
    for name in names {
      guard let key = settable[name] else { continue }
      guard let type = key.wrappedType as? any DatabaseValueConvertible.Type else {
        throw KVError(
          .unsupported, "\"\(name)\" of the table \(table): \(key.wrappedType) is not DatabaseValueConvertible.",
          component: name)
      }
      columns.append(Column(name: name, type: type, isOptional: key.wrappedType != key.valueType))
    }
    self.columns = columns
  }

  // MARK: Values

  /// The values of a model, as they would be written.
  func values(of model: some KVObject) throws(KVError) -> Values {
    var values: Values = [:]
    for column in columns {
      values[column.name] =
        (try model.value(forKey: column.name) as? any DatabaseValueConvertible)?.databaseValue ?? .null
    }
    return values
  }

  /// The values of a row that differ from others, as values of the keys.
  ///
  /// - Throws: `KVError` (`typeMismatch`) for a value that the key of its column cannot have.
  func decoded(_ values: Values, unlike known: Values) throws(KVError) -> [(key: String, value: Any?)] {
    var decoded: [(key: String, value: Any?)] = []
    for column in columns {
      guard let stored = values[column.name], known[column.name] != stored else { continue }
      let value: (any DatabaseValueConvertible)? = stored.isNull ? nil : column.type.fromDatabaseValue(stored)
      if value == nil, !(stored.isNull && (column.isOptional || column.name == primaryKey)) {
        throw KVError(
          .typeMismatch,
          "\(self[values[primaryKey]]): \"\(column.name)\" is \(stored), which is not a value of type \(column.type).",
          component: column.name)
      }
      decoded.append((column.name, value))
    }
    return decoded
  }

  /// A row, in a message.
  subscript(id: DatabaseValue?) -> String { "\(table) \(id.map { "\($0)" } ?? "(new)")" }

  // MARK: Statements

  /// All rows, by primary key.
  func fetch() throws(KVError) -> [Values] {
    let list = columnNames.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let sql = "SELECT \(list) FROM \(table.quotedDatabaseIdentifier) ORDER BY \(primaryKey.quotedDatabaseIdentifier)"
    return try Self.attempt("the rows of \(table) cannot be read") {
      try database.read { db in
        try Row.fetchAll(db, sql: sql).map { row in Dictionary(uniqueKeysWithValues: row.map { ($0, $1) }) }
      }
    }
  }

  /// Inserts rows, all of them or none.
  ///
  /// - Returns: Their primary keys. One that is null is chosen by the database.
  func insert(_ rows: [Values]) throws(KVError) -> [DatabaseValue] {
    try Self.attempt("\(table): \(rows.count == 1 ? "a new row" : "\(rows.count) new rows") cannot be inserted") {
      try database.write { db in
        try rows.map { values in
          let given = values.filter { $0.key != primaryKey || !$0.value.isNull }
          let names = given.keys.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
          let marks = given.map { _ in "?" }.joined(separator: ", ")
          try db.execute(
            sql: "INSERT INTO \(table.quotedDatabaseIdentifier) (\(names)) VALUES (\(marks))",
            arguments: StatementArguments(given.values))
          return given[primaryKey] ?? db.lastInsertedRowID.databaseValue
        }
      }
    }
  }

  /// Writes columns of a row.
  ///
  /// - Throws: `KVError`: that of the database, or `unresolvedPath` if there is no such row any more.
  func update(_ id: DatabaseValue, _ values: Values) throws(KVError) {
    let names = values.keys.sorted()
    let list = names.map { "\($0.quotedDatabaseIdentifier) = ?" }.joined(separator: ", ")
    let sql = "UPDATE \(table.quotedDatabaseIdentifier) SET \(list) WHERE \(primaryKey.quotedDatabaseIdentifier) = ?"
    let count = try Self.attempt("\(self[id]): \(names.joined(separator: ", ")) cannot be written") {
      try database.write { db in
        try db.execute(sql: sql, arguments: StatementArguments(names.map { values[$0] } + [id]))
        return db.changesCount
      }
    }
    if count == 0 { throw gone(id, names) }
  }

  /// Deletes rows, all of them or none; a row that is gone already is no error.
  func delete(_ ids: [DatabaseValue]) throws(KVError) {
    let sql = "DELETE FROM \(table.quotedDatabaseIdentifier) WHERE \(primaryKey.quotedDatabaseIdentifier) = ?"
    try Self.attempt("\(ids.map { self[$0] }.joined(separator: ", ")) cannot be deleted") {
      try database.write { db in for id in ids { try db.execute(sql: sql, arguments: [id]) } }
    }
  }

  /// The error of an edit of a row that another program or another part of this one has deleted.
  func gone(_ id: DatabaseValue?, _ names: [String]) -> KVError {
    KVError(
      .unresolvedPath,
      "\(self[id]): \(names.joined(separator: ", ")) cannot be written, since the row has been deleted.",
      component: names.first)
  }

  /// Runs statements, with an error that says what they were for.
  private static func attempt<Result>(_ purpose: String, _ body: () throws -> Result) throws(KVError) -> Result {
    do { return try body() } catch {
      let reason =
        (error as? DatabaseError).map { "\($0.message ?? "SQLite error \($0.resultCode.rawValue)")" } ?? "\(error)"
      throw KVError(.custom, "\(purpose): \(reason).", underlying: error)
    }
  }
}
