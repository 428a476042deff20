import KVCore

/// The storage of a node for its data object and its bindings.
///
/// The slot is deallocated with its node, and then ends the bindings that the node declared and those to its data
/// object.
public final class KVTreeSlot: Plumbing {
  private(set) var dataObject: AnyObject?
  private(set) var updating = KVTreeUpdating.live
  private let lists = Locked(Lists())

  private struct Lists: @unchecked Sendable {  // guard: ends and bindings are thread-safe
    /// The endpoints of bindings that found the node, in the order of their declaration.
    var found: [DataObjectEndpoint] = []
    /// The bindings that the node has declared.
    var declared: [BindingCore] = []
  }

  /// Makes the registry find the bindings to the data objects of nodes.
  private static let finder: Void = BindingRegistry.addFinder { ($0 as? any KVTreeNode)?.treeSlot.foundBindings ?? [] }

  /// Creates an empty slot.
  public init() { Self.finder }

  deinit {
    let lists = self.lists.withLock { $0 }
    for endpoint in lists.found { endpoint.core?.cancel() }
    for core in lists.declared { core.cancel() }
  }

  // MARK: The data object

  func set(_ dataObject: AnyObject?) {
    let old = self.dataObject
    self.dataObject = dataObject
    for endpoint in found { endpoint.dataObjectChanged() }
    // Keeps the old data object until no binding uses it.
    withExtendedLifetime(old) {}
  }

  func setUpdating(_ updating: KVTreeUpdating) {
    self.updating = updating
    for endpoint in found { endpoint.dataObjectChanged() }
  }

  func update() throws(KVError) {
    var failure: KVError?
    for endpoint in found {
      guard let core = endpoint.core, core.options.direction != .toSource else { continue }
      do throws(KVError) { try core.update(from: .source) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  // MARK: The bindings

  private var found: [DataObjectEndpoint] { lists.withLock { $0 }.found }

  /// The bindings that found the node.
  private var foundBindings: [BindingCore] { found.compactMap(\.core) }

  func add(_ endpoint: DataObjectEndpoint) { edit { $0.found.append(endpoint) } }
  func addDeclared(_ core: BindingCore) { edit { $0.declared.append(core) } }
  func remove(_ endpoint: DataObjectEndpoint) { edit { $0.found.removeAll { $0 === endpoint } } }
  func removeDeclared(_ endpoint: DataObjectEndpoint) { edit { $0.declared.removeAll { $0.source === endpoint } } }

  /// Changes the lists; removed objects are released outside of the lock.
  private func edit(_ body: (inout Lists) -> Void) {
    let old = lists.withLock { lists in
      let old = lists
      body(&lists)
      return old
    }
    withExtendedLifetime(old) {}
  }
}
