/// A type that can be used as a key path: ``KVKeyPath``, or the text of one.
///
/// A text is parsed at its first use and found in a cache afterwards (KP.1). A stored ``KVKeyPath`` saves this search.
public protocol KVKeyPathConvertible {
  /// Returns the key path.
  ///
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  func keyPath() throws(KVError) -> KVKeyPath
}

extension KVKeyPath: KVKeyPathConvertible {
  /// Returns the path itself.
  ///
  /// - Throws: Nothing.
  @inlinable @inline(__always)
  public func keyPath() throws(KVError) -> KVKeyPath { self }
}

extension String: KVKeyPathConvertible {
  /// Returns the key path that the text spells.
  ///
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  public func keyPath() throws(KVError) -> KVKeyPath { try KeyPathCache.shared.path(self) }
}

extension Substring: KVKeyPathConvertible {
  /// Returns the key path that the text spells.
  ///
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  public func keyPath() throws(KVError) -> KVKeyPath { try String(self).keyPath() }
}
