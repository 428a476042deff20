import Synchronization

extension KVKeyPath {
  /// The shared, immutable components of a path, with one inline cache per component.
  @usableFromInline
  final class Storage: @unchecked Sendable {  // guard: immutable except for the atomic cache of each hop
    let components: [Component]
    @usableFromInline let count: Int
    @usableFromInline let hops: AddressOf<Hop>

    init(_ components: [Component], policy: PathPolicy? = nil) {
      self.components = components
      count = components.count
      hops = .allocate(capacity: components.count)
      for (index, component) in components.enumerated() {
        (hops + index).initialize(to: Hop(component, policy: policy))
      }
    }

    deinit {
      hops.deinitialize(count: count)
      hops.deallocate()
    }
  }

  /// A component that is prepared for access: its key, and the accessor that it resolved to last.
  @usableFromInline
  struct Hop: ~Copyable {
    let component: Component
    /// The key, or the empty string if the component is not a key.
    @usableFromInline let key: String
    @usableFromInline let isKey: Bool
    let isOperator: Bool
    /// The built-in operator, if the component is one; a registered one may replace it.
    let builtIn: BuiltInOperator?
    /// Whether the component is `@count`.
    let isCount: Bool
    /// Whether the component is `@self`.
    let isSelf: Bool
    /// The index, if the component is one.
    let element: Int?
    /// The policy that limits the path; nil if the path may reach everything.
    let policy: PathPolicy?
    /// Whether the component is a key that no rules of a policy limit.
    let isUnlimitedKey: Bool
    /// The immortal `Accessor` that this hop resolved to last; the accessor names its type.
    @usableFromInline let cache = Atomic<_KVReference<Accessor>?>(nil)

    /// Whether the component is an index or an entry, which belongs to the key before it.
    var isSubscript: Bool { !isKey && !isOperator }

    init(_ component: Component, policy: PathPolicy?) {
      self.component = component
      self.policy = policy
      isOperator = component.isOperator
      if case .operator(let name, let argument) = component {
        builtIn = BuiltInOperator(rawValue: name)
        isCount = builtIn == .count && argument == nil
        isSelf = builtIn == .self && argument == nil
      } else {
        (builtIn, isCount, isSelf) = (nil, false, false)
      }
      if case .index(let index) = component { element = index } else { element = nil }
      if case .key(let key) = component {
        self.key = key
        isKey = true
      } else {
        key = ""
        isKey = false
      }
      isUnlimitedKey = isKey && policy?.rules == nil
    }
  }
}
