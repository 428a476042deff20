import Foundation
import KVBinding
import KVCore
import KVTestSupport
import Testing

@Suite("THR.1, THR.2: two objects and two threads")
struct CrossedObserversTests {
  @Test("THR.1: KVO.K100 two that observe each other are set by two threads in opposite order: no deadlock, it settles")
  func crossed() throws {
    let (first, second) = (KVUncheckedSendable(GuardedItem()), KVUncheckedSendable(GuardedItem()))
    let received = Mutexed(0)
    let tokens = try [(first, second), (second, first)].map { source, target in
      try source.value.observe("value", as: Int.self, options: [.new, .distinct]) { change in
        received.withLock { $0 += 1 }
        // Each thread hands its value on to the other object, while the other one does the same.
        if let new = change.new, new > target.value.value { try? target.value.setValue(new, forKey: "value") }
      }
    }
    WorkerThread.run(2) { number in
      for round in 1...1_000 {
        let item = (round + number) % 2 == 0 ? first.value : second.value
        try? item.setValue(round * 2 + number, forKey: "value")
      }
    }
    #expect(received.withLock { $0 } >= 1_000)
    withExtendedLifetime(tokens) {}
  }

  @Test("THR.2: KVO.K101 a handler runs on the thread that makes the change, at once")
  func thread() throws {
    let item = KVUncheckedSendable(StormItem())
    let threads = Mutexed<[ObjectIdentifier]>([])
    let token = try item.value.observe("count") { _ in
      threads.withLock { $0.append(ObjectIdentifier(Thread.current)) }
    }
    let changing = Mutexed<ObjectIdentifier?>(nil)
    WorkerThread {
      item.value.count = 1
      changing.withLock { $0 = ObjectIdentifier(Thread.current) }
    }.runToEnd()
    #expect(threads.withLock { $0 } == [changing.withLock { $0 }])
    withExtendedLifetime(token) {}
  }
}

/// A model whose value is behind a lock, as thread-safe as its author made it (THR.2).
private final class GuardedItem: KVObject {
  private let storage = Mutexed(0)

  var value: Int {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: GuardedItem.self) { key in key("value", \.value) }
  }
}
