import KVCore
import Synchronization

/// Lets bindings rest while a transaction is undone: what it puts back at one end is not to change the other, which is put
/// back by itself.
enum BindingSuspension {
  private final class SuspendedBindings {
    var cores: [BindingCore] = []
  }

  private static let perThread = ThreadLocal<SuspendedBindings>()
  private static let count = Atomic<Int>(0)

  /// Whether some thread lets its bindings rest.
  @inline(__always)
  static var isAnywhere: Bool { count.load(ordering: .relaxed) != 0 }

  /// Calls a function while the bindings of this thread rest; then each that would have worked brings its ends in step.
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

  /// Notes that a binding would have worked; false if those of this thread do not rest.
  static func note(_ core: BindingCore) -> Bool {
    guard let suspended = perThread.object else { return false }
    suspended.cores.append(core)
    return true
  }
}
