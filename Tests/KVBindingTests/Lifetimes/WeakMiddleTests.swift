import KVBinding
import KVCore
import Testing

@Suite("LIF.3: middle objects that are deallocated")
struct WeakMiddleTests {
  @Test("LIF.3: a middle object that is referenced weakly and deallocated is reported as a change to nil, once")
  func notified() throws {
    let log = LifeLog()
    let root = LifeNode("root")
    var middle: LifeNode? = LifeNode("middle", next: LifeNode("leaf"))
    let leaf = try #require(middle?.next)
    root.companion = middle
    let token = try root.observe("companion.next.name") { log.note($0) }
    middle = nil
    #expect(log.take() == ["nil → nil"])
    #expect(isUnobserved(leaf))
    leaf.name = "x"
    #expect(log.take().isEmpty)
    try root.setValue(LifeNode("new", next: leaf), forKey: "companion")
    withExtendedLifetime(token) {}
  }

  @Test(
    "LIF.3, KVO.14: a middle object that a plain property alone retained ends after the write that replaces it",
    arguments: [KVObservingOptions.old.union(.new), []])
  func retainedByProperty(options: KVObservingOptions) throws {
    let owner = PlainOwner()
    var lines: [String] = []
    let token = try owner.observe("part.name", options: options) { change in
      lines.append("\(owner.part?.name ?? "-"), \(change.new as? String ?? "nil")")
    }
    let boxed = try owner.observe("box.part.name", options: options) { _ in
      lines.append(owner.box.part?.name ?? "-")
    }
    try owner.setValue(nil, forKey: "part")
    try owner.setValue(LifeNode("a"), forKey: "part")
    try owner.setValue(LifeNode("b"), forKey: "part")
    let isRead = options.contains(.new)
    #expect(lines == (isRead ? ["-, nil", "a, a", "b, b"] : ["-, nil", "a, nil", "b, nil"]))
    lines = []
    try owner.setValue(LifeNode("c"), forKeyPath: "box.part")
    try owner.setValue(nil, forKeyPath: "box.part")
    #expect(lines == ["c", "-"])
    token.cancel()
    boxed.cancel()
  }

  @Test("LIF.3: the path follows again when another object takes the place")
  func followsAgain() throws {
    let log = LifeLog()
    let root = LifeNode("root")
    var middle: LifeNode? = LifeNode("middle")
    root.companion = middle
    let token = try root.observe("companion.name") { log.note($0) }
    middle = nil
    let other = LifeNode("other")
    try root.setValue(other, forKey: "companion")
    other.name = "x"
    #expect(log.lines == ["nil → nil", "nil → other", "other → x"])
    token.cancel()
    #expect(isUnobserved(other))
    #expect(isUnobserved(root))
  }

  @Test("LIF.3: with several observers each is notified once, whoever owns it")
  func severalObservers() throws {
    let log = LifeLog()
    let owner = LifeOwner()
    let root = LifeNode("root")
    var middle: LifeNode? = LifeNode("middle", next: LifeNode("leaf"))
    root.companion = middle
    let token = try root.observe("companion.next.name", as: String.self) { change in
      log.lines.append("typed \(change.new ?? "nil")")
    }
    try root.observe("companion.name", owner: owner) { _, change in log.note(change) }
    try root.addTarget(
      owner, KVAction("note", perform: { _ in log.lines.append("target") }), forKeyPath: "companion.name")
    middle = nil
    #expect(log.lines.sorted() == ["nil → nil", "target", "typed nil"])
    withExtendedLifetime(token) {}
  }

  @Test("LIF.3, KVO.5: distinct observers are notified of the deallocation, too: the old value is unknown")
  func distinct() throws {
    let log = LifeLog()
    let owner = LifeOwner()
    let root = LifeNode("root")
    var middle: LifeNode? = LifeNode("middle")
    root.companion = middle
    try owner.observe(root, "companion.name", options: .distinct) { _, _, new in
      log.lines.append("owner \(new ?? "nil")")
    }
    let token = try root.observe("companion.name", options: [.new, .distinct, .coalesced]) { log.note($0) }
    KVCoalescing.coalesce { middle = nil }
    #expect(log.lines == ["owner nil", "nil → nil"])
    withExtendedLifetime(token) {}
  }

  @Test("LIF.3: a middle object that is deallocated with its root notifies nobody")
  func deallocatesWithRoot() throws {
    let log = LifeLog()
    var root: LifeNode? = LifeNode("root", next: LifeNode("middle", next: LifeNode("leaf")))
    let token = try #require(root).observe("next.next.name") { log.note($0) }
    root = nil
    #expect(log.lines.isEmpty)
    #expect(!token.isActive)
  }

  @Test("LIF.3, DEP.4: what depends on a path through an object that is deallocated is notified of it")
  func dependent() throws {
    let log = LifeLog()
    let root = LifeGuest("root")
    var host: LifeNode? = LifeNode("host")
    root.companion = host
    let token = try root.observe("greeting", options: .new) { log.note($0) }
    host?.name = "Ada"
    host = nil
    #expect(log.lines == ["nil → hello Ada", "nil → hello nobody"])
    withExtendedLifetime(token) {}
  }

  @Test("LIF.3, DEP.2, KVO.5: a distinct observer of what depends on several paths through it is notified once")
  func distinctDependent() throws {
    let log = LifeLog()
    let owner = LifeOwner()
    let root = LifeGuest("root")
    var host: LifeNode? = LifeNode("Ada")
    root.companion = host
    try owner.observe(root, "welcome", options: .distinct) { _, old, new in
      log.lines.append("\(old ?? "nil") \(new ?? "nil")")
    }
    let token = try root.observe("welcome") { log.note($0) }
    host = nil
    #expect(log.lines == ["nil nobody 0", "nil → nobody 0"])
    withExtendedLifetime(token) {}
  }

  @Test("LIF.3, KVO.6: observers of the path and of what depends on it are notified in the order of registration")
  func order() throws {
    let log = LifeLog()
    let root = LifeGuest("root")
    var host: LifeNode? = LifeNode("Ada")
    root.companion = host
    let keys = ["companion.name", "greeting", "companion.name", "welcome", "greeting", "companion.name"]
    let tokens = try keys.enumerated().map { index, key in
      try root.observe(key) { _ in log.lines.append("\(index)") }
    }
    host = nil
    #expect(log.lines == ["0", "1", "2", "3", "4", "5"])
    withExtendedLifetime(tokens) {}
  }

  @Test("LIF.3, KVO.12: a path that meets the deallocated object twice reports it once")
  func twiceOnThePath() throws {
    let log = LifeLog()
    let root = LifeNode("root")
    var middle: LifeNode? = LifeNode("middle")
    root.companion = middle
    middle?.companion = root
    let token = try root.observe("companion.companion.companion.name") { log.note($0) }
    middle?.name = "x"
    middle = nil
    #expect(log.lines == ["middle → x", "nil → nil"])
    let next = LifeNode("next")
    next.companion = root
    try root.setValue(next, forKey: "companion")
    #expect(log.lines.last == "nil → next")
    token.cancel()
    #expect(isUnobserved(root))
    #expect(isUnobserved(next))
  }
}

/// Greets the companion by its name.
private final class LifeGuest: LifeNode {
  var greeting: String { "hello \(companion?.name ?? "nobody")" }
  var welcome: String { "\(companion?.name ?? "nobody") \(companion?.items.count ?? 0)" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: LifeGuest.self) { key in
      key("greeting", \.greeting).affected(by: "companion.name")
      key("welcome", \.welcome).affected(by: "companion.name", "companion.items")
    }
  }
}

/// An object with plain properties, which alone retain their objects.
private final class PlainOwner: KVObject {
  struct Box: KeyValueCoding {
    var part: LifeNode? = LifeNode("boxed")

    static var keyTable: KVTable { KVTable(Box.self) { key in key("part", \.part) } }
  }

  var part: LifeNode? = LifeNode("first")
  var box = Box()

  override class var keyTable: KVTable {
    super.keyTable.extended(for: PlainOwner.self) { key in
      key("part", \.part)
      key("box", \.box)
    }
  }
}
