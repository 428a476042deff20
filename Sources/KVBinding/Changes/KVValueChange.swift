import KVCore

/// The record of one change of a value whose type is known (KVO.2).
///
/// The values are not boxed if the property is of that type, or an optional of it.
@frozen public struct KVValueChange<Value> {
  /// The key path as it was registered.
  public let keyPath: KVKeyPath
  /// The kind of the change.
  public let kind: KVChange.Kind
  /// The value before the change, if it is not nil; nil without the option ``KVObservingOptions/old``.
  public let old: Value?
  /// The value after the change, if it is not nil; nil without the option ``KVObservingOptions/new``.
  public let new: Value?
  /// The ascending indexes of the changed elements; nil for settings and for sets.
  public let indexes: [Int]?
  /// Whether the record precedes the change (KVO.4).
  public let isPrior: Bool
  /// Whether the record was requested at registration and nothing has changed (KVO.3).
  public let isInitial: Bool

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - keyPath: The key path.
  ///   - kind: The kind of the change.
  ///   - old: The value before the change, or the removed or replaced elements.
  ///   - new: The value after the change, or the inserted or replacing elements.
  ///   - indexes: The indexes of the changed elements, ascending.
  ///   - isPrior: Whether the record precedes the change.
  ///   - isInitial: Whether the record was requested at registration and nothing has changed.
  @inlinable
  package init(
    keyPath: KVKeyPath, kind: KVChange.Kind = .setting, old: Value? = nil, new: Value? = nil, indexes: [Int]? = nil,
    isPrior: Bool = false, isInitial: Bool = false
  ) {
    self.keyPath = keyPath
    self.kind = kind
    self.old = old
    self.new = new
    self.indexes = indexes
    self.isPrior = isPrior
    self.isInitial = isInitial
  }
}

extension KVValueChange: Sendable where Value: Sendable {}

extension KVValueChange: CustomStringConvertible {
  /// The key path, the kind and the values in one line.
  public var description: String {
    let kind = KVChange.text(of: "\(kind)", indexes, isPrior: isPrior, isInitial: isInitial)
    return "\(keyPath): \(kind) \(KVChange.text(old)) → \(KVChange.text(new))"
  }
}
