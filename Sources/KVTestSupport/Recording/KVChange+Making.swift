import KVCore

/// Records made by hand, in the order in which they are read: `.setting(order, "number", 1, 2)`.
extension KVChange {
  /// Makes the record of a setting.
  ///
  /// - Parameters:
  ///   - object: The object that is observed.
  ///   - keyPath: The path from it.
  ///   - old: The value before the change.
  ///   - new: The value after it.
  public static func setting(_ object: AnyObject, _ keyPath: KVKeyPath, _ old: Any?, _ new: Any?) -> KVChange {
    KVChange(object: object, keyPath: keyPath, old: old, new: new)
  }

  /// Makes the record of an insertion.
  ///
  /// - Parameters:
  ///   - object: The object that is observed.
  ///   - keyPath: The path from it.
  ///   - new: The elements that came.
  ///   - indexes: Their indexes, ascending; nil for a set.
  public static func insertion(
    _ object: AnyObject, _ keyPath: KVKeyPath, of new: [Any], at indexes: [Int]? = nil
  ) -> KVChange {
    KVChange(object: object, keyPath: keyPath, kind: .insertion, new: new, indexes: indexes)
  }

  /// Makes the record of a removal.
  ///
  /// - Parameters:
  ///   - object: The object that is observed.
  ///   - keyPath: The path from it.
  ///   - old: The elements that went.
  ///   - indexes: Their indexes, ascending; nil for a set.
  public static func removal(
    _ object: AnyObject, _ keyPath: KVKeyPath, of old: [Any], at indexes: [Int]? = nil
  ) -> KVChange {
    KVChange(object: object, keyPath: keyPath, kind: .removal, old: old, indexes: indexes)
  }

  /// Makes the record of a replacement.
  ///
  /// - Parameters:
  ///   - object: The object that is observed.
  ///   - keyPath: The path from it.
  ///   - old: The elements that went.
  ///   - new: The elements that came.
  ///   - indexes: Their indexes, ascending; nil for a set.
  public static func replacement(
    _ object: AnyObject, _ keyPath: KVKeyPath, of old: [Any], by new: [Any], at indexes: [Int]? = nil
  ) -> KVChange {
    KVChange(object: object, keyPath: keyPath, kind: .replacement, old: old, new: new, indexes: indexes)
  }
}
