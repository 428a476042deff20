import KVBinding
import KVCore

/// The delegate of a list, usually the object that shows it.
public protocol KVListDataSourceDelegate<Row>: AnyObject {
  /// The type of the rows.
  associatedtype Row

  /// Called after a change of the list, which is already up to date.
  ///
  /// The method may change the list or the sources of its sections; it is then called for these changes before it
  /// returns.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - change: The change of the list.
  func list(_ list: KVListDataSource<Row>, did change: KVListChange)
}
