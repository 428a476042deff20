import Foundation
import KVBinding
import KVCore
import KVTestSupport
import Testing

/// Everything that is promised to be safe from any thread, at once; the thread sanitizer is the judge.
@Suite("THR.1: storms")
struct StormTests {
  @Test("THR.1: eight threads register, change, cancel, list, pause and remove, each changing its own objects only")
  func storm() throws {
    let items = (0..<8).map { _ in KVUncheckedSendable(StormItem()) }
    let shared = KVUncheckedSendable(StormOwner())
    let faults = Mutexed(0)
    WorkerThread.run(8) { number in
      var random = ScopeRandom(seed: UInt64(number + 1))
      let own = items[number].value
      let owner = StormOwner()
      var tokens: [KVObservation] = []
      for _ in 0..<400 {
        let other = items[random.below(8)].value
        do {
          switch random.below(10) {
          case 0:
            tokens.append(try other.observe("count") { if ($0.new as? Int) == nil { faults.withLock { $0 += 1 } } })
          case 1: tokens.append(try other.observe("label", as: String.self) { _ in })
          case 2: try other.observe("count", owner: owner) { owner, _ in owner.received.withLock { $0 += 1 } }
          case 3: try other.addTarget(shared.value, StormOwner.note, forKeyPaths: ["count", "label"])
          case 4: try other.removeTarget(shared.value, forKeyPath: "count")
          case 5: if !tokens.isEmpty { tokens.remove(at: random.below(tokens.count)).cancel() }
          case 6: tokens.last.map { $0.isPaused ? $0.resume() : $0.pause() }
          case 7: _ = KVDiagnostics.observations(of: other).map(\.description)
          case 8: shared.value.removeObservations(of: other)
          default: owner.removeObservations()
          }
        } catch { faults.withLock { $0 += 1 } }
        own.count += 1
        try? own.setValue("label \(own.count)", forKey: "label")
      }
    }
    #expect(faults.withLock { $0 } == 0)
    for item in items {
      try item.value.removeTarget(shared.value, forKeyPath: "count")
      try item.value.removeTarget(shared.value, forKeyPath: "label")
      #expect(isUnobserved(item.value))
    }
  }

  @Test("THR.1: registration from many threads on one object: nothing is lost")
  func registrations() throws {
    let item = KVUncheckedSendable(StormItem())
    let tokens = Mutexed<[KVObservation]>([])
    let received = Mutexed(0)
    WorkerThread.run(8) { _ in
      for _ in 0..<200 {
        guard let token = try? item.value.observe("count", handler: { _ in received.withLock { $0 += 1 } }) else {
          continue
        }
        tokens.withLock { $0.append(token) }
      }
    }
    item.value.count = 1
    #expect(received.withLock { $0 } == 1_600)
    WorkerThread.run(8) { number in
      for index in 0..<200 { tokens.withLock { $0[number * 200 + index] }.cancel() }
    }
    item.value.count = 2
    #expect(received.withLock { $0 } == 1_600)
    #expect(isUnobserved(item.value))
  }

  @Test("THR.1, KVO.9: cancelling from other threads while a delivery runs: once it has returned, no delivery begins")
  func cancelWhileDelivering() throws {
    let item = KVUncheckedSendable(StormItem())
    let calls = Mutexed([Int](repeating: 0, count: 200))
    let lateCalls = Mutexed(0)
    let tokens = try (0..<200).map { number in
      try item.value.observe("count") { _ in calls.withLock { $0[number] += 1 } }
    }
    let isDone = Mutexed(false)
    WorkerThread.run([
      {
        while !isDone.withLock({ $0 }) { item.value.count += 1 }
        let before = calls.withLock { $0 }
        item.value.count += 1
        if calls.withLock({ $0 }) != before { lateCalls.withLock { $0 += 1 } }
      },
      {
        for token in tokens { token.cancel() }
        isDone.withLock { $0 = true }
      },
    ])
    #expect(lateCalls.withLock { $0 } == 0)
    #expect(isUnobserved(item.value))
  }

  @Test("THR.1: one owner registers on some threads while others remove what it observes: nothing stays behind")
  func ownerRace() throws {
    let items = (0..<4).map { _ in KVUncheckedSendable(StormItem()) }
    race(StormOwner(), items)
    race(StormItem(), items)
  }

  private func race<Owner: KVObserver & SendableMetatype>(_ owner: Owner, _ items: [KVUncheckedSendable<StormItem>]) {
    let shared = KVUncheckedSendable(owner)
    WorkerThread.run(8) { number in
      for round in 0..<200 {
        if number % 2 == 0 {
          _ = try? shared.value.observe(items[round % 4].value, "count", options: .distinct) { _, _, _ in }
        } else {
          shared.value.removeObservations()
        }
      }
    }
    owner.removeObservations()
    for item in items { #expect(isUnobserved(item.value)) }
  }

  @Test("LIF.1, THR.1: owners and targets are deallocated on other threads while the object changes")
  func deathsElsewhere() throws {
    let item = KVUncheckedSendable(StormItem())
    let isDone = Mutexed(false)
    WorkerThread.run([
      { while !isDone.withLock({ $0 }) { item.value.count += 1 } },
      {
        for round in 0..<500 {
          if round % 2 == 0 {
            let owner = StormOwner()
            _ = try? item.value.observe("count", owner: owner) { owner, _ in owner.received.withLock { $0 += 1 } }
          } else {
            let owner = StormItem()
            _ = try? item.value.observe("count", owner: owner) { _, _ in }
          }
        }
        isDone.withLock { $0 = true }
      },
    ])
    #expect(isUnobserved(item.value))
  }
}

/// What storms change: each by one thread only.
final class StormItem: KVObject {
  @KVProperty var count = 0
  @KVProperty var label = ""

  override class var keyTable: KVTable {
    super.keyTable.extended(for: StormItem.self) { key in
      key("count", \.count)
      key("label", \.label)
    }
  }
}

/// An owner and target that may be called by any thread.
final class StormOwner: KVObserver, Sendable {
  let received = Mutexed(0)

  static var note: KVAction<StormOwner> { KVAction("note", perform: { owner in owner.received.withLock { $0 += 1 } }) }
}
