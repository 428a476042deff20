import KVCore
import Synchronization

/// Suspends bindings while a transaction is rolled back: an old value at one endpoint must not change the other, which
/// is restored itself.
enum BindingSuspension {
  private final class SuspendedBindings {
    var cores: [BindingCore] = []
  }

  private static let perThread = ThreadLocal<SuspendedBindings>()
  private static let count = Atomic<Int>(0)

  /// Whether bindings are suspended on some thread.
  @inline(__always)
  static var isAnywhere: Bool { count.load(ordering: .relaxed) != 0 }

  /// Calls a function while the bindings of this thread are suspended, and then synchronizes those that were notified.
  static func during(_ body: () -> Void) {
    guard perThread.object == nil else { return body() }
    let suspended = SuspendedBindings()
    perThread.object = suspended
    count.add(1, ordering: .relaxed)
    body()
    count.subtract(1, ordering: .relaxed)
    perThread.object = nil
    var met: Set<ObjectIdentifier> = []
    for core in suspended.cores where met.insert(ObjectIdentifier(core)).inserted { core.synchronize() }
  }

  /// Records a binding that was notified; false if bindings of this thread are not suspended.
  static func note(_ core: BindingCore) -> Bool {
    guard let suspended = perThread.object else { return false }
    suspended.cores.append(core)
    return true
  }
}
