import KVCore

/// A section of a list: rows, titles and permissions, without a word on how they are shown (LST.1).
///
/// ``KVObservingListSection`` follows a collection of a model, and is what most lists are made of. Conform a class of your own for
/// rows that come from elsewhere: count them, make them, and tell the ``delegate`` after each change.
///
/// ```swift
/// final class FooterSection: KVListSection {
///   weak var delegate: (any KVListSectionDelegate<String>)?
///   let rowCount = 1
///   func row(at index: Int) -> String { "That is all." }
/// }
/// ```
public protocol KVListSection<Row>: AnyObject {
  /// What a row is: a model, a text, a description of a cell.
  associatedtype Row
  /// Who is told of changes: the list that the section stands in. Hold it weakly.
  var delegate: (any KVListSectionDelegate<Row>)? { get set }
  /// How many rows there are.
  var rowCount: Int { get }
  /// Returns a row.
  ///
  /// - Parameter index: Its index, less than ``rowCount``.
  /// - Returns: The row.
  func row(at index: Int) -> Row
  /// The text above the rows; nil for none.
  var title: String? { get }
  /// The short text that leads to the section, such as a letter; nil for none.
  var indexTitle: String? { get }
  /// The text below the rows; nil for none.
  var footer: String? { get }
  /// Returns whether a row may be removed.
  ///
  /// - Parameter index: Its index.
  /// - Returns: Whether it may; not so unless the section says otherwise.
  func canEdit(at index: Int) -> Bool
  /// Returns whether a row may be moved.
  ///
  /// - Parameter index: Its index.
  /// - Returns: Whether it may; not so unless the section says otherwise.
  func canMove(at index: Int) -> Bool
  /// Removes a row where it comes from.
  ///
  /// - Parameter index: Its index.
  /// - Throws: ``KVError``: `unsupported` if the section does not permit it.
  func removeRow(at index: Int) throws(KVError)
  /// Moves a row where it comes from.
  ///
  /// - Parameters:
  ///   - index: Its index.
  ///   - newIndex: Its index afterwards.
  /// - Throws: ``KVError``: `unsupported` if the section does not permit it.
  func moveRow(at index: Int, to newIndex: Int) throws(KVError)
}

extension KVListSection {
  /// No text above the rows.
  public var title: String? { nil }
  /// No text that leads to the section.
  public var indexTitle: String? { nil }
  /// No text below the rows.
  public var footer: String? { nil }

  /// Permits nothing.
  ///
  /// - Parameter index: The index of a row.
  /// - Returns: False.
  public func canEdit(at index: Int) -> Bool { false }

  /// Permits nothing.
  ///
  /// - Parameter index: The index of a row.
  /// - Returns: False.
  public func canMove(at index: Int) -> Bool { false }

  /// Refuses.
  ///
  /// - Parameter index: The index of a row.
  /// - Throws: ``KVError`` with the code `unsupported`.
  public func removeRow(at index: Int) throws(KVError) { throw ListFailure.notPermitted("removed", index, in: self) }

  /// Refuses.
  ///
  /// - Parameters:
  ///   - index: The index of a row.
  ///   - newIndex: Another one.
  /// - Throws: ``KVError`` with the code `unsupported`.
  public func moveRow(at index: Int, to newIndex: Int) throws(KVError) {
    throw ListFailure.notPermitted("moved", index, in: self)
  }
}

/// Who is told of changes of a section; usually a ``KVListDataSource``.
public protocol KVListSectionDelegate<Row>: AnyObject {
  /// What a row is.
  associatedtype Row

  /// Is told that rows have changed; the section is up to date already.
  ///
  /// It may change the source of the section, which tells of that before this returns.
  ///
  /// - Parameters:
  ///   - section: The section.
  ///   - change: What has changed.
  func section(_ section: any KVListSection<Row>, did change: KVListRowChange)
}
