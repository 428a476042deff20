import KVCore

/// Bindings that were made of definitions together, and end together (DEF.3, DEF.4).
///
/// ```swift
/// let set = try KVBindingSet(contentsOf: url, owner: controller)
/// set.binding(forKey: "volume")?.lastError
/// set.cancel()
/// ```
///
/// The paths to the objects are followed once, when the set is made, and not observed: where another object stands
/// later, the bindings stay with the first one. Either everything is bound, or nothing: all definitions are checked
/// first, and all that is wrong with any of them is thrown together. What only shows when values are set undoes the
/// bindings that were made already, and puts back the values that they have set, where the objects allow it.
///
/// The set keeps its bindings: they end when it is dropped. It keeps no object alive, and may be used on any thread.
public final class KVBindingSet: Sendable {
  private let list: Locked<[KVPathBinding]>

  /// Binds the objects that the paths of definitions lead to from an owner, or from two objects.
  ///
  /// - Parameters:
  ///   - definitions: The definitions; their keys have to differ.
  ///   - owner: The object where the paths to sources and to targets begin.
  ///   - target: The object where the paths to targets begin; the owner by default.
  ///   - options: Where the options come from that definitions do not have: the concurrency and the tracing.
  ///   - file: Where the bindings are listed; the caller's file.
  ///   - line: The caller's line.
  /// - Throws: ``KVBindingFaults``: all that is wrong with any definition; nothing is bound then.
  /// - Complexity: O(*n*) in the definitions.
  public init(
    _ definitions: some Sequence<KVBindingDefinition>, owner: AnyObject, target: AnyObject? = nil,
    options: KVBindingOptions = KVBindingOptions(), file: StaticString = #fileID, line: UInt = #line
  ) throws(KVBindingFaults) {
    list = Locked(try BindingPlan(Array(definitions), owner, target ?? owner, options).bind(Site(file, line)))
  }

  init(_ plan: BindingPlan, _ site: Site) throws(KVBindingFaults) { list = Locked(try plan.bind(site)) }

  deinit { cancel() }

  /// The bindings, in the order of their definitions; none once ``cancel()`` was called.
  ///
  /// A binding that ended with one of its objects is still among them.
  package var bindings: [KVPathBinding] { list.withLock { $0 } }

  /// Returns the binding whose definition has a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The binding; nil if no definition has the key, or once ``cancel()`` was called.
  /// - Complexity: O(*n*) in the bindings.
  public func binding(forKey key: String) -> KVPathBinding? { bindings.first { $0.key == key } }

  /// Cancels all bindings; doing so again does nothing.
  ///
  /// Values stay as they are.
  public func cancel() {
    let bindings = list.withLock { list in
      defer { list = [] }
      return list
    }
    for binding in bindings { binding.cancel() }
  }
}

extension KVBindingSet: CustomStringConvertible {
  /// The bindings, one a line.
  public var description: String {
    let bindings = bindings
    return bindings.isEmpty ? "no bindings" : bindings.map(\.description).joined(separator: "\n")
  }
}
