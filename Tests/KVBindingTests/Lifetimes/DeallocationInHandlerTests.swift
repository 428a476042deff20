import KVBinding
import KVCore
import Testing

@Suite("LIF.1: deallocation inside of a handler")
struct DeallocationInHandlerTests {
  private final class Holder {
    var node: LifeNode?
    var owner: AnyObject?
    var token: KVObservation?
  }

  @Test("LIF.1: the observed object's last reference goes in its handler; the others are still notified of this change")
  func objectDeallocates() throws {
    let log = LifeLog()
    let holder = Holder()
    holder.node = LifeNode("a")
    weak let witness = holder.node
    var tokens = [try #require(holder.node).observe("name") { _ in holder.node = nil }]
    tokens.append(try #require(holder.node).observe("name") { log.note($0) })
    holder.node?.name = "b"
    #expect(log.lines == ["a → b"])
    #expect(witness == nil)
    #expect(tokens.allSatisfy { !$0.isActive })
  }

  @Test("LIF.1: the root of a path is deallocated in a handler of its leaf; no later handler is called")
  func rootDeallocates() throws {
    let log = LifeLog()
    let holder = Holder()
    let leaf = LifeNode("leaf")
    holder.node = LifeNode("root", next: LifeNode("middle", next: leaf))
    weak let witness = holder.node
    var tokens = [try leaf.observe("name") { _ in holder.node = nil }]
    tokens.append(try #require(holder.node).observe("next.next.name") { log.note($0) })
    tokens.append(try leaf.observe("name") { log.note($0) })
    leaf.name = "b"
    #expect(witness == nil)
    #expect(log.lines == ["leaf → b"])
    #expect(tokens.map(\.isActive) == [true, false, true])
  }

  @Test("LIF.1: a middle object is deallocated in the handler of its own change")
  func middleDeallocates() throws {
    let log = LifeLog()
    let root = LifeNode("root", next: LifeNode("middle", next: LifeNode("leaf")))
    weak let witness = root.next
    let token = try root.observe("next.next.name") { change in
      log.note(change)
      if root.next != nil { root.next = nil }
    }
    root.next?.next?.name = "b"
    #expect(log.lines == ["leaf → b", "b → nil"])
    #expect(witness == nil)
    token.cancel()
    #expect(isUnobserved(root))
  }

  @Test("LIF.1, KVO.7: a token is dropped inside of its own handler, which goes on to its end")
  func tokenDeallocates() throws {
    let captures = LifeCapture.Count()
    let holder = Holder()
    let log = LifeLog()
    let node = LifeNode("a", next: LifeNode("b"))
    func observe(_ path: String) throws {
      let capture = LifeCapture(captures)
      holder.token = try node.observe(path) { change in
        holder.token = nil
        withExtendedLifetime(capture) { log.note(change) }
      }
    }
    try observe("name")
    node.name = "x"
    #expect(captures.alive == 0)
    try observe("next.name")
    node.next?.name = "y"
    #expect(captures.alive == 0)
    node.name = "z"
    #expect(log.lines == ["a → x", "b → y"])
    #expect(isUnobserved(node))
    #expect(try isUnobserved(#require(node.next)))
  }

  @Test(
    "LIF.1: an owner is deallocated inside of a handler: that has it for the call, later ones are not called",
    arguments: [true, false])
  func ownerDeallocates(isOurs: Bool) throws {
    let log = LifeLog()
    let holder = Holder()
    let node = LifeNode("a")
    holder.owner = isOurs ? LifeNode() : LifeOwner()
    weak let witness = holder.owner
    for number in 1...2 {
      try node.observe("name", owner: #require(holder.owner)) { owner, _ in
        holder.owner = nil
        withExtendedLifetime(owner) { log.lines.append("\(number)") }
      }
    }
    node.name = "b"
    #expect(log.lines == ["1"])
    #expect(witness == nil)
    #expect(isUnobserved(node))
  }

  @Test("LIF.1: the owner is deallocated while the initial record of its own registration is delivered")
  func ownerDeallocatesAtInitial() throws {
    let holder = Holder()
    let node = LifeNode("a")
    holder.owner = LifeNode()
    weak let witness = holder.owner
    func register(_ owner: AnyObject) throws -> KVObservation {
      try node.observe("name", options: [.initial, .new], owner: owner) { _, _ in holder.owner = nil }
    }
    let token = try register(#require(holder.owner))
    #expect(witness == nil)
    #expect(!token.isActive)
    #expect(isUnobserved(node))
  }

  @Test("LIF.1: a registration that its own initial record removes is gone")
  func removedAtInitial() throws {
    let node = LifeNode("a")
    let owner = LifeOwner()
    let log = LifeLog()
    try owner.observe(node, "name") { owner, _, _ in
      log.lines.append("heard")
      owner.removeObservations()
    }
    node.name = "b"
    #expect(log.lines == ["heard"])
    #expect(isUnobserved(node))
  }

  @Test("LIF.1: the value that is released with a change runs its deinit outside of every lock")
  func deinitObserves() throws {
    let root = LifeNode("root", next: LifeNode("old"))
    let other = LifeNode("other")
    let log = LifeLog()
    let token = try root.observe("next.name") { log.note($0) }
    let otherToken = try other.observe("name") { log.note($0) }
    root.next?.whenDying = { _ in
      other.name = "changed"
      log.lines.append("\(KVDiagnostics.observations(of: other).count)")
    }
    root.next = LifeNode("new")
    #expect(Set(log.lines) == ["old → new", "other → changed", "1"])
    withExtendedLifetime((token, otherToken)) {}
  }
}
