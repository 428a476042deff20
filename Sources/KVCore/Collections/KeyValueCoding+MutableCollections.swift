extension KeyValueCoding where Self: AnyObject {
  /// Returns a live view of an ordered to-many key; see ``KVMutableArray``.
  ///
  /// Nothing is checked before the view is used.
  public func mutableArray(forKey key: String) -> KVMutableArray {
    KVMutableArray(property: ToManyProperty(root: self, path: KVKeyPath(wholeKey: key)))
  }

  /// Returns a live view of an unordered to-many key; see ``KVMutableSet``.
  public func mutableSet(forKey key: String) -> KVMutableSet {
    KVMutableSet(property: ToManyProperty(root: self, path: KVKeyPath(wholeKey: key)))
  }

  /// Returns a live view of an ordered to-many key without duplicates; see ``KVMutableOrderedSet``.
  public func mutableOrderedSet(forKey key: String) -> KVMutableOrderedSet {
    KVMutableOrderedSet(array: mutableArray(forKey: key))
  }

  /// Returns a live view of the ordered to-many key at the end of a path; see ``KVMutableArray``.
  ///
  /// - Throws: ``KVError`` with the code `invalidKeyPath`.
  public func mutableArray(forKeyPath path: some KVKeyPathConvertible) throws(KVError) -> KVMutableArray {
    KVMutableArray(property: ToManyProperty(root: self, path: try path.keyPath()))
  }

  /// Returns a live view of the unordered to-many key at the end of a path; see ``KVMutableSet``.
  ///
  /// - Throws: ``KVError`` with the code `invalidKeyPath`.
  public func mutableSet(forKeyPath path: some KVKeyPathConvertible) throws(KVError) -> KVMutableSet {
    KVMutableSet(property: ToManyProperty(root: self, path: try path.keyPath()))
  }

  /// Returns a live view of the ordered to-many key without duplicates at the end of a path; see
  /// ``KVMutableOrderedSet``.
  ///
  /// - Throws: ``KVError`` with the code `invalidKeyPath`.
  public func mutableOrderedSet(forKeyPath path: some KVKeyPathConvertible) throws(KVError) -> KVMutableOrderedSet {
    KVMutableOrderedSet(array: try mutableArray(forKeyPath: path))
  }
}
