import Foundation
import KVCore
import Stencil

/// A value of a model, as a template of Stencil reads it: by key path.
///
/// ```swift
/// let context = ["order": TemplateValue(order, policy: policy)]
/// try Environment().renderTemplate(string: "{{ order.customer.name }}: {{ order.items.@sum.price }}", context: context)
/// ```
///
/// Each step of a variable is a key path: a key, an operator, or several steps in brackets (`order["items.@sum.price"]`). All of
/// them are read through the policy. A key that is denied or does not exist ends the rendering with an error that names the place
/// in the template. nil is no error: it is empty, false, and ends a variable, as everywhere in Stencil.
///
/// Stencil reads values that it does not know by reflection, and is never given one:
///
/// - Texts, numbers, `Bool`s, dates, URLs and UUIDs are handed out as they are, and an enum as its raw value or the name of its case.
/// - An array or a set is an array, in which nil is an empty text.
/// - A dictionary or a record is a dictionary of the entries that may be read, if no further step follows.
/// - Everything else is another `TemplateValue`, of which a template can print nothing but "[object]".
///
/// A value belongs to the isolation domain of its model. Render there.
public struct TemplateValue: DynamicMemberLookup, Resolvable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let base: Any
  private let paths: Paths
  /// An operator and the steps behind it, which are read together: `@sum`, then `@sum.price`.
  private var steps: String?

  /// Creates the value of an object, a struct, a record or a collection.
  ///
  /// - Parameters:
  ///   - value: What the template reads.
  ///   - policy: The keys that the template may read. Without a policy it reads everything that a key path of the program reads,
  ///     private properties too: pass nil for templates that are part of the program, and a policy for all others.
  public init(_ value: Any, policy: KVPolicy?) {
    self.init(value, Paths(policy))
  }

  private init(_ base: Any, _ paths: Paths, steps: String? = nil) {
    self.base = base
    self.paths = paths
    self.steps = steps
  }

  // MARK: Steps

  /// The value of the next step of a variable; an error is thrown by Stencil when it uses the value.
  ///
  /// In a collection `count`, `first`, `last` and an index mean what they mean in Stencil. Another key is that of each element.
  public subscript(dynamicMember member: String) -> Any? {
    do {
      return try value(at: member)
    } catch {
      return LazyValueWrapper { _ in throw error }
    }
  }

  private func value(at member: String) throws -> Any? {
    if let steps { return TemplateValue(base, paths, steps: "\(steps).\(member)") }
    if isCollection {
      switch member {
      case "count", "first", "last":
        return try read(["first": "@firstObject", "last": "@lastObject"][member] ?? "@count")
      case _ where member.allSatisfy(\.isWholeNumber): return try read("[\(member)]")
      default: break
      }
    }
    let isWhole = ["@count", "@firstObject", "@lastObject", "@self"].contains(member)
    if member.first == "@", !isWhole, !member.contains(".") { return TemplateValue(base, paths, steps: member) }
    // A key of a dictionary may be any text; `order.info["a.b"]` is one key, if there is such a key.
    if member.contains(where: ".[@".contains), keys?.contains(member) == true { return handedOut(try entry(member)) }
    return try read(member)
  }

  /// The value itself, behind the last step of a variable.
  public func resolve(_ context: Context) throws -> Any? {
    if let steps {
      let value = try read(steps)
      return try (value as? TemplateValue)?.resolve(context) ?? value
    }
    if let elements { return elements.map { handedOut($0) ?? "" } }
    guard let keys else { return self }
    var entries: [String: Any] = [:]
    for key in keys {
      do throws(KVError) {
        entries[key] = handedOut(try entry(key))
      } catch {
        // What a loop shows of a dictionary are the entries that the policy permits.
        if error.code != .notPermitted { throw error }
      }
    }
    return entries
  }

  private func read(_ path: String) throws(KVError) -> Any? {
    handedOut(try KVC.value(of: base, forKeyPath: paths[path]))
  }

  private func entry(_ key: String) throws(KVError) -> Any? {
    try KVC.value(of: base, forKeyPath: paths[KVKeyPath(components: [.entry(key)])])
  }

  // MARK: Values

  private var isCollection: Bool { base is [Any] || base is Set<AnyHashable> }

  private var elements: [Any]? { base as? [Any] ?? (base as? Set<AnyHashable>).map { $0.map(\.base) } }

  private var keys: [String]? { (base as? KVRecord)?.keys ?? (base as? [String: Any]).map { Array($0.keys) } }

  /// A value in the form in which Stencil cannot look into it; nil for nil.
  private func handedOut(_ value: Any?) -> Any? {
    switch value {
    case nil: nil
    case let value as any OptionalValue: handedOut(value.wrapped)
    case let text as Substring: String(text)
    case is String, is Bool, is any BinaryInteger, is any BinaryFloatingPoint: value
    case is Decimal, is Date, is URL, is UUID: value
    case let value as any RawRepresentable: handedOut(value.rawValue)
    case let value?: caseName(of: value) ?? TemplateValue(value, paths)
    }
  }

  /// The name of the case of an enum, without a payload; nil for other values.
  private func caseName(of value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .enum && mirror.children.isEmpty ? "\(value)" : nil
  }

  /// The same text for every object, so that nothing of it is printed.
  public var description: String { "[object]" }
  /// The same text, which Stencil prints inside of an array or a dictionary.
  public var debugDescription: String { description }
  /// Nothing, so that loops and `dump` find nothing inside.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The key paths of templates, which the policy makes once for each text.
private final class Paths {
  private let policy: KVPolicy?
  private var made: [String: KVKeyPath] = [:]

  init(_ policy: KVPolicy?) { self.policy = policy }

  subscript(text: String) -> KVKeyPath {
    get throws(KVError) {
      if let path = made[text] { return path }
      let path = try self[KVKeyPath(text)]
      made[text] = path
      return path
    }
  }

  subscript(path: KVKeyPath) -> KVKeyPath {
    get throws(KVError) { try policy?.keyPath(path) ?? path }
  }
}

private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { map { $0 } }
}
