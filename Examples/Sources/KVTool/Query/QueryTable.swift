import Foundation
import KVBinding
import KVDocuments

/// What a query prints: the values of key paths, row by row.
struct QueryTable {
  /// Rows that share a value.
  struct Group {
    let key: Any?
    let rows: [Any?]
  }

  /// The key paths of the columns; nil for all of each row.
  let columns: [KVKeyPath]?
  /// The key path of what the rows of each group share; nil for one group of all rows.
  let grouping: KVKeyPath?
  let groups: [Group]

  private let progress: Progress

  init(columns: [KVKeyPath]?, grouping: KVKeyPath?, groups: [Group], _ progress: Progress) {
    (self.columns, self.grouping, self.groups, self.progress) = (columns, grouping, groups, progress)
    progress.begin("printing \(count) rows")
  }

  private var count: Int { groups.reduce(0) { $0 + $1.rows.count } }

  /// Calls a function with each row of each group, and reports how far that is.
  func forEachRow(_ body: (Group, Any?) throws(ToolFailure) -> Void) throws(ToolFailure) {
    let count = count
    var index = 0
    for group in groups {
      for row in group.rows {
        try body(group, row)
        if index & 1023 == 0 { progress.report("\(index) of \(count) rows printed") }
        index += 1
      }
    }
  }

  /// Returns the value of a column.
  func value(_ column: KVKeyPath, of row: Any?) throws(ToolFailure) -> Any? {
    guard let row else { return nil }
    do throws(KVError) { return try KVC.value(of: row, forKeyPath: column) } catch {
      throw ToolFailure("--select: \(error.message)")
    }
  }

  // MARK: Values as text

  /// Returns a value as JSON on one line.
  static func json(_ value: Any?) throws(ToolFailure) -> String {
    switch value {
    case nil: return "null"
    case let number as Int where type(of: value) == Int.self: return String(number)
    case let text as String where text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }):
      return "\"\(text)\""
    default: break
    }
    do throws(KVError) {
      return String(decoding: try KVDocument(value).data(datesAsText: true, dataAsText: true), as: UTF8.self)
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Returns a value as it stands in a cell: a string without quotes, nothing for null, an array or an object as JSON.
  static func cell(_ value: Any?) throws(ToolFailure) -> String {
    switch ValueKind(value) {
    case .null: return ""
    case .string: return value as? String ?? ""
    // A property list may have a number that JSON does not.
    case .number: return value.map { "\($0)" } ?? ""
    case .date, .data: return String(try json(value).dropFirst().dropLast())
    default: return try json(value)
    }
  }
}
