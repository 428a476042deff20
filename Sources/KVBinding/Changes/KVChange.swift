import Foundation
import KVCore

/// The record of one change, as observers receive it (KVO.2).
///
/// A record is a value. A stored record keeps its object alive. The objects in ``old`` and ``new`` are not copied, so
/// they may change later.
public struct KVChange: LinkedWithBinding {
  /// The kind of a change.
  public typealias Kind = KVChangeKind

  /// The observed object: the root of the key path, whichever component of the path changed.
  public let object: AnyObject
  /// The key path as it was registered.
  public let keyPath: KVKeyPath
  /// The kind of the change.
  public let kind: Kind
  /// The value before the change, or the removed or replaced elements; nil without the option
  /// ``KVObservingOptions/old``.
  public let old: Any?
  /// The value after the change, or the inserted or replacing elements; nil without the option
  /// ``KVObservingOptions/new``.
  public let new: Any?
  /// The ascending indexes of the changed elements; nil for settings and for sets.
  public let indexes: [Int]?
  /// Whether the record precedes the change (KVO.4).
  public let isPrior: Bool
  /// Whether the record was requested at registration and nothing has changed (KVO.3).
  public let isInitial: Bool

  /// Whether ``old`` is known; if it is, nil is a value.
  let hasOld: Bool
  /// Whether ``new`` is known; if it is, nil is a value.
  let hasNew: Bool
  /// The object that changed, if the key path has several components.
  let changed: WeakReference<AnyObject>?

  /// Creates a record, whose values are taken as known.
  ///
  /// - Parameters:
  ///   - object: The observed object.
  ///   - keyPath: The key path from the object.
  ///   - kind: The kind of the change.
  ///   - old: The value before the change, or the removed or replaced elements.
  ///   - new: The value after the change, or the inserted or replacing elements.
  ///   - indexes: The indexes of the changed elements, ascending.
  ///   - isPrior: Whether the record precedes the change.
  ///   - isInitial: Whether the record was requested at registration and nothing has changed.
  public init(
    object: AnyObject, keyPath: KVKeyPath, kind: Kind = .setting, old: Any? = nil, new: Any? = nil,
    indexes: [Int]? = nil, isPrior: Bool = false, isInitial: Bool = false
  ) {
    self.init(
      object: object, keyPath: keyPath, kind: kind, old: old, new: new, hasOld: kind != .insertion,
      hasNew: kind != .removal, indexes: indexes, isPrior: isPrior, isInitial: isInitial)
  }

  package init(
    object: AnyObject, keyPath: KVKeyPath, kind: Kind, old: Any?, new: Any?, hasOld: Bool, hasNew: Bool,
    indexes: [Int]?, isPrior: Bool, isInitial: Bool, changed: WeakReference<AnyObject>? = nil
  ) {
    self.changed = changed
    self.hasOld = hasOld
    self.hasNew = hasNew
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
  /// The key path, the kind and the values in one line: `name: setting "Ada" → "Grace"`.
  public var description: String {
    let kind = Self.text(of: "\(kind)", indexes, isPrior: isPrior, isInitial: isInitial)
    return "\(keyPath): \(kind) \(Self.text(old)) → \(Self.text(new))"
  }

  /// Returns a kind with its phase and its indexes: `insertion (prior) at 1, 2`.
  package static func text(
    of kind: String, _ indexes: [Int]?, isPrior: Bool = false, isInitial: Bool = false
  ) -> String {
    let phase = isPrior ? " (prior)" : isInitial ? " (initial)" : ""
    return kind + phase + (indexes.map { " at \($0.map(String.init).joined(separator: ", "))" } ?? "")
  }

  package static func text(_ value: Any?) -> String {
    guard let value else { return "nil" }
    return value is String ? "\"\(value)\"" : describedSafely(value)
  }
}

/// Returns the description of a value; that of a date that is not a point in time would end the process, also in a
/// collection.
package func describedSafely(_ value: Any) -> String {
  guard let seconds = secondsOfNoPoint(in: value) else { return "\(value)" }
  return "\(type(of: value) == Date.self ? "a" : "a collection with a") date of \(seconds) seconds"
}

/// Returns the seconds of a date that is not a point in time, and is the value or an element of it; nil if there is none.
private func secondsOfNoPoint(in value: Any) -> Double? {
  // A cast of a collection to a date would make objects of Foundation of all that is in it.
  if let elements = try? DynamicCollection.all(of: value) {
    for case let element? in elements { if let seconds = secondsOfNoPoint(in: element) { return seconds } }
    return nil
  }
  guard let seconds = (value as? Date)?.timeIntervalSinceReferenceDate, !seconds.isFinite else { return nil }
  return seconds
}
