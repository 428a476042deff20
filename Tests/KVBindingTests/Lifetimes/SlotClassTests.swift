import KVBinding
import KVCore
import Testing

/// Classes that conform by storing a slot: their members die one after the other, in the order of declaration.
@Suite("LIF.1: classes with a slot of their own")
struct SlotClassTests {
  private final class SlotFirst: KVObservable, KVObserver {
    let registrarSlot = KVRegistrarSlot()
    @KVProperty var name = "first"
    @KVProperty var child: LifeNode? = LifeNode("child")
    static var keyTable: KVTable {
      KVTable(SlotFirst.self) { key in
        key("name", \.name)
        key("child", \.child)
      }
    }
  }

  private final class SlotLast: KVObservable, KVObserver {
    @KVProperty var name = "last"
    @KVProperty var child: LifeNode? = LifeNode("child")
    weak var companion: SlotLast?
    let registrarSlot = KVRegistrarSlot()
    static var keyTable: KVTable {
      KVTable(SlotLast.self) { key in
        key("name", \.name)
        key("child", \.child)
        key("companion", \.companion)
      }
    }
  }

  @Test("LIF.1: the object is deallocated with its observers, wherever the slot stands among its members")
  func objectDeallocates() throws {
    let log = LifeLog()
    var first: SlotFirst? = SlotFirst()
    var last: SlotLast? = SlotLast()
    weak let witnesses = (first, last).0
    weak let other = last
    let children = try [#require(first?.child), #require(last?.child)]
    let tokens = [
      try #require(first).observe("child.name") { log.note($0) },
      try #require(first).observe("name") { log.note($0) },
      try #require(last).observe("child.name") { log.note($0) },
      try #require(last).observe("name") { log.note($0) },
    ]
    first?.name = "a"
    last?.child?.name = "b"
    #expect(log.take() == ["first → a", "child → b"])
    first = nil
    last = nil
    #expect(witnesses == nil && other == nil)
    #expect(tokens.allSatisfy { !$0.isActive })
    #expect(children.allSatisfy { isUnobserved($0) })
    for child in children { child.name = "c" }
    #expect(log.lines.isEmpty)
  }

  @Test("LIF.1: a child that is deallocated among the members of its owner notifies nobody of it")
  func childDeallocatesFirst() throws {
    let log = LifeLog()
    var first: SlotFirst? = SlotFirst()
    var last: SlotLast? = SlotLast()
    let tokens = [
      try #require(first).observe("child.name") { log.note($0) },
      try #require(last).observe("child.name") { log.note($0) },
    ]
    first = nil
    last = nil
    #expect(log.lines.isEmpty)
    #expect(tokens.allSatisfy { !$0.isActive })
  }

  @Test("LIF.1: as owners they end what they own, and are not notified of their members' deallocation")
  func ownerDeallocates() throws {
    let log = LifeLog()
    let node = LifeNode("a")
    var first: SlotFirst? = SlotFirst()
    var last: SlotLast? = SlotLast()
    try first?.observe(node, "name", options: .distinct) { _, _, _ in log.lines.append("first") }
    try last?.observe(node, "name", options: .distinct) { _, _, _ in log.lines.append("last") }
    last?.child?.whenDying = { _ in node.name = "told in a deinit" }
    first = nil
    last = nil
    #expect(log.lines.isEmpty)
    #expect(isUnobserved(node))
  }

  @Test("LIF.3: as a weak middle object it is reported as a change to nil, once")
  func weakMiddle() throws {
    let log = LifeLog()
    let root = SlotLast()
    var middle: SlotLast? = SlotLast()
    root.companion = middle
    let token = try root.observe("companion.child.name") { log.note($0) }
    middle?.child?.name = "x"
    middle = nil
    #expect(log.lines == ["child → x", "nil → nil"])
    withExtendedLifetime(token) {}
  }
}
