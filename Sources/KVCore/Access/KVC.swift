/// Key-value coding for any value, whether its type conforms to ``KeyValueCoding`` or not.
///
/// ```swift
/// try KVC.value(of: response, forKeyPath: "items[0].price")
/// try KVC.setValue(3, forKeyPath: "limits.retries", in: &configuration)
/// ```
public enum KVC {
  /// Returns the value of a path from a root.
  ///
  /// - Parameters:
  ///   - root: Any value: an object, a struct, a tuple, an enum, an optional, a collection (KVC.3).
  ///   - path: The path, or its text.
  /// - Returns: The value, without optionals around it; nil where one of them is nil, or where a nil stands in the
  ///   middle of the path (KVC.4, KVC.7).
  /// - Throws: ``KVError``: `invalidKeyPath`, `undefinedKey`, `indexOutOfRange`, `unsupported`, `unknownOperator`,
  ///   `operatorFailed`, `invalidTable`, `limitExceeded`.
  /// - Complexity: O(*n*) in the components of the path, if it maps over no collection.
  public static func value(of root: Any, forKeyPath path: some KVKeyPathConvertible) throws(KVError) -> Any? {
    let path = try path.keyPath()
    return try KVError.locating(path.description, of: type(of: root)) { () throws(KVError) in
      try Reader(path).value(of: root)
    }
  }

  /// Returns the value of a path from a root, as a type (KVC.17).
  ///
  /// - Parameters:
  ///   - root: Any value.
  ///   - path: The path, or its text.
  ///   - type: The type wanted; an optional one if the value may be nil.
  /// - Returns: The value, converted by the rules of CO.
  /// - Throws: As the untyped form, and `typeMismatch`, `numberOutOfRange` and `nilValue`.
  public static func value<Value>(
    of root: Any, forKeyPath path: some KVKeyPathConvertible, as type: Value.Type
  ) throws(KVError) -> Value {
    let path = try path.keyPath()
    return try MismatchedRead.value(as: type) { memory throws(KVError) in
      try KVError.locating(path.description, of: Swift.type(of: root)) { () throws(KVError) in
        try Reader(path).value(of: root, as: ObjectIdentifier(type), into: memory)
          .unread(.path(path.storage), of: root)
      }
    }
  }

  /// Sets the value of a path from a root.
  ///
  /// Values on the path are copied, changed and written back; objects are changed in place (KVC.9).
  ///
  /// - Parameters:
  ///   - value: The value; nil removes the entry of a dictionary (KVC.11).
  ///   - path: The path, or its text.
  ///   - root: The root; replaced by a changed copy if it is a value.
  /// - Throws: ``KVError``: as for reading, and `notSettable`, `unresolvedPath`, `nilValue`, `typeMismatch`,
  ///   `numberOutOfRange`, `invalidValue` if a setter throws. Nothing has changed then (KVC.14).
  /// - Complexity: O(*n*) in the components of the path and the size of the collections on it.
  public static func setValue<Root>(
    _ value: Any?, forKeyPath path: some KVKeyPathConvertible, in root: inout Root
  ) throws(KVError) {
    _ = try set(value, path.keyPath(), in: &root, throwsIfUnresolved: true)
  }

  /// Sets the value of a path, and does nothing where a nil stands in the middle of it (as Cocoa does; KVC.12).
  ///
  /// - Parameters:
  ///   - value: The value; nil removes the entry of a dictionary (KVC.11).
  ///   - path: The path, or its text.
  ///   - root: The root; replaced by a changed copy if it is a value.
  /// - Returns: Whether the value was set.
  /// - Throws: As ``setValue(_:forKeyPath:in:)``, but for `unresolvedPath`.
  @discardableResult
  public static func setValueIfResolved<Root>(
    _ value: Any?, forKeyPath path: some KVKeyPathConvertible, in root: inout Root
  ) throws(KVError) -> Bool {
    try set(value, path.keyPath(), in: &root, throwsIfUnresolved: false)
  }

  /// Whether two values are equal for the package (CO.7).
  ///
  /// `Equatable` values compare by `==`, numbers across types, other objects by identity, collections by element;
  /// anything else is different.
  ///
  /// - Parameters:
  ///   - left: A value, or nil.
  ///   - right: Another value, or nil; two nils are equal.
  /// - Returns: Whether they are equal.
  public static func areEqual(_ left: Any?, _ right: Any?) -> Bool { Equality.areEqual(left, right) }

  static func set<Root>(
    _ value: Any?, _ path: KVKeyPath, in root: inout Root, throwsIfUnresolved: Bool
  ) throws(KVError) -> Bool {
    try KVError.locating(path.description, of: type(of: root)) { () throws(KVError) in
      let writer = Writer(path.storage, throwsIfUnresolved: throwsIfUnresolved)
      if let info = TypeInfo.ofStructs(Root.self) {
        return try withAddress(of: &root) { root throws(KVError) in
          try writer.set(value, inStructAt: Address(root), info)
        }
      }
      let (isSet, copy) = try writer.set(value, in: root)
      guard let copy else { return isSet }
      root = try Failure.converting(for: "self", of: Root.self) { () throws(CoercionFailure) in
        try Coercion().convert(copy, to: Root.self)
      }
      return isSet
    }
  }
}
