import KVBinding
import KVCore
import KVTestSupport

/// A model that its author made thread-safe, which all threads change.
final class InterleavingSharedNode: KVObject {
  private let storedName = Mutexed(0)
  private let storedCopy = Mutexed(0)
  private let storedNext = Mutexed<KVUncheckedSendable<InterleavingSharedNode>?>(nil)

  var name: Int {
    get { storedName.withLock { $0 } }
    set { storedName.withLock { $0 = newValue } }
  }

  /// What is bound to the name of another node.
  var copy: Int {
    get { storedCopy.withLock { $0 } }
    set { storedCopy.withLock { $0 = newValue } }
  }

  var next: InterleavingSharedNode? {
    get { storedNext.withLock { $0 }?.value }
    set {
      // The former value is released outside of the lock: its end runs code.
      let former = storedNext.withLock { stored in
        defer { stored = newValue.map { KVUncheckedSendable($0) } }
        return stored
      }
      withExtendedLifetime(former) {}
    }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: InterleavingSharedNode.self) { key in
      key("name", \.name)
      key("copy", \.copy)
      key("next", \.next)
      key("label") { InterleavingModel.label($0.name, $0.next?.name) }.affected(by: "name", "next.name")
    }
  }
}
