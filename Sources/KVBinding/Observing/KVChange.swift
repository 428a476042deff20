import KVCore

/// What an observer is told: a record of one change (KVO.2).
///
/// It is a value and may be kept; it keeps the object alive then. Objects in ``old`` and ``new`` are the objects
/// themselves, which may change later.
public struct KVChange {
  /// What kind of change it is.
  public typealias Kind = KVChangeNotice.Kind

  /// The object that was observed: the root of the path, wherever on the path the change happened.
  public let object: AnyObject
  /// The path, as it was registered.
  public let keyPath: KVKeyPath
  /// What kind of change it is.
  public let kind: Kind
  /// The value before the change, if it was asked for; for removals and replacements the elements that went.
  public let old: Any?
  /// The value after the change, if it was asked for; for insertions and replacements the elements that came.
  public let new: Any?
  /// The indexes of the elements concerned, ascending; nil for settings and for sets.
  public let indexes: [Int]?
  /// Whether the change is still to come (KVO.4).
  public let isPrior: Bool
  /// Whether nothing changes: this is the record that was asked for at registration (KVO.3).
  public let isInitial: Bool

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - object: The object that is observed.
  ///   - keyPath: The path from it.
  ///   - kind: What kind of change it is.
  ///   - old: The value before the change, or the elements that went.
  ///   - new: The value after it, or the elements that came.
  ///   - indexes: The indexes of the elements concerned, ascending.
  ///   - isPrior: Whether the change is still to come.
  ///   - isInitial: Whether nothing changes.
  public init(
    object: AnyObject, keyPath: KVKeyPath, kind: Kind = .setting, old: Any? = nil, new: Any? = nil,
    indexes: [Int]? = nil, isPrior: Bool = false, isInitial: Bool = false
  ) {
    self.object = object
    self.keyPath = keyPath
    self.kind = kind
    self.old = old
    self.new = new
    self.indexes = indexes
    self.isPrior = isPrior
    self.isInitial = isInitial
  }
}

extension KVChange: CustomStringConvertible {
  /// The path, the kind and the values on one line: `name: setting "Ada" → "Grace"`.
  public var description: String {
    let moment = isPrior ? " (prior)" : isInitial ? " (initial)" : ""
    let place = indexes.map { " at \($0.map(String.init).joined(separator: ", "))" } ?? ""
    return "\(keyPath): \(kind)\(moment)\(place) \(Self.text(old)) → \(Self.text(new))"
  }

  static func text(_ value: Any?) -> String {
    guard let value else { return "nil" }
    return value is String ? "\"\(value)\"" : "\(value)"
  }
}
