import KVBinding
import KVCore

/// The delegate of a section, usually a ``KVListDataSource``.
public protocol KVListSectionDelegate<Row>: AnyObject {
  /// The type of the rows.
  associatedtype Row

  /// Called after a change of the rows of a section, which is already up to date.
  ///
  /// The method may change the source of the section; it is then called for these changes before it returns.
  ///
  /// - Parameters:
  ///   - section: The section.
  ///   - change: The change of its rows.
  func section(_ section: any KVListSection<Row>, did change: KVListRowChange)
}
