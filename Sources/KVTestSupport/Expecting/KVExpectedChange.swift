import KVCore

/// A change that a test expects; unspecified properties match any value (TST.2).
///
/// ```swift
/// .set("total", from: 22.5, to: 25)        .inserted([spoon], into: "items", at: [2])
/// .set("total", to: 25)                    .removed(from: "items")
/// .set("total")                            .changed("items")
/// ```
///
/// Values are compared by the rule CO.7: numbers across types, objects by identity unless they are `Equatable`. In
/// addition, NaN matches NaN.
public struct KVExpectedChange: CustomStringConvertible {
  /// The key path as it was registered.
  let keyPath: KVKeyPath
  private let kind: KVChange.Kind?
  private(set) var old = Value.anything
  private(set) var new = Value.anything
  private var indexes: [Int]?
  private var isPrior = false
  private var isInitial = false

  /// The expectation of a value.
  enum Value {
    case anything
    case equal(Any?)
    case test(String, (Any?) -> Bool)
  }

  private init(_ keyPath: KVKeyPath, _ kind: KVChange.Kind?) {
    self.keyPath = keyPath
    self.kind = kind
  }

  // MARK: Creating

  /// Creates the expectation of a setting with any values.
  ///
  /// - Parameter path: The key path.
  /// - Returns: The expectation.
  public static func set(_ path: KVKeyPath) -> Self { Self(path, .setting) }

  /// Creates the expectation of a setting to a value.
  ///
  /// - Parameters:
  ///   - path: The key path.
  ///   - new: The value after the change.
  /// - Returns: The expectation.
  public static func set(_ path: KVKeyPath, to new: Any?) -> Self {
    var change = Self(path, .setting)
    change.new = .equal(new)
    return change
  }

  /// Creates the expectation of a setting from a value.
  ///
  /// - Parameters:
  ///   - path: The key path.
  ///   - old: The value before the change.
  /// - Returns: The expectation.
  public static func set(_ path: KVKeyPath, from old: Any?) -> Self {
    var change = Self(path, .setting)
    change.old = .equal(old)
    return change
  }

  /// Creates the expectation of a setting from one value to another one.
  ///
  /// - Parameters:
  ///   - path: The key path.
  ///   - old: The value before the change.
  ///   - new: The value after the change.
  /// - Returns: The expectation.
  public static func set(_ path: KVKeyPath, from old: Any?, to new: Any?) -> Self {
    var change = set(path, to: new)
    change.old = .equal(old)
    return change
  }

  /// Creates the expectation of a setting to a value that satisfies a predicate.
  ///
  /// - Parameters:
  ///   - path: The key path.
  ///   - description: The description of the predicate, for the report.
  ///   - test: The predicate. It is called with the value after the change, where the expectation is checked.
  /// - Returns: The expectation.
  public static func set(_ path: KVKeyPath, where description: String, _ test: @escaping (Any?) -> Bool) -> Self {
    var change = Self(path, .setting)
    change.new = .test(description, test)
    return change
  }

  /// Creates the expectation of an insertion into a collection.
  ///
  /// - Parameters:
  ///   - elements: The inserted elements; nil for any elements.
  ///   - path: The key path of the collection.
  ///   - indexes: The indexes of the elements after the insertion; nil for any indexes.
  /// - Returns: The expectation.
  public static func inserted(_ elements: [Any]? = nil, into path: KVKeyPath, at indexes: [Int]? = nil) -> Self {
    Self(path, .insertion, nil, elements, indexes)
  }

  /// Creates the expectation of a removal from a collection.
  ///
  /// - Parameters:
  ///   - elements: The removed elements; nil for any elements.
  ///   - path: The key path of the collection.
  ///   - indexes: The indexes of the elements before the removal; nil for any indexes.
  /// - Returns: The expectation.
  public static func removed(_ elements: [Any]? = nil, from path: KVKeyPath, at indexes: [Int]? = nil) -> Self {
    Self(path, .removal, elements, nil, indexes)
  }

  /// Creates the expectation of a replacement in a collection.
  ///
  /// - Parameters:
  ///   - old: The replaced elements; nil for any elements.
  ///   - new: The replacing elements; nil for any elements.
  ///   - path: The key path of the collection.
  ///   - indexes: The indexes of the elements; nil for any indexes.
  /// - Returns: The expectation.
  public static func replaced(
    _ old: [Any]? = nil, with new: [Any]? = nil, in path: KVKeyPath, at indexes: [Int]? = nil
  ) -> Self {
    Self(path, .replacement, old, new, indexes)
  }

  /// Creates the expectation of a change of any kind.
  ///
  /// - Parameter path: The key path.
  /// - Returns: The expectation.
  public static func changed(_ path: KVKeyPath) -> Self { Self(path, nil) }

  /// Creates the expectation of a record with exactly the given contents, of any object.
  ///
  /// - Parameter change: The record, which the test may have created.
  package init(_ change: KVChange) {
    keyPath = change.keyPath
    kind = change.kind
    old = .equal(change.old)
    new = .equal(change.new)
    indexes = change.indexes
    isPrior = change.isPrior
    isInitial = change.isInitial
  }

  private init(_ path: KVKeyPath, _ kind: KVChange.Kind, _ old: [Any]?, _ new: [Any]?, _ indexes: [Int]?) {
    self.init(path, kind)
    if let old { self.old = .equal(old) }
    if let new { self.new = .equal(new) }
    self.indexes = indexes
  }

  /// The same change, delivered before it is made (KVO.4), when it has no new value.
  public var prior: Self {
    var change = self
    change.isPrior = true
    change.new = .anything
    return change
  }

  /// The same change, delivered at registration (KVO.3), without an old value.
  public var initial: Self {
    var change = self
    change.isInitial = true
    change.old = .anything
    return change
  }

  // MARK: Comparing

  /// Returns whether a record matches the expectation.
  ///
  /// - Parameter change: The record.
  /// - Returns: Whether it matches.
  package func matches(_ change: KVChange) -> Bool {
    guard change.keyPath == keyPath, change.isPrior == isPrior, change.isInitial == isInitial else { return false }
    guard kind == nil || change.kind == kind, indexes == nil || change.indexes == indexes else { return false }
    // The inserted and removed members of a set have no order.
    let isUnordered = change.kind != .setting && change.indexes == nil
    return old.matches(change.old, isUnordered) && new.matches(change.new, isUnordered)
  }

  /// Returns the reason why a value of a record does not match although it looks as expected; `nil` if there is none.
  func hint(for change: KVChange) -> String? { old.hint(for: change.old) ?? new.hint(for: change.new) }

  /// The expectation in one line, in the format of records; `…` stands for any value.
  public var description: String {
    let kindText = KVChange.text(
      of: kind.map { "\($0)" } ?? "change", indexes, isPrior: isPrior, isInitial: isInitial)
    let values: String
    switch (kind, old, new) {
    case (_, .anything, .anything): values = ""
    case (.insertion, .anything, _): values = " nil → \(new)"
    case (.removal, _, .anything): values = " \(old) → nil"
    default: values = " \(old) → \(new)"
    }
    return "\(keyPath): \(kindText)\(values)"
  }
}

extension KVExpectedChange.Value: CustomStringConvertible {
  /// The value, if one is expected.
  var value: Any?? { if case .equal(let value) = self { .some(value) } else { nil } }

  func matches(_ value: Any?, _ isUnordered: Bool) -> Bool {
    switch self {
    case .anything: true
    case .test(_, let test): test(value)
    case .equal(let expected):
      if isUnordered, let expected = expected as? [Any], let value = value as? [Any] {
        haveEqualMembers(expected, value)
      } else {
        Equality.areSame(expected, value)
      }
    }
  }

  func hint(for value: Any?) -> String? {
    guard case .equal(let expected) = self, let expected, let value, !Equality.areSame(expected, value) else {
      return nil
    }
    if let left = expected as? [Any?], let right = value as? [Any?], left.count == right.count {
      guard let index = left.indices.first(where: { !Equality.areSame(left[$0], right[$0]) }) else { return nil }
      let hint = KVExpectedChange.Value.equal(left[index]).hint(for: right[index])
      if let hint { return "[\(index)] is not: \(hint)" }
      return shown(expected) == shown(value) ? "[\(index)] is \(shown(right[index])), not \(shown(left[index]))" : nil
    }
    guard shown(expected) == shown(value) else { return nil }
    if type(of: value) is AnyClass { return "it is another object: objects are compared by identity" }
    if value is any Equatable { return "\(type(of: value)) says that they are not equal" }
    return "\(type(of: value)) has no ==, so that no two are equal: use .set(_:where:_:)"
  }

  var description: String {
    switch self {
    case .anything: "…"
    case .equal(let value): shown(value)
    case .test(let description, _): "(\(description))"
    }
  }

  private func haveEqualMembers(_ left: [Any], _ right: [Any]) -> Bool {
    var remaining = right
    for member in left {
      guard let index = remaining.firstIndex(where: { Equality.areSame(member, $0) }) else { return false }
      remaining.remove(at: index)
    }
    return remaining.isEmpty
  }
}
