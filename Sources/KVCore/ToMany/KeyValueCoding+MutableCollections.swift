extension KeyValueCoding where Self: AnyObject {
  /// Returns a live view of an ordered to-many key; see ``KVMutableArray``.
  ///
  /// The key is first checked when the view is used.
  ///
  /// - Parameter key: The key. Dots in it have no meaning.
  /// - Returns: The view.
  public func mutableArray(forKey key: String) -> KVMutableArray {
    KVMutableArray(property: ToManyProperty(root: self, path: KVKeyPath(wholeKey: key), form: .array))
  }

  /// Returns a live view of an unordered to-many key; see ``KVMutableSet``.
  ///
  /// The key is first checked when the view is used.
  ///
  /// - Parameter key: The key. Dots in it have no meaning.
  /// - Returns: The view.
  public func mutableSet(forKey key: String) -> KVMutableSet {
    KVMutableSet(property: ToManyProperty(root: self, path: KVKeyPath(wholeKey: key), form: .set))
  }

  /// Returns a live view of an ordered to-many key with unique elements; see ``KVMutableOrderedSet``.
  ///
  /// The key is first checked when the view is used.
  ///
  /// - Parameter key: The key. Dots in it have no meaning.
  /// - Returns: The view.
  public func mutableOrderedSet(forKey key: String) -> KVMutableOrderedSet {
    KVMutableOrderedSet(array: mutableArray(forKey: key))
  }

  /// Returns a live view of the ordered to-many key at the end of a key path; see ``KVMutableArray``.
  ///
  /// - Parameter path: The key path, or its text. Each use of the view resolves the path up to its last key.
  /// - Returns: The view.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  public func mutableArray(forKeyPath path: some KVKeyPathConvertible) throws(KVError) -> KVMutableArray {
    KVMutableArray(property: ToManyProperty(root: self, path: try path.keyPath(), form: .array))
  }

  /// Returns a live view of the unordered to-many key at the end of a key path; see ``KVMutableSet``.
  ///
  /// - Parameter path: The key path, or its text. Each use of the view resolves the path up to its last key.
  /// - Returns: The view.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  public func mutableSet(forKeyPath path: some KVKeyPathConvertible) throws(KVError) -> KVMutableSet {
    KVMutableSet(property: ToManyProperty(root: self, path: try path.keyPath(), form: .set))
  }

  /// Returns a live view of the ordered to-many key with unique elements at the end of a key path.
  ///
  /// See ``KVMutableOrderedSet``.
  ///
  /// - Parameter path: The key path, or its text. Each use of the view resolves the path up to its last key.
  /// - Returns: The view.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  public func mutableOrderedSet(forKeyPath path: some KVKeyPathConvertible) throws(KVError) -> KVMutableOrderedSet {
    KVMutableOrderedSet(array: try mutableArray(forKeyPath: path))
  }
}
