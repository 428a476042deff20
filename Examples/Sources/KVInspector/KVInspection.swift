import Foundation
import KVBinding

/// What there is to know about a value: its keys, its observers and its bindings.
public struct KVInspection {
  /// The kind of a value.
  public enum Kind: String, Sendable {
    /// A class or a struct with keys, a record or a dictionary.
    case keyed
    /// A collection, whose elements have indexes.
    case list
    /// Anything else.
    case plain
  }

  /// A key, or an element of a collection.
  public struct Entry: Sendable {
    /// The key; `[0]` for an element.
    public let name: String
    /// The key path from the root.
    public let path: String
    /// The type of the key, or of the element.
    public let type: String
    /// The value as a text of at most 200 characters; nil for nil.
    public let value: String?
    /// Whether the value has keys or elements of its own.
    public let kind: Kind
    /// Whether it can be set.
    public let isReadOnly: Bool
    /// Whether observers are notified of changes.
    public let canNotify: Bool
    /// Why it cannot be read; nil if it can.
    public let fault: String?
  }

  /// A binding from, to or through an object.
  public struct Binding: Sendable {
    /// The binding in one line.
    public let text: String
    /// The state, such as `active`.
    public let state: String
    /// Why it has failed; nil if it has not.
    public let fault: String?
    /// Where it was made, as `Module/File.swift:12`.
    public let location: String
  }

  /// The most elements of a collection that are shown.
  static let elementLimit = 200
  /// The most characters of a text that are shown.
  public static let textLimit = 200

  /// The name of the root.
  public let name: String
  /// The key path from the root; empty for the root.
  public let path: String
  /// The type of the value.
  public let type: String
  /// The kind of the value.
  public let kind: Kind
  /// The value as a text of at most 200 characters; nil for nil.
  public let value: String?
  /// The keys, or the first elements.
  public let entries: [Entry]
  /// How many elements a collection has; nil for other values.
  public let count: Int?
  /// The observations of an object, without those of the bindings.
  public let observations: [KVObservationInfo]
  /// The bindings of an object.
  public let bindings: [Binding]
  /// Whether values may be set.
  public let allowsEditing: Bool

  init(_ value: Any?, name: String, path: String, allowsEditing: Bool) {
    self.name = name
    self.path = path
    self.allowsEditing = allowsEditing
    type = value.map { "\(Swift.type(of: $0))" } ?? "nil"
    self.value = value.map(Self.text)
    kind = Self.kind(of: value)
    let elements = (value as? any Collection).flatMap { $0 is any StringProtocol ? nil : $0 }
    count = elements?.count
    let isDictionary = value is [String: Any]
    if let elements, !isDictionary {
      entries = Self.entries(elements, path, isReadOnly: !allowsEditing)
    } else {
      entries = value.map { Self.entries($0, path, allowsEditing) } ?? []
    }
    let object = value.flatMap { Swift.type(of: $0) is AnyClass ? $0 as AnyObject : nil }
    observations =
      (object as? any KVObservable).map { object in
        KVDiagnostics.observations(of: object).filter { !$0.location.isEmpty && !"\($0)".contains(": binding") }
      } ?? []
    bindings =
      object.map { object in
        KVDiagnostics.bindings(of: object).map { binding in
          Binding(
            text: "\(binding.source) \(binding.options.direction.sign) \(binding.target)", state: "\(binding.state)",
            fault: binding.lastError?.message, location: binding.location)
        }
      } ?? []
  }

  private static func entries(_ value: Any, _ path: String, _ allowsEditing: Bool) -> [Entry] {
    guard let keys = try? KVC.keys(of: value) else { return [] }
    return keys.prefix(elementLimit).map { key in
      let keyPath = keyPath(key.name)
      let whole = path.isEmpty ? keyPath : path + (keyPath.hasPrefix("[") ? keyPath : ".\(keyPath)")
      var (found, fault) = (Any?.none, String?.none)
      do throws(KVError) { found = try KVC.value(of: value, forKeyPath: keyPath) } catch { fault = error.message }
      return Entry(
        name: key.name, path: whole, type: "\(key.valueType)", value: found.map(text), kind: kind(of: found),
        isReadOnly: key.isReadOnly || !allowsEditing, canNotify: key.canNotify, fault: fault)
    }
  }

  /// Returns a key as a path: in brackets and quotes if it is no plain name.
  private static func keyPath(_ key: String) -> String {
    // The path `self` would be the object.
    if key != "self", let path = try? KVKeyPath(key), path.components == [.key(key)] { return key }
    return (try? KVKeyPath(components: [.entry(key)]))?.description ?? key
  }

  private static func entries(_ elements: any Collection, _ path: String, isReadOnly: Bool) -> [Entry] {
    func entries(_ elements: some Collection) -> [Entry] {
      elements.prefix(elementLimit).enumerated().map { index, element in
        let value = unwrapped(element)
        return Entry(
          name: "[\(index)]", path: "\(path)[\(index)]", type: value.map { "\(Swift.type(of: $0))" } ?? "nil",
          value: value.map(text), kind: kind(of: value), isReadOnly: isReadOnly || kind(of: value) != .plain,
          canNotify: false, fault: nil)
      }
    }
    return entries(elements)
  }

  private static func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first.flatMap { unwrapped($0.value) }
  }

  private static func kind(of value: Any?) -> Kind {
    guard let value, !(value is any StringProtocol) else { return .plain }
    if value is [String: Any] { return .keyed }
    if value is any Collection { return .list }
    return (try? KVC.keys(of: value))?.isEmpty == false ? .keyed : .plain
  }

  /// Returns a value as a short text.
  ///
  /// The content of a collection or of an object is not read.
  private static func text(_ value: Any) -> String {
    if let text = value as? any StringProtocol { return String("\(text)".prefix(textLimit)) }
    if let elements = value as? any Collection {
      return elements.count == 1 ? "1 element" : "\(elements.count) elements"
    }
    // Foundation's description of a date that is no point in time ends the process.
    if let date = value as? Date, !date.timeIntervalSinceReferenceDate.isFinite { return "not a date" }
    if Swift.type(of: value) is AnyClass { return "\(Swift.type(of: value))" }
    return String("\(value)".prefix(textLimit))
  }
}

extension KVBindingDirection {
  /// The direction as a sign between the source and the target.
  fileprivate var sign: String {
    switch self {
    case .twoWay: "⇄"
    case .toSource: "←"
    default: "→"
    }
  }
}

extension KVInspection: CustomStringConvertible {
  /// The value, its keys, observers and bindings, one a line.
  public var description: String {
    var lines = ["\(name)\(path.isEmpty ? "" : ".\(path)"): \(type)"]
    lines += entries.map { "  \($0.name): \($0.type) = \($0.value ?? "nil")" }
    lines += observations.map { "  observed: \($0)" }
    lines += bindings.map { "  bound: \($0.text) [\($0.state)] (\($0.location))" }
    return lines.joined(separator: "\n")
  }
}
