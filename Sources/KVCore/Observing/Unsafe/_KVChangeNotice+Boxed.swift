extension _KVChangeNotice {
  /// Calls a function with a notice of values that are boxed.
  ///
  /// - Parameters:
  ///   - object: The object that changes.
  ///   - key: The key that changes.
  ///   - kind: The kind of the change.
  ///   - indexes: The indexes of the elements; nil for settings and for sets.
  ///   - old: The old value.
  ///   - isOldKnown: Whether the notice carries the old value.
  ///   - new: The new value.
  ///   - isNewKnown: Whether the notice carries the new value.
  ///   - phase: When the notification is delivered.
  ///   - body: A function, which must not keep the notice.
  /// - Returns: The result of the function.
  @inlinable @inline(__always)
  package static func withBoxed<Result>(
    _ object: AnyObject, _ key: KVKey, _ kind: KVChangeKind = .setting, at indexes: [Int]? = nil, old: Any?,
    isOldKnown: Bool = true, new: Any?, isNewKnown: Bool = true, _ phase: Phase = .change,
    _ body: (borrowing _KVChangeNotice) -> Result
  ) -> Result {
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in
        body(
          _KVChangeNotice(
            object: object, key: key, kind: kind, indexes: indexes, valueType: Any?.self,
            oldAddress: isOldKnown ? UnsafeRawPointer(old) : nil, newAddress: isNewKnown ? UnsafeRawPointer(new) : nil,
            boxer: BoxedValue.self, phase: phase))
      }
    }
  }
}
