import KVBinding
import KVCore

/// A section of a list: rows, titles and permissions, independent of their presentation (LST.1).
///
/// Most lists are made of ``KVObservingListSection``, which follows a collection of a model. Conform your own class for
/// rows from another source: it counts and creates the rows, and notifies its ``delegate`` after each change.
///
/// ```swift
/// final class FooterSection: KVListSection {
///   weak var delegate: (any KVListSectionDelegate<String>)?
///   let rowCount = 1
///   func row(at index: Int) -> String { "That is all." }
/// }
/// ```
public protocol KVListSection<Row>: AnyObject {
  /// The type of the rows: a model, a text, a description of a cell.
  associatedtype Row
  /// The delegate, which is notified of changes: the list of the section. Reference it weakly.
  var delegate: (any KVListSectionDelegate<Row>)? { get set }
  /// The number of rows.
  var rowCount: Int { get }
  /// Returns the row at an index.
  ///
  /// - Parameter index: The index of the row, less than ``rowCount``.
  /// - Returns: The row.
  func row(at index: Int) -> Row
  /// The title, which is shown above the rows; nil if there is none.
  var title: String? { get }
  /// The index title, a short text that jumps to the section, such as a letter; nil if there is none.
  var indexTitle: String? { get }
  /// The footer, which is shown below the rows; nil if there is none.
  var footer: String? { get }
  /// Returns whether a row can be removed.
  ///
  /// - Parameter index: The index of the row.
  /// - Returns: Whether the section permits it; `false` by default.
  func canEdit(at index: Int) -> Bool
  /// Returns whether a row can be moved.
  ///
  /// - Parameter index: The index of the row.
  /// - Returns: Whether the section permits it; `false` by default.
  func canMove(at index: Int) -> Bool
  /// Removes a row from the source of the section.
  ///
  /// - Parameter index: The index of the row.
  /// - Throws: ``KVError``: `unsupported` if the section does not permit it.
  func removeRow(at index: Int) throws(KVError)
  /// Moves a row within the source of the section.
  ///
  /// - Parameters:
  ///   - index: The index of the row.
  ///   - newIndex: The index of the row after the move.
  /// - Throws: ``KVError``: `unsupported` if the section does not permit it.
  func moveRow(at index: Int, to newIndex: Int) throws(KVError)
}

extension KVListSection {
  /// The default title: none.
  public var title: String? { nil }
  /// The default index title: none.
  public var indexTitle: String? { nil }
  /// The default footer: none.
  public var footer: String? { nil }

  /// Permits no row to be removed.
  ///
  /// - Parameter index: The index of a row.
  /// - Returns: `false`.
  public func canEdit(at index: Int) -> Bool { false }

  /// Permits no row to be moved.
  ///
  /// - Parameter index: The index of a row.
  /// - Returns: `false`.
  public func canMove(at index: Int) -> Bool { false }

  /// Throws, since the section does not permit it.
  ///
  /// - Parameter index: The index of a row.
  /// - Throws: ``KVError`` (`unsupported`).
  public func removeRow(at index: Int) throws(KVError) {
    throw ListFailure.notPermitted("removed", index, in: self, "Implement canEdit(at:) and removeRow(at:).")
  }

  /// Throws, since the section does not permit it.
  ///
  /// - Parameters:
  ///   - index: The index of a row.
  ///   - newIndex: Another index.
  /// - Throws: ``KVError`` (`unsupported`).
  public func moveRow(at index: Int, to newIndex: Int) throws(KVError) {
    throw ListFailure.notPermitted("moved", index, in: self, "Implement canMove(at:) and moveRow(at:to:).")
  }
}
