import KVCore
import Synchronization

/// The number of threads whose bindings are suspended, or that notify of a deallocation.
private let suspendingThreads = Atomic<Int>(0)

extension ThreadDeliveries {
  /// Calls a function while the bindings of this thread are suspended, and then synchronizes those that were notified, or
  /// that propagated in the transaction.
  ///
  /// They are suspended while a transaction is rolled back: an old value at one endpoint must not change the other,
  /// which is restored itself.
  static func suspendingBindings(_ body: () -> Void) {
    let deliveries = current.object
    guard deliveries.suspended == nil else { return body() }
    deliveries.suspended = []
    suspendingThreads.add(1, ordering: .relaxed)
    body()
    suspendingThreads.subtract(1, ordering: .relaxed)
    let suspended = (deliveries.suspended ?? []) + (deliveries.state.pointee.transacted?.cores ?? [])
    deliveries.suspended = nil
    var met: Set<ObjectIdentifier> = []
    for core in suspended where met.insert(ObjectIdentifier(core)).inserted { core.synchronize() }
  }

  /// Calls a function that notifies of a deallocation, while bindings wait for changes of their own that are being made.
  static func notifyingOfDeallocation(_ body: () -> Void) {
    let deliveries = current.object
    deliveries.deallocations += 1
    suspendingThreads.add(1, ordering: .relaxed)
    body()
    suspendingThreads.subtract(1, ordering: .relaxed)
    deliveries.deallocations -= 1
  }

  /// Begins to remember the bindings that propagate; returns whether the transaction is the outermost of this thread.
  func beginTransaction() -> Bool {
    if state.pointee.transacted != nil { return false }
    state.pointee.transacted = TransactedBindings()
    return true
  }

  /// Returns whether a binding that was notified is synchronized later: at the end of the suspension of this thread's
  /// bindings, or by the change that it waits for.
  @inline(__always)
  static func suspendsBindings(_ core: BindingCore) -> Bool {
    suspendingThreads.load(ordering: .relaxed) != 0 && current.object.records(core)
  }

  @inline(never)
  private func records(_ core: BindingCore) -> Bool {
    if deallocations > 0, core.waitsForChange() { return true }
    suspended?.append(core)
    return suspended != nil
  }
}

/// The bindings that have propagated in a transaction, whose failure undoes what they wrote.
final class TransactedBindings {
  private(set) var cores: [BindingCore] = []
  private var ids: Set<ObjectIdentifier> = []

  @inline(never)
  func add(_ core: BindingCore) {
    if ids.insert(ObjectIdentifier(core)).inserted { cores.append(core) }
  }
}
