import Dispatch
import KVTestSupport

/// Expectations that do not hold, one for each form of each helper; those lines are marked.
struct Failing {
  private let till = Till()
  private let other = Till()
  private let limit = Duration.milliseconds(1)

  func synchronous() throws {
    expectChanges(of: till, [.set("number", to: 3)]) { till.number = 2 }  // fails
    expectNoChange(of: till, "number") { till.number = 3 }  // fails
    let recorder = try KVChangeRecorder(of: till, "number")
    recorder.expect([.changed("number")])  // fails
    expectCoalesced(of: till, .changed("number")) {}  // fails
    expectCoalesced(of: till, .set("number", from: 1, to: 2)) {}  // fails
    let binding = try KVPathBinding(from: till, "label", to: other, "number", options: .init(initialSync: .none))
    expectNoBindingErrors { till.label = "many" }  // fails
    expectNoBindingErrors(of: till) { till.label = "more" }  // fails
    expectConsistent(binding)  // fails
    expectConsistent(bindingsOf: till)  // fails
  }

  func lifetimes() async throws {
    let kept = Till()
    expectReleased { kept }  // fails
    await expectReleased {  // fails
      await Task.yield()
      return kept
    }
    var variable: Till? = kept
    expectReleased(&variable)  // fails
    let token = try kept.observe("number") { _ in }
    expectNoObserversLeft(on: kept)  // fails
    let tracker = KVLifetimeTracker()
    tracker.track(kept)
    tracker.expectAllReleased()  // fails
    withExtendedLifetime(token) {}
  }

  func compliance() {
    expectCompliant { Mute() }  // fails
    expectCompliant { try till.value(forKey: "number", as: KVRecord.self) }  // fails
  }

  func execution() {
    let executor = KVManualExecutor()
    Self.enqueueAgain(executor)
    executor.runAll(limit: 10)  // fails
    executor.discardAll()
    race(
      rounds: 1, { KVUncheckedSendable(Till()) },
      { till in expectNoChange(of: till.value, "number") { till.value.number = 2 } },  // fails
      { _ in expectNoObserversLeft(on: Till()) })
    race(
      { expectNoChange(of: Till(), "numbr") {} },  // fails
      {})
    race(
      rounds: 1, { Till() }, { _ in }, { _ in },
      afterEach: { till in expectNoChange(of: till, "number") { till.number = 2 } })  // fails
    try? race(
      { Till() }, { _ in try Task.checkCancellation() },
      { till in expectNoChange(of: till, "number") { till.number = 2 } })  // fails
    try? race(
      { try Task.checkCancellation() },
      { expectNoChange(of: Till(), "numbr") {} })  // fails
  }

  func unobservable() async {
    expectChanges(of: till, [.set("numbr")]) {}  // fails
    expectNoChange(of: till, "numbr") {}  // fails
    expectCoalesced(of: till, .changed("numbr")) {}  // fails
    await expectChange(of: till, "numbr")  // fails
    await expectChanges(of: till, [.set("numbr")], within: limit) {}  // fails
  }

  private static func enqueueAgain(_ executor: KVManualExecutor) { executor.enqueue { Self.enqueueAgain(executor) } }

  func asynchronous() async throws {
    await expectChanges(of: till, [.set("number", to: 3)]) {  // fails
      await Task.yield()
      till.number = 2
    }
    await expectChanges(of: till, [.set("number", to: 3)], within: limit) {}  // fails
    await expectNoChange(of: till, "number") {  // fails
      await Task.yield()
      till.number = 3
    }
    await expectChange(of: till, "number", to: 0, within: limit) { till.number = 4 }  // fails
    await expectChange(of: till, "number", to: 0, within: limit)  // fails
    await expectChange(of: till, "number", where: { _ in false }, within: limit) { till.number = 4 }  // fails
    await expectChange(of: till, "number", where: { _ in false }, within: limit)  // fails
    await expectChange(of: till, "number", within: limit) {}  // fails
    await expectChange(of: till, "number", within: limit)  // fails
    await expectCoalesced(of: till, .changed("number")) { await Task.yield() }  // fails
    await expectCoalesced(of: till, .set("number", from: 1, to: 2)) { await Task.yield() }  // fails
    let recorder = try KVChangeRecorder(of: till, "number")
    await recorder.expect([.changed("number")], within: limit)  // fails
    let binding = try KVPathBinding(from: till, "label", to: other, "number", options: .init(initialSync: .none))
    await expectNoBindingErrors {  // fails
      await Task.yield()
      till.label = "many"
    }
    withExtendedLifetime(binding) {}
  }

  /// Changes come from detached tasks and queues, and so do expectations.
  func elsewhere() async throws {
    let (till, other, limit) = (KVUncheckedSendable(till), KVUncheckedSendable(other), limit)
    await expectChanges(of: till.value, [.set("number", to: 3)]) {  // fails
      await Task.detached { till.value.number = 2 }.value
    }
    expectNoChange(of: till.value, "number") {  // fails
      DispatchQueue.global().sync { till.value.number = 4 }
      // The model itself is not safe on several threads at once.
      let queue = DispatchQueue(label: "till")
      DispatchQueue.concurrentPerform(iterations: 4) { _ in queue.sync { till.value.number = 5 } }
    }
    let binding = try KVPathBinding(
      from: till.value, "label", to: other.value, "number", options: .init(initialSync: .none))
    await expectNoBindingErrors(of: other.value) {  // fails
      await Task.detached { till.value.label = "many" }.value
    }
    await Task.detached {
      expectNoChange(of: till.value, "number") { till.value.number = 6 }  // fails
      await expectChange(of: till.value, "number", to: 0, within: limit)  // fails
    }.value
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        expectNoChange(of: till.value, "number") { till.value.number = 7 }  // fails
        continuation.resume()
      }
    }
    withExtendedLifetime(binding) {}
  }
}
