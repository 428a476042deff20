extension KeyValueCoding where Self: AnyObject {
  /// Returns a live view of an ordered to-many key; see ``KVMutableArray``.
  ///
  /// Nothing is checked before the view is used.
  ///
  /// - Parameter key: The key, which is not taken apart at dots.
  /// - Returns: The view.
  public func mutableArray(forKey key: String) -> KVMutableArray {
    KVMutableArray(property: ToManyProperty(root: self, path: KVKeyPath(wholeKey: key), form: .array))
  }

  /// Returns a live view of an unordered to-many key; see ``KVMutableSet``.
  ///
  /// - Parameter key: The key, which is not taken apart at dots.
  /// - Returns: The view.
  public func mutableSet(forKey key: String) -> KVMutableSet {
    KVMutableSet(property: ToManyProperty(root: self, path: KVKeyPath(wholeKey: key), form: .set))
  }

  /// Returns a live view of an ordered to-many key without duplicates; see ``KVMutableOrderedSet``.
  ///
  /// - Parameter key: The key, which is not taken apart at dots.
  /// - Returns: The view.
  public func mutableOrderedSet(forKey key: String) -> KVMutableOrderedSet {
    KVMutableOrderedSet(array: mutableArray(forKey: key))
  }

  /// Returns a live view of the ordered to-many key at the end of a path; see ``KVMutableArray``.
  ///
  /// - Parameter path: The path, or its text. All but its last key is followed anew at each use of the view.
  /// - Returns: The view.
  /// - Throws: ``KVError`` with the code `invalidKeyPath` if a text is none.
  public func mutableArray(forKeyPath path: some KVKeyPathConvertible) throws(KVError) -> KVMutableArray {
    KVMutableArray(property: ToManyProperty(root: self, path: try path.keyPath(), form: .array))
  }

  /// Returns a live view of the unordered to-many key at the end of a path; see ``KVMutableSet``.
  ///
  /// - Parameter path: The path, or its text. All but its last key is followed anew at each use of the view.
  /// - Returns: The view.
  /// - Throws: ``KVError`` with the code `invalidKeyPath` if a text is none.
  public func mutableSet(forKeyPath path: some KVKeyPathConvertible) throws(KVError) -> KVMutableSet {
    KVMutableSet(property: ToManyProperty(root: self, path: try path.keyPath(), form: .set))
  }

  /// Returns a live view of the ordered to-many key without duplicates at the end of a path; see
  /// ``KVMutableOrderedSet``.
  ///
  /// - Parameter path: The path, or its text. All but its last key is followed anew at each use of the view.
  /// - Returns: The view.
  /// - Throws: ``KVError`` with the code `invalidKeyPath` if a text is none.
  public func mutableOrderedSet(forKeyPath path: some KVKeyPathConvertible) throws(KVError) -> KVMutableOrderedSet {
    KVMutableOrderedSet(array: try mutableArray(forKeyPath: path))
  }
}
