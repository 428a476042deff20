import KVBinding
import KVCore
import KVTestSupport
import Testing

/// Whatever a handler ends, the delivery that called it goes on safely.
///
/// The matrix: each kind of registration × everything that a handler can end × each phase × the same and another thread.
/// The address sanitizer is the judge (.ci/nightly).
@Suite("KVO.7, LIF.1: ending in a delivery")
struct EndingMatrixTests {
  @Test(
    "KVO.7, LIF.1: a handler ends something, in each phase, on its own and on another thread; no ended handler is called",
    arguments: EndingKind.allCases, EndingWorld.Victim.allCases)
  func matrix(_ kind: EndingKind, _ victim: EndingWorld.Victim) throws {
    for phase in kind.phases {
      for onOtherThread in [false, true] {
        for inScopes in [false, true] {
          let world = EndingWorld(kind, victim, phase, onOtherThread: onOtherThread)
          try world.register()
          inScopes ? world.changeInScopes() : world.change()
          let cell = "\(kind), \(victim), \(phase), other thread: \(onOtherThread), scopes: \(inScopes)"
          #expect(world.hasStruck, "\(cell): the handler was never called in this phase")
          if world.mustBeSilent.first { #expect(world.first.calls == 0, "\(cell): the ended handler was called") }
          if world.mustBeSilent.second { #expect(world.second.calls == 0, "\(cell): the other handler was called") }
          world.release()
          #expect(world.witness == nil, "\(cell): the root is still alive")
          #expect(world.first.witness == nil && world.second.witness == nil, "\(cell): an owner is still alive")
        }
      }
    }
  }

  @Test("KVO.9, THR.1: registrations end on one thread while another delivers to them", arguments: EndingKind.allCases)
  func race(_ kind: EndingKind) throws {
    // The rows of a section belong to the thread of its source.
    guard kind != .section else { return }
    let world = KVUncheckedSendable(EndingWorld(kind, .itself, .initial, onOtherThread: false))
    let root = try #require(world.value.root)
    let entries = KVUncheckedSendable((0..<40).map { _ in EndingWorld.Entry() })
    for entry in entries.value {
      let registration = try kind.register(at: root, owner: try #require(entry.owner)) { _ in }
      (entry.kept, entry.cancel) = registration
    }
    WorkerThread.run([
      { for _ in 0..<20 { world.value.change() } },
      {
        for (index, entry) in entries.value.enumerated() {
          if index % 2 == 0 { entry.cancel() }
          entry.drop()
          entry.owner = nil
        }
      },
    ])
    #expect(isUnobserved(root))
    world.value.change()
  }
}
