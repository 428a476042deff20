/// What can be given where a key path is wanted: a ``KVKeyPath``, or its text.
///
/// A text is parsed at its first use, and found again after that; a ``KVKeyPath`` that is kept saves the search.
public protocol KVKeyPathConvertible {
  /// Returns the path.
  ///
  /// - Throws: ``KVError`` with the code `invalidKeyPath` if a text is none.
  func keyPath() throws(KVError) -> KVKeyPath
}

extension KVKeyPath: KVKeyPathConvertible {
  /// The path itself.
  ///
  /// - Throws: Nothing.
  @inlinable @inline(__always)
  public func keyPath() throws(KVError) -> KVKeyPath { self }
}

extension String: KVKeyPathConvertible {
  /// The path that the text spells.
  ///
  /// - Throws: ``KVError`` with the code `invalidKeyPath` if it spells none.
  public func keyPath() throws(KVError) -> KVKeyPath { try KeyPathCache.shared.path(self) }
}

extension Substring: KVKeyPathConvertible {
  /// The path that the text spells.
  ///
  /// - Throws: ``KVError`` with the code `invalidKeyPath` if it spells none.
  public func keyPath() throws(KVError) -> KVKeyPath { try String(self).keyPath() }
}
