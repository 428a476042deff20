import Foundation
import KVBinding
import KVCore
import KVTestSupport
import Testing

@Suite("LIF.1: deallocation")
struct DeallocationTests {
  @Test("LIF.1: observing retains neither the object nor the owner nor the target")
  func nothingIsRetained() throws {
    var node: LifeNode? = LifeNode("a", next: LifeNode("b"))
    var owner: LifeNode? = LifeNode("owner")
    let token = try #require(node).observe("next.name") { _ in }
    try node?.observe("name", owner: #require(owner)) { _, _ in }
    try node?.addTarget(#require(owner), KVAction("note", perform: { _ in }), forKeyPath: "name")
    expectReleased(&owner)
    expectReleased(&node)
    #expect(!token.isActive)
  }

  @Test(
    "LIF.1: KVO.K91 an object deallocated while it is observed ends the observation; the token may follow at any time")
  func objectFirst() throws {
    let log = LifeLog()
    var node: LifeNode? = LifeNode("a")
    let token = try #require(node).observe("name") { log.note($0) }
    node?.name = "b"
    node = nil
    #expect(!token.isActive)
    token.cancel()
    token.pause()
    token.resume()
    #expect(log.lines == ["a → b"])
  }

  @Test("LIF.1: KVO.K92 an owner that is deallocated ends what it owns on every object", arguments: [true, false])
  func ownerFirst(isOurs: Bool) throws {
    let log = LifeLog()
    let nodes = [LifeNode("a"), LifeNode("b", next: LifeNode("c"))]
    var owner: AnyObject? = isOurs ? LifeNode() : LifeOwner()
    for node in nodes { try node.observe("name", owner: #require(owner)) { _, change in log.note(change) } }
    let token = try nodes[1].observe("next.name", owner: #require(owner)) { _, change in log.note(change) }
    owner = nil
    for node in nodes { node.name = "x" }
    nodes[1].next?.name = "y"
    #expect(log.lines.isEmpty)
    #expect(!token.isActive)
    #expect(nodes.allSatisfy { isUnobserved($0) })
    #expect(try isUnobserved(#require(nodes[1].next)))
  }

  @Test("LIF.1: an owner that is ours ends what it owns as it is deallocated, before anything changes")
  func ownerEndsAtOnce() throws {
    let node = LifeNode("a", next: LifeNode("b"))
    var owner: LifeNode? = LifeNode()
    let token = try node.observe("next.name", owner: #require(owner)) { _, _ in }
    #expect(token.isActive)
    owner = nil
    #expect(!token.isActive)
    #expect(node.registrarSlot.registrar?.masks ?? (1, 1, 1, 1) == (0, 0, 0, 0))
  }

  @Test("LIF.1: a target that is deallocated is not called any more, and is not listed", arguments: [true, false])
  func targetFirst(isOurs: Bool) throws {
    let log = LifeLog()
    let node = LifeNode("a")
    var target: AnyObject? = isOurs ? LifeNode() : LifeOwner()
    try node.addTarget(
      #require(target), KVAction<AnyObject>("note", perform: { _, change in log.note(change) }), forKeyPath: "name")
    node.name = "b"
    target = nil
    node.name = "c"
    #expect(log.lines == ["a → b"])
    #expect(isUnobserved(node))
  }

  @Test("LIF.1: the deallocation of an owner that is not ours is noticed by a listing alone")
  func listingNotices() throws {
    let node = LifeNode("a")
    var owner: LifeOwner? = LifeOwner()
    let token = try node.observe("name", owner: #require(owner)) { _, _ in }
    owner = nil
    expectNoObserversLeft(on: node)
    #expect(!token.isActive)
    #expect(isUnobserved(node))
  }

  @Test("LIF.1: registrations of many deallocated owners that are not ours do not pile up")
  func manyOwners() throws {
    let node = LifeNode("a")
    let captures = LifeCapture.Count()
    // When they are looked for depends on how many there are in the whole process.
    var hasShrunk = false
    for number in 1...200_000 where !hasShrunk {
      let capture = LifeCapture(captures)
      let owner = LifeOwner()
      try node.observe("name", owner: owner) { _, _ in withExtendedLifetime(capture) {} }
      hasShrunk = captures.alive < number
    }
    #expect(hasShrunk)
    expectNoObserversLeft(on: node)
    // What another thread is about to cancel, it retains.
    for _ in 0..<60_000 where captures.alive != 0 { usleep(1_000) }
    #expect(captures.alive == 0)
  }

  @Test("LIF.1, KVO.9: what is cancelled while deallocated owners are looked for releases its closure there and then")
  func cancelledWhileLooking() throws {
    let dying = LifeNode("a")
    let living = KVUncheckedSendable(LifeNode("b"))
    let owner = KVUncheckedSendable(LifeOwner())
    let isReleased = Mutexed(false)
    let outcome = Mutexed<Bool?>(nil)
    try owner.value.observe(living.value, "name", options: .distinct) {
      [capture = DeinitProbe { isReleased.withLock { $0 = true } }] _, _, _ in withExtendedLifetime(capture) {}
    }
    // When they are looked for, and by which thread, depends on how many there are in the whole process. One removes at a
    // time: what another thread is about to cancel, it retains.
    let turn = Mutexed(())
    for _ in 0..<200_000 where outcome.withLock({ $0 }) == nil {
      let probe = DeinitProbe {
        turn.withLock { _ in
          owner.value.removeObservations(of: living.value)
          let isReleased = isReleased.withLock { $0 }
          outcome.withLock { $0 = $0 ?? isReleased }
        }
      }
      try dying.observe("name", owner: LifeOwner()) { _, _ in withExtendedLifetime(probe) {} }
    }
    #expect(outcome.withLock { $0 } == true)
    #expect(isUnobserved(dying))
  }

  @Test("LIF.1: an owner at the address of a deallocated one does not take over what that observed")
  func reusedAddress() throws {
    let log = LifeLog()
    let node = LifeNode("a")
    var addresses: Set<ObjectIdentifier> = []
    var hasReused = false
    for _ in 0..<100 {
      let owner = LifeOwner()
      if !addresses.insert(ObjectIdentifier(owner)).inserted { hasReused = true }
      owner.removeObservations(of: node)
      try node.observe("name", owner: owner) { _, change in log.note(change) }
    }
    #if KV_WEAK_ENDS || canImport(ObjectiveC) || arch(wasm32)
      #expect(hasReused)
    #else
      // The memory of an owner is not used again until its registration is found to be dead.
      _ = hasReused
    #endif
    node.name = "b"
    #expect(log.lines.isEmpty)
  }

  @Test("LIF.2: a token that is dropped ends the observation, unless there is an owner")
  func droppedToken() throws {
    let log = LifeLog()
    let node = LifeNode("a")
    let owner = LifeOwner()
    _ = try node.observe("name") { log.note($0) }
    try node.observe("name", owner: owner) { _, change in log.note(change) }
    node.name = "b"
    #expect(log.lines == ["a → b"])
    #expect(KVDiagnostics.observations(of: node).map(\.owner) == ["LifeOwner"])
  }

  @Test("LIF.1: an object that observes itself, as its own owner and target, is deallocated")
  func observedByItself() throws {
    var node: LifeNode? = LifeNode("a", next: LifeNode("b"))
    let captures = LifeCapture.Count()
    let capture = LifeCapture(captures)
    let log = LifeLog()
    try node?.observe("next.name", owner: #require(node)) { node, change in
      withExtendedLifetime((capture, node)) { log.note(change) }
    }
    try node?.addTarget(
      #require(node), KVAction("note", perform: { _ in log.lines.append("target") }), forKeyPath: "name")
    try node?.observe(#require(node), "items", options: .distinct) { _, _, _ in log.lines.append("items") }
    node?.next?.name = "c"
    node?.name = "d"
    node?.items = [1]
    #expect(log.lines == ["b → c", "target", "items"])
    let leaf = try #require(node?.next)
    expectReleased(&node)
    #expect(isUnobserved(leaf))
    leaf.name = "e"
    #expect(log.lines.count == 3)
  }

  @Test("LIF.1: two objects that observe each other are deallocated, in either order", arguments: [0, 1])
  func crossed(firstReleased: Int) throws {
    var nodes: [LifeNode?] = [LifeNode("a"), LifeNode("b")]
    weak let first = nodes[0]
    weak let second = nodes[1]
    try nodes[0]?.observe("name", owner: #require(nodes[1])) { _, _ in }
    try nodes[1]?.observe("name", owner: #require(nodes[0])) { _, _ in }
    nodes[firstReleased] = nil
    let survivor = try #require(nodes[1 - firstReleased])
    #expect(isUnobserved(survivor))
    survivor.name = "c"
    withExtendedLifetime(survivor) {}
    nodes[1 - firstReleased] = nil
    #expect(firstReleased == 0 ? first == nil : second == nil)
  }
}
