extension KeyValueCoding where Self: AnyObject {
  /// Returns a live view of an ordered to-many key; see ``KVMutableArray``.
  ///
  /// The key is first checked when the view is used.
  ///
  /// - Parameters:
  ///   - key: The key. Dots in it have no meaning.
  ///   - file: The file of the call, which the message of a trap names.
  ///   - line: The line of the call.
  /// - Returns: The view.
  public func mutableArray(
    forKey key: String, file: StaticString = #fileID, line: UInt = #line
  ) -> KVMutableArray {
    KVMutableArray(property: property(ofKey: key, .array, file, line))
  }

  /// Returns a live view of an unordered to-many key; see ``KVMutableSet``.
  ///
  /// The key is first checked when the view is used.
  ///
  /// - Parameters:
  ///   - key: The key. Dots in it have no meaning.
  ///   - file: The file of the call, which the message of a trap names.
  ///   - line: The line of the call.
  /// - Returns: The view.
  public func mutableSet(
    forKey key: String, file: StaticString = #fileID, line: UInt = #line
  ) -> KVMutableSet {
    KVMutableSet(property: property(ofKey: key, .set, file, line))
  }

  /// Returns a live view of an ordered to-many key with unique elements; see ``KVMutableOrderedSet``.
  ///
  /// The key is first checked when the view is used.
  ///
  /// - Parameters:
  ///   - key: The key. Dots in it have no meaning.
  ///   - file: The file of the call, which the message of a trap names.
  ///   - line: The line of the call.
  /// - Returns: The view.
  public func mutableOrderedSet(
    forKey key: String, file: StaticString = #fileID, line: UInt = #line
  ) -> KVMutableOrderedSet {
    KVMutableOrderedSet(array: mutableArray(forKey: key, file: file, line: line))
  }

  /// Returns a live view of the ordered to-many key at the end of a key path; see ``KVMutableArray``.
  ///
  /// - Parameters:
  ///   - path: The key path, or its text. It is resolved now, and by each use of the view again: if it leads to no such
  ///     collection later, the view is empty, and its methods throw (COL.3).
  ///   - file: The file of the call, which the message of a trap names.
  ///   - line: The line of the call.
  /// - Returns: The view.
  /// - Throws: ``KVError``: `invalidKeyPath`; the errors of reading the path, `notPermitted` if a policy of the path does
  ///   not let the key be written; `unsupported` if the path ends at no key, or at another kind of value. A nil in the
  ///   middle of the path is not an error.
  public func mutableArray(
    forKeyPath path: some KVKeyPathConvertible, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVMutableArray {
    KVMutableArray(property: try property(ofPath: path.keyPath(), .array, file, line))
  }

  /// Returns a live view of the unordered to-many key at the end of a key path; see ``KVMutableSet``.
  ///
  /// - Parameters:
  ///   - path: The key path, or its text. It is resolved now, and by each use of the view again: if it leads to no such
  ///     collection later, the view is empty, and its methods throw (COL.3).
  ///   - file: The file of the call, which the message of a trap names.
  ///   - line: The line of the call.
  /// - Returns: The view.
  /// - Throws: ``KVError``: `invalidKeyPath`; the errors of reading the path, `notPermitted` if a policy of the path does
  ///   not let the key be written; `unsupported` if the path ends at no key, or at another kind of value. A nil in the
  ///   middle of the path is not an error.
  public func mutableSet(
    forKeyPath path: some KVKeyPathConvertible, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVMutableSet {
    KVMutableSet(property: try property(ofPath: path.keyPath(), .set, file, line))
  }

  /// Returns a live view of the ordered to-many key with unique elements at the end of a key path.
  ///
  /// See ``KVMutableOrderedSet``.
  ///
  /// - Parameters:
  ///   - path: The key path, or its text. It is resolved now, and by each use of the view again: if it leads to no such
  ///     collection later, the view is empty, and its methods throw (COL.3).
  ///   - file: The file of the call, which the message of a trap names.
  ///   - line: The line of the call.
  /// - Returns: The view.
  /// - Throws: ``KVError``: `invalidKeyPath`; the errors of reading the path, `notPermitted` if a policy of the path does
  ///   not let the key be written; `unsupported` if the path ends at no key, or at another kind of value. A nil in the
  ///   middle of the path is not an error.
  public func mutableOrderedSet(
    forKeyPath path: some KVKeyPathConvertible, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVMutableOrderedSet {
    KVMutableOrderedSet(array: try mutableArray(forKeyPath: path, file: file, line: line))
  }

  private func property(
    ofKey key: String, _ form: ToManyProperty.Form, _ file: StaticString, _ line: UInt
  ) -> ToManyProperty {
    ToManyProperty(
      root: self, path: KVKeyPath(singleKey: key), form: form, isOfPath: false,
      location: CodeLocation(file: file, line: line))
  }

  private func property(
    ofPath path: KVKeyPath, _ form: ToManyProperty.Form, _ file: StaticString, _ line: UInt
  ) throws(KVError) -> ToManyProperty {
    let property = ToManyProperty(
      root: self, path: path, form: form, isOfPath: true, location: CodeLocation(file: file, line: line))
    try property.check()
    return property
  }
}
