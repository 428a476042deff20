import KVBinding
import KVCore
import KVDocuments

/// Bindings that are made from definitions together, and end together (DEF.3, DEF.4).
///
/// ```swift
/// let set = try KVBindingSet(contentsOf: url, owner: controller)
/// set.binding(forKey: "volume")?.lastError
/// set.cancel()
/// ```
///
/// The paths to the objects are resolved once, when the set is made, and are not observed: the bindings stay with the
/// first object. Either all definitions are bound, or none. All definitions are checked first, and all faults are thrown
/// together. A failure to set a value cancels the bindings that were made already, and restores the values that they
/// have set, if the objects allow it.
///
/// The set retains its bindings, which end when it is deallocated. It retains no object, and can be used on any thread.
public final class KVBindingSet: Plumbing, Sendable {
  private let list: Locked<[KVPathBinding]>

  /// Binds the objects to which the paths of definitions lead from an owner, or from two objects.
  ///
  /// - Parameters:
  ///   - definitions: The definitions. Their keys must differ.
  ///   - owner: The root of the paths to sources and to targets.
  ///   - target: The root of the paths to targets; the owner by default.
  ///   - options: The options that definitions do not have: concurrency, tracing, policy and `allowsReflection`. Others
  ///     are a fault.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVBindingFaults``: the faults of all definitions. Nothing is bound then.
  /// - Complexity: O(*n*) in the definitions.
  public init(
    _ definitions: some Sequence<KVBindingDefinition>, owner: AnyObject, target: AnyObject? = nil,
    options: KVBindingOptions = KVBindingOptions(), file: StaticString = #fileID, line: UInt = #line
  ) throws(KVBindingFaults) {
    list = Locked(try BindingPlan(Array(definitions), owner, target ?? owner, options).bind(Site(file, line)))
  }

  init(_ plan: BindingPlan, _ site: Site) throws(KVBindingFaults) { list = Locked(try plan.bind(site)) }

  deinit { cancel() }

  /// The bindings, in the order of their definitions; none after ``cancel()``.
  ///
  /// They include a binding that has ended with one of its objects.
  package var bindings: [KVPathBinding] { list.withLock { $0 } }

  /// Returns the binding whose definition has a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The binding; nil if no definition has the key, and after ``cancel()``.
  /// - Complexity: O(*n*) in the bindings.
  public func binding(forKey key: String) -> KVPathBinding? { bindings.first { $0.key == key } }

  /// Cancels all bindings.
  ///
  /// A second call has no effect.
  ///
  /// Values stay as they are.
  public func cancel() {
    for binding in list.exchange([]) { binding.cancel() }
  }
}

extension KVBindingSet: CustomStringConvertible {
  /// The bindings, one a line.
  public var description: String {
    let bindings = bindings
    return bindings.isEmpty ? "no bindings" : bindings.map(\.description).joined(separator: "\n")
  }
}
