import Dispatch
import Foundation
import KVBinding
import KVCore
import KVTestSupport
import Synchronization
import TestModels
import Testing

@Suite("Bindings and threads")
struct BindingThreadTests {
  let song = Song()
  let field = Field()

  @Test("BND.12: dispatched bindings propagate values later, the latest one, and do not play ping-pong")
  func dispatched() throws {
    let executor = KVManualExecutor()
    try field.bind(
      "counted", to: "title", of: song, options: .init(.twoWay, skipsEqual: false, concurrency: .dispatched(executor)))
    #expect(field.counted == "")
    executor.runAll()
    #expect(field.counted == "Blue" && field.sets == 1)
    song.title = "1"
    song.title = "2"
    #expect(field.counted == "Blue" && executor.pendingCount == 1)
    executor.runAll()
    #expect(field.counted == "2" && field.sets == 2 && executor.pendingCount == 0)
    field.counted = "back"
    executor.runAll()
    #expect(song.title == "back" && executor.pendingCount == 0)
    // The end that was changed last counts.
    song.title = "first"
    field.counted = "second"
    executor.runAll()
    #expect(song.title == "second" && field.counted == "second" && executor.pendingCount == 0)
  }

  @Test("BND.12: work that the executor drops does not keep the next change from being propagated")
  func dropped() throws {
    let executor = KVManualExecutor()
    try field.bind("title", to: "title", of: song, options: .init(concurrency: .dispatched(executor)))
    executor.discardAll()
    song.title = "kept"
    #expect(executor.runAll() == 1)
    #expect(field.title == "kept")
  }

  @Test("BND.12, BND.13: an edit that is committed off the executor waits no more, and changes of the source arrive")
  func committedElsewhere() throws {
    let executor = KVManualExecutor()
    let binding = try field.bind(
      "title", to: "title", of: song,
      options: .init(.twoWay, trigger: .onCommit, concurrency: .dispatched(executor)))
    executor.runAll()
    field.title = "B"
    #expect(binding.hasPendingEdit)
    try binding.commit()
    #expect(!binding.hasPendingEdit)
    executor.runAll()
    #expect(song.title == "B")
    song.title = "C"
    executor.runAll()
    #expect(field.title == "C")
    binding.cancel()
  }

  @Test("BND.12: a dispatched binding that ends meanwhile does nothing")
  func endedMeanwhile() throws {
    let executor = KVManualExecutor()
    let binding = try field.bind("title", to: "title", of: song, options: .init(concurrency: .dispatched(executor)))
    binding.cancel()
    executor.runAll()
    #expect(field.title == "")
  }

  @Test("BND.12: a binding for one executor refuses changes elsewhere")
  func confined() throws {
    let executor = KVManualExecutor()
    let binding = try field.bind(
      "title", to: "title", of: song, options: .init(initialSync: .none, concurrency: .only(executor)))
    let events = capturingEvents { song.title = "elsewhere" }
    #expect(field.title == "" && binding.state == .failed && binding.lastError?.code == .wrongThread)
    #expect(events.about(song).count == 1)
    #expect(throws: KVError.self) { try binding.updateTarget() }
    #expect(throws: KVError.self) {
      try field.bind("title", to: "title", of: song, options: .init(concurrency: .only(executor)))
    }
    #expect(field.title == "")
    executor.enqueue { [song] in song.title = "here" }
    executor.runAll()
    #expect(field.title == "here" && binding.state == .active)
  }

  @Test("BND.12: a dispatched value is read where it is changed, and set by the executor")
  func readAtOnce() throws {
    let executor = KVManualExecutor()
    try field.bind("title", to: "title", of: song, options: .init(concurrency: .dispatched(executor))) {
      (title: String) in
      "\(title) \(executor.isCurrent)"
    }
    executor.runAll()
    #expect(field.title == "Blue false")
    song.title = "Green"
    executor.runAll()
    #expect(field.title == "Green false")
  }

  @Test("THR.1: both endpoints of a two-way binding changed by two threads end up equal")
  func bothEndpoints() throws {
    let (left, right) = (SafeBox(), SafeBox())
    try right.bind("value", to: "value", of: left, options: .twoWay)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for step in 0..<2_000 {
        let box = thread == 0 ? left : right
        try? box.setValue(step * 2 + thread, forKey: "value")
      }
    }
    #expect(left.value == right.value)
  }

  @Test("THR.1: two threads set the source at once: in the end the target has what the source has")
  func threads() throws {
    for _ in 0..<30 {
      let (source, target) = (LockedNumber(), LockedNumber())
      let binding = try target.bind("number", to: "number", of: source, options: .init(.twoWay))
      let ends = KVUncheckedSendable(source)
      WorkerThread.run(4) { number in
        for step in 0..<300 { try? ends.value.setValue(number * 1000 + step, forKey: "number") }
      }
      let (left, right) = (source.stored.withLock { $0 }, target.stored.withLock { $0 })
      if left != right || binding.state != .active { return #expect(left == right, "\(binding)") }
    }
  }

  @Test("BND.12: a dispatch queue as executor")
  func queue() throws {
    let queue = DispatchQueue(label: "bindings")
    try field.bind("title", to: "title", of: song, options: .init(concurrency: .dispatched(.queue(queue))))
    queue.sync {}
    #expect(field.title == "Blue")
    song.title = "queued"
    queue.sync {}
    #expect(field.title == "queued")
    #expect(!KVQueueExecutor(queue).isCurrent)
  }

  @Test("THR.1: bindings are made, listed and ended by 8 threads at once, and nothing is left")
  func storm() {
    let sources = (0..<8).map { _ in Song() }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      let source = sources[thread]
      for step in 0..<200 {
        var target: Field? = Field()
        let binding = try? target?.bind("title", to: "title", of: source)
        let other = sources.randomElement(using: &random)!
        _ = other.bindings.count
        source.title = "\(step)"
        if target?.title != "\(step)" { Issue.record("thread \(thread) step \(step)") }
        if Bool.random(using: &random) { binding?.cancel() }
        if Bool.random(using: &random) { _ = KVDiagnostics.bindings.count }
        target = nil
        if binding?.isActive == true { Issue.record("lives on") }
      }
    }
    #expect(sources.allSatisfy { $0.bindings.isEmpty && KVDiagnostics.observations(of: $0).isEmpty })
  }

  @Test("THR.1: targets that are deallocated on one thread while their source changes on another")
  func deaths() {
    let source = Song()
    let isDone = Atomic(false)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      if thread == 0 {
        for step in 0..<3_000 { source.rating = step }
        isDone.store(true, ordering: .releasing)
      } else {
        while !isDone.load(ordering: .acquiring) {
          let target = Field()
          // Only the target is touched here: its first value is not read.
          _ = try? target.bind("number", to: "rating", of: source, options: .init(initialSync: .none))
        }
      }
    }
    #expect(source.bindings.isEmpty)
  }
}

extension Song: @unchecked Sendable {}
extension Field: @unchecked Sendable {}

/// A model whose storage is thread-safe.
final class SafeBox: KVObject, @unchecked Sendable {
  // A lock that the thread sanitizer knows.
  private let stored = Locked(0)
  var value: Int {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: SafeBox.self) { key in key("value", \.value) }
  }
}

final class LockedNumber: KVObject {
  // A lock that the thread sanitizer knows.
  let stored = Locked(0)
  override class var keyTable: KVTable {
    super.keyTable.extended(for: LockedNumber.self) { key in
      key("number", { $0.stored.withLock { $0 } }, set: { owner, value in owner.stored.withLock { $0 = value } })
    }
  }
}
