import Foundation
import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("COA.6, COA.7: what is deallocated or cancelled in a scope")
struct CoalescingLifetimeTests {
  private let item = ScopeItem()

  @Test("COA.6: a target that died before the commit is not called, and not kept", arguments: [0, 1])
  func deallocatedTarget(action: Int) throws {
    let log = LifeLog()
    var target: LifeNode? = LifeNode()
    weak let witness = target
    let actions = [
      KVAction<LifeNode>("count", perform: { _ in log.lines.append("called") }),
      KVAction<LifeNode>("note", perform: { _, _ in log.lines.append("called") }),
    ]
    try item.addTarget(#require(target), actions[action], forKeyPaths: ["name"], options: .coalesced)
    KVCoalescing.coalesce {
      item.name = "b"
      target = nil
      #expect(witness == nil)
    }
    #expect(log.lines.isEmpty)
    #expect(isUnobserved(item))
  }

  // In a process of its own: other tests allocate at the same time.
  @Test(
    "COA.7: values that replace deferred ones are freed with the scope",
    .disabled(
      if: ProcessInfo.processInfo.environment.keys.contains { $0.hasSuffix("SAN_OPTIONS") },
      "a sanitizer needs memory of its own"))
  func memory() async {
    await #expect(processExitsWith: .success) {
      let page = LargePage()
      var seen = 0
      let token = try page.observe("block", options: [.new, .coalesced]) { _ in seen += 1 }
      func change() {
        KVCoalescing.coalesce { for _ in 0..<3 { page.block = LargeBlock() } }
      }
      for _ in 0..<100 { change() }
      let before = residentBytes()
      for _ in 0..<10_000 { change() }
      #expect(seen == 10_100)
      if let before, let after = residentBytes() { #expect(after - before < 10_000_000) }
      token.cancel()
    }
  }

  @Test("COA.6: a target at the address of a deallocated one is called for itself")
  func reusedAddress() throws {
    for action in [ScopeTarget.count, ScopeTarget.note] {
      var hasReused = false
      for _ in 0..<50 where !hasReused {
        var target = ScopeTarget()
        let address = ObjectIdentifier(target)
        try item.addTarget(target, action, forKeyPaths: ["name"], options: .coalesced)
        try KVCoalescing.coalesce {
          item.name = "b"
          target = ScopeTarget()
          for _ in 0..<20 where ObjectIdentifier(target) != address { target = ScopeTarget() }
          hasReused = ObjectIdentifier(target) == address
          try item.addTarget(target, action, forKeyPaths: ["name"], options: .coalesced)
          item.name = "c"
        }
        #expect(target.lines == [action.takesChange ? "name setting b → c" : "called"])
      }
    }
  }

  @Test("COA.6: a registration that was cancelled or paused before the commit is not called")
  func cancelled() throws {
    let log = LifeLog()
    let tokens = try (1...3).map { number in
      try item.observe("name", options: [.new, .coalesced]) { _ in log.lines.append("\(number)") }
    }
    KVCoalescing.coalesce {
      item.name = "b"
      tokens[0].cancel()
      tokens[1].pause()
    }
    #expect(log.take() == ["3"])
    tokens[1].resume()
    #expect(log.lines.isEmpty)
    KVCoalescing.coalesce {
      tokens[1].pause()
      item.name = "c"
      tokens[1].resume()
    }
    #expect(log.lines == ["3"])
  }

  @Test("COA.6: a handler of the delivery cancels one that waits")
  func cancelledInDelivery() throws {
    final class Holder { var token: KVObservation? }
    let holder = Holder()
    let log = LifeLog()
    let first = try item.observe("count", options: [.coalesced]) { _ in holder.token = nil }
    holder.token = try item.observe("name", options: [.coalesced]) { _ in log.lines.append("called") }
    KVCoalescing.coalesce {
      item.count = 1
      item.name = "b"
    }
    #expect(log.lines.isEmpty)
    withExtendedLifetime(first) {}
  }

  @Test(
    "COA.7: an object that changed lives until the change is delivered, the root of a path as well",
    arguments: ["name", "other.name"])
  func rootsLive(path: String) throws {
    let log = LifeLog()
    var root: ScopeItem? = ScopeItem()
    weak let witness = root
    let leaf = ScopeItem()
    root?.other = leaf
    let target = ScopeTarget()
    try root?.addTarget(target, ScopeTarget.note, forKeyPaths: [KVKeyPath(path)], options: .coalesced)
    KVCoalescing.coalesce {
      root?.name = "b"
      leaf.name = "b"
      root = nil
      #expect(witness != nil)
      log.lines.append("end")
    }
    #expect(target.lines == ["\(path) setting a → b"])
    #expect(witness == nil)
  }

  @Test("COA.7: an initial record inside of a scope is deferred, and what follows becomes a part of it")
  func initial() throws {
    let target = ScopeTarget()
    let log = LifeLog()
    var tokens: [KVObservation] = []
    try KVCoalescing.coalesce {
      try item.addTarget(
        target, ScopeTarget.note, forKeyPaths: ["name", "count"], options: [.initial, .coalesced])
      try item.addTarget(
        target, ScopeTarget.count, forKeyPaths: ["name", "count"], options: [.initial, .coalesced])
      tokens.append(
        try item.observe("note", options: [.old, .new, .initial, .coalesced]) { change in
          log.lines.append("\(change.isInitial) \(change.old ?? "nil") → \(change.new ?? "nil")")
        })
      item.note = "x"
      item.name = "b"
      #expect(target.lines.isEmpty && log.lines.isEmpty)
    }
    #expect(target.lines == ["name setting nil → b", "count setting nil → 0", "called"])
    #expect(log.lines == ["true nil → x"])
  }

  @Test("COA.1: each thread has its own scope: another thread's changes are delivered at once")
  func threads() throws {
    let log = Mutexed<[String]>([])
    let token = try item.observe("count", as: Int.self, options: [.new, .coalesced]) { change in
      log.withLock { $0.append("\(change.new ?? -1)") }
    }
    KVCoalescing.begin()
    let thread = WorkerThread { [item = KVUncheckedSendable(item)] in
      #expect(!KVCoalescing.isCoalescing)
      item.value.count = 1
      KVCoalescing.coalesce { item.value.count = 2 }
      KVCoalescing.commit()
    }
    thread.runToEnd()
    #expect(log.withLock { $0 } == ["1", "2"])
    #expect(KVCoalescing.isCoalescing)
    item.count = 3
    #expect(log.withLock { $0.count } == 2)
    KVCoalescing.commit()
    #expect(log.withLock { $0 } == ["1", "2", "3"])
    withExtendedLifetime(token) {}
  }
}

/// Four kilobytes.
private struct LargeBlock {
  struct Part<Element> {
    var elements: (Element, Element, Element, Element, Element, Element, Element, Element)
    init(_ element: Element) {
      elements = (element, element, element, element, element, element, element, element)
    }
  }

  var parts = Part(Part(Part(0)))
}

private final class LargePage: KVObject {
  @KVProperty var block = LargeBlock()

  override class var keyTable: KVTable {
    super.keyTable.extended(for: LargePage.self) { key in key("block", \.block) }
  }
}
