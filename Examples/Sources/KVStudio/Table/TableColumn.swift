import Foundation
import KVBinding
import KVDocuments
import KVQuery

/// A column of the table: a key of the records, and which texts are values of it.
struct TableColumn: Sendable {
  enum Kind: String, Sendable {
    case text, integer, number, flag
    /// Values of several types, or collections: shown, and not edited.
    case other
  }

  let key: String
  let title: String
  var kind = Kind.text
  /// Whether a record has to have a value.
  var isRequired = false
  /// The permitted integers.
  var range = Int.min...Int.max
  var isEditable = true

  static let maximumLength = 200

  /// The path of the key, which may contain any character.
  var path: KVKeyPath { path(behind: []) }

  /// The path of the key of all selected rows.
  var selectionPath: KVKeyPath { path(behind: [.key("selection")]) }

  private func path(behind components: [KVKeyPath.Component]) -> KVKeyPath {
    // The key `self` would be the record, and one such as `a.b` a path: as an entry, both are what they are.
    let isEntry = key == "self" || (try? KVKeyPath(components: [.key(key)])) == nil
    do throws(KVError) { return try KVKeyPath(components: components + [isEntry ? .entry(key) : .key(key)]) } catch {
      preconditionFailure("any text can be an entry: \(error)")
    }
  }

  /// The order of the column; rows without a value come last, in both directions.
  var descriptor: KVSortDescriptor {
    KVSortDescriptor(path, comparison: kind == .text ? .caseInsensitive : .standard, nils: .last)
  }

  /// The order of the groups of the column.
  var groupDescriptor: KVSortDescriptor { KVSortDescriptor(path, nils: .last) }

  /// Makes texts of values, and values of texts that a user has written.
  var transformer: KVTransformer {
    .erased(title, forward: { Self.text(of: $0) }, reverse: { try value(of: $0 as? String ?? "") })
  }

  /// Returns what a cell shows.
  static func text(of value: Any?) -> String {
    switch value {
    case nil: ""
    case let text as String: text
    case let value as any CustomStringConvertible & Numeric: value.description
    case let flag as Bool: "\(flag)"
    case let value?:
      (try? KVDocument(["value": value]).data()).map { data in
        String(decoding: data.dropFirst(9).dropLast().prefix(maximumLength), as: UTF8.self)
      } ?? "\(type(of: value))"
    }
  }

  /// Returns the value of a text.
  ///
  /// - Throws: `KVError` with a sentence that says which texts are values.
  func value(of text: String) throws(KVError) -> (any Sendable)? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else {
      if isRequired { throw KVError(.invalidValue, "\(title) cannot be empty.") }
      return nil
    }
    guard text.count <= Self.maximumLength else {
      throw KVError(.invalidValue, "\(title) has at most \(Self.maximumLength) characters.")
    }
    switch kind {
    case .text: return text
    case .integer:
      guard let number = Int(text), range.contains(number) else {
        let limits = range == Int.min...Int.max ? "" : " from \(range.lowerBound) to \(range.upperBound)"
        throw KVError(.invalidValue, "\(title) is a whole number\(limits), not \"\(text)\".")
      }
      return number
    case .number:
      guard let number = Double(text), number.isFinite else {
        throw KVError(.invalidValue, "\(title) is a number, not \"\(text)\".")
      }
      return number
    case .flag:
      guard let flag = Bool(text) else { throw KVError(.invalidValue, "\(title) is true or false, not \"\(text)\".") }
      return flag
    case .other: throw KVError(.invalidValue, "\(title) cannot be edited.")
    }
  }

  /// What a new record has in the column.
  var newValue: (any Sendable)? {
    guard isRequired else { return nil }
    return kind == .text ? "New row" : range.contains(0) ? 0 : range.lowerBound
  }
}
