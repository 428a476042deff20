import Foundation
import KVBinding
import KVCore
import KVTestSupport
import Testing

/// Random operations on eight threads, and ten million of them under the thread sanitizer in `.ci/nightly`.
@Suite("THR.1: random operations on eight threads")
struct ThreadInterleavingTests {
  /// The number of operations of all threads.
  static let count = ProcessInfo.processInfo.environment["KV_THREAD_OPERATIONS"].flatMap { Int($0) } ?? 4_000

  @Test("THR.1, KVO.11, LIF.1, COA.1: each thread's own objects behave as alone, and nothing stays on the shared ones")
  func operations() throws {
    let nodes = (0..<6).map { _ in KVUncheckedSendable(InterleavingSharedNode()) }
    // A write asks whether its key is observed; so that each of them notifies, all keys are.
    let constant = try nodes.map { try $0.value.observe(["next", "name"], options: []) { _ in } }
    let common = Mutexed<[KVObservation]>([])
    let watches = Mutexed<[InterleavingThread.Watch]>([])
    let faults = Mutexed<[String]>([])
    WorkerThread.run(8) { number in
      var thread = InterleavingThread(nodes, common, seed: UInt64(number + 1))
      var left = Self.count / 8
      while left > 0 {
        if let fault = Self.run(&thread, &left) {
          faults.withLock { $0.append("thread \(number), \(left) left: \(fault)") }
          break
        }
      }
      let own = thread.watches
      watches.withLock { $0 += own }
    }
    #expect(faults.withLock { $0 } == [])
    common.withLock { $0 }.forEach { $0.cancel() }
    checkAfterwards(nodes, watches.withLock { $0 })
    watches.withLock { $0 }.forEach { $0.token.cancel() }
    constant.forEach { $0.cancel() }
    for node in nodes {
      node.value.unbindAll()
      try node.value.setValue(nil, forKey: "next")
    }
    for node in nodes { #expect(isUnobserved(node.value)) }
  }

  /// Runs up to 200 operations on objects of the thread, compared with the model, and as many on shared objects.
  private static func run(_ thread: inout InterleavingThread, _ left: inout Int) -> String? {
    let isOwnerView = thread.random.below(2) == 0
    let world = InterleavingWorld(isOwnerView: isOwnerView)
    var moves: [InterleavingMove] = []
    for position in 0..<100 where left > 0 {
      do { try thread.operate() } catch { return "\(error)" }
      left -= 1
      let move = RandomInterleavingTests.move(&thread.random, world.model.registrations.count, mayEnd: position > 50)
      guard left > 0, world.model.isPossible(move) else { continue }
      left -= 1
      moves.append(move)
      if let fault = world.make(move, isChecked: !isOwnerView || position % 8 == 0) {
        _ = world.faultOfDropping()
        return "\(fault)\n\(InterleavingScript(moves))"
      }
    }
    return world.faultOfDropping()
  }

  /// Paths follow the actual objects, and bindings propagate.
  private func checkAfterwards(
    _ nodes: [KVUncheckedSendable<InterleavingSharedNode>], _ watches: [InterleavingThread.Watch]
  ) {
    for (index, node) in nodes.enumerated() {
      watches.forEach { watch in watch.received.withLock { $0 = 0 } }
      let bindings = KVDiagnostics.bindings(of: node.value).filter { $0.source.object === node.value }
      #expect(throws: Never.self) { try node.value.setValue(-1 - index, forKey: "name") }
      for watch in watches {
        #expect(watch.received.withLock { $0 } == (watch.concerns(node.value) ? 1 : 0), "\(watch.path)")
      }
      for binding in bindings {
        #expect((binding.target.object as? InterleavingSharedNode)?.copy == -1 - index)
      }
    }
  }
}
