extension KVChangeNotice {
  /// Calls a function with a notice of values that are boxed.
  ///
  /// - Parameters:
  ///   - object: The object that changes.
  ///   - key: The key that changes.
  ///   - kind: The kind of the change.
  ///   - indexes: The indexes of the elements; nil for settings and for sets.
  ///   - old: The old value, which can be nil; `.none` if it is not known.
  ///   - new: The new value, which can be nil; `.none` if it is not known.
  ///   - phase: When the notification is delivered.
  ///   - body: A function, which must not keep the notice.
  /// - Returns: The result of the function.
  package static func withBoxed<Result>(
    _ object: AnyObject, _ key: KVKey, _ kind: Kind = .setting, at indexes: [Int]? = nil, old: Any??, new: Any??,
    _ phase: Phase = .change, _ body: (borrowing KVChangeNotice) -> Result
  ) -> Result {
    withUnsafePointer(to: old ?? nil) { oldAddress in
      withUnsafePointer(to: new ?? nil) { newAddress in
        body(
          KVChangeNotice(
            object: object, key: key, kind: kind, indexes: indexes, valueType: Any?.self,
            oldAddress: old == nil ? nil : UnsafeRawPointer(oldAddress),
            newAddress: new == nil ? nil : UnsafeRawPointer(newAddress), boxer: BoxedValue.self, phase: phase))
      }
    }
  }
}
