import KVCore

/// What an observer is told where the type of the value is known.
///
/// Nothing is boxed on the way if the property is of that type, or an optional of it.
public struct KVValueChange<Value> {
  /// The path, as it was registered.
  public let keyPath: KVKeyPath
  /// What kind of change it is.
  public let kind: KVChange.Kind
  /// The value before the change, if it was asked for and is not nil.
  public let old: Value?
  /// The value after the change, if it was asked for and is not nil.
  public let new: Value?
  /// The indexes of the elements concerned, ascending; nil for settings and for sets.
  public let indexes: [Int]?
  /// Whether the change is still to come (KVO.4).
  public let isPrior: Bool
  /// Whether nothing changes: this is the record that was asked for at registration (KVO.3).
  public let isInitial: Bool

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - keyPath: The path.
  ///   - kind: What kind of change it is.
  ///   - old: The value before the change, or the elements that went.
  ///   - new: The value after it, or the elements that came.
  ///   - indexes: The indexes of the elements concerned, ascending.
  ///   - isPrior: Whether the change is still to come.
  ///   - isInitial: Whether nothing changes.
  @inlinable
  public init(
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
  /// The path, the kind and the values on one line.
  public var description: String {
    let moment = isPrior ? " (prior)" : isInitial ? " (initial)" : ""
    let place = indexes.map { " at \($0.map(String.init).joined(separator: ", "))" } ?? ""
    return "\(keyPath): \(kind)\(moment)\(place) \(KVChange.text(old)) → \(KVChange.text(new))"
  }
}
