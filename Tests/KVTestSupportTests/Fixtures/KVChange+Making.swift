import KVBinding
import KVTestSupport

/// Records that a test creates, with their values in reading order: `.setting(order, "number", 1, 2)`.
extension KVChange {
  /// Creates the record of a setting.
  ///
  /// - Parameters:
  ///   - object: The observed object.
  ///   - keyPath: The key path from the object.
  ///   - old: The value before the change.
  ///   - new: The value after the change.
  /// - Returns: The record.
  static func setting(_ object: AnyObject, _ keyPath: KVKeyPath, _ old: Any?, _ new: Any?) -> KVChange {
    KVChange(object: object, keyPath: keyPath, old: old, new: new)
  }

  /// Creates the record of an insertion.
  ///
  /// - Parameters:
  ///   - object: The observed object.
  ///   - keyPath: The key path from the object.
  ///   - new: The inserted elements.
  ///   - indexes: The indexes of the elements, ascending; nil for a set.
  /// - Returns: The record.
  static func insertion(
    _ object: AnyObject, _ keyPath: KVKeyPath, of new: [Any], at indexes: [Int]? = nil
  ) -> KVChange {
    KVChange(object: object, keyPath: keyPath, kind: .insertion, new: new, indexes: indexes)
  }

  /// Creates the record of a removal.
  ///
  /// - Parameters:
  ///   - object: The observed object.
  ///   - keyPath: The key path from the object.
  ///   - old: The removed elements.
  ///   - indexes: The indexes of the elements, ascending; nil for a set.
  /// - Returns: The record.
  static func removal(
    _ object: AnyObject, _ keyPath: KVKeyPath, of old: [Any], at indexes: [Int]? = nil
  ) -> KVChange {
    KVChange(object: object, keyPath: keyPath, kind: .removal, old: old, indexes: indexes)
  }

  /// Creates the record of a replacement.
  ///
  /// - Parameters:
  ///   - object: The observed object.
  ///   - keyPath: The key path from the object.
  ///   - old: The replaced elements.
  ///   - new: The replacing elements.
  ///   - indexes: The indexes of the elements, ascending; nil for a set.
  /// - Returns: The record.
  static func replacement(
    _ object: AnyObject, _ keyPath: KVKeyPath, of old: [Any], by new: [Any], at indexes: [Int]? = nil
  ) -> KVChange {
    KVChange(object: object, keyPath: keyPath, kind: .replacement, old: old, new: new, indexes: indexes)
  }
}
