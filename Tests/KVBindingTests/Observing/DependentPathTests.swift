import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("DEP.1, DEP.2, DEP.4: keys that depend on paths through other objects")
struct DependentPathTests {
  private let log = ChangeLines()
  private let node = Node("n")

  @Test("DEP.4: a path through a to-one key: the leaf, the object replaced, nil, and back")
  func toOnePath() throws {
    let token = try log.watch(node, "label", [.old, .new])
    let first = Node("a1")
    let second = Node("b1")
    node.parent = first
    first.name = "a2"
    node.parent = second
    first.name = "a3"
    second.name = "b2"
    node.parent = nil
    second.name = "b3"
    node.parent = first
    first.name = "a4"
    #expect(
      log.take() == [
        "label setting n@nil → n@a1", "label setting n@a1 → n@a2", "label setting n@a2 → n@b1",
        "label setting n@b1 → n@b2", "label setting n@b2 → n@nil", "label setting n@nil → n@a3",
        "label setting n@a3 → n@a4",
      ])
    token.cancel()
    first.name = "a5"
    #expect(log.lines == [])
    expectNoObserversLeft(on: first)
  }

  @Test("DEP.2: a chain across objects: the root's key depends on a dependent of the next one")
  func chainsAcrossObjects() throws {
    let middle = Node("m")
    let top = Node("t")
    node.parent = middle
    middle.parent = top
    let token = try log.watch(node, "route", [.old, .new, .prior])
    top.name = "T"
    #expect(log.take() == ["route setting prior t/m/n → nil", "route setting t/m/n → T/m/n"])
    middle.parent = nil
    #expect(log.take() == ["route setting prior T/m/n → nil", "route setting T/m/n → m/n"])
    top.name = "unheard"
    node.name = "N"
    #expect(log.lines == ["route setting prior m/n → nil", "route setting m/n → m/N"])
    token.cancel()
  }

  @Test("DEP.2: a diamond across objects is reported once, with the whole new value")
  func diamondsAcrossObjects() throws {
    let top = Node("t")
    let left = Node("l", top)
    let right = Node("r", top)
    let diamond = Diamond(left, right)
    let token = try log.watch(diamond, "both", [.old, .new, .prior])
    top.name = "T"
    #expect(log.take() == ["both setting prior t/l t/r → nil", "both setting t/l t/r → T/l T/r"])
    left.parent = nil
    top.name = "x"
    #expect(
      log.lines == [
        "both setting prior T/l T/r → nil", "both setting T/l T/r → l T/r", "both setting prior l T/r → nil",
        "both setting l T/r → l x/r",
      ])
    token.cancel()
  }

  @Test("DEP.2: an observer of a source object and one of the dependent see each other's values up to date")
  func upToDate() throws {
    let top = Node("t")
    node.parent = top
    let tokens = [
      try top.observe("name", options: []) { [node, log] _ in log.add(node.label) },
      try node.observe("label", options: []) { [log] _ in log.add(top.name) },
    ]
    top.name = "T"
    #expect(log.lines == ["n@T", "T"])
    tokens.forEach { $0.cancel() }
  }

  @Test("DEP.2: objects that depend on each other: one change is reported once of each key")
  func mutualDependence() throws {
    let first = Node("a")
    let second = Node("b")
    first.peer = second
    second.peer = first
    let tokens = [
      try log.watch(first, "level", [.new, .old, .prior], as: "first"),
      try log.watch(second, "level", [.new, .old], as: "second"),
    ]
    try first.setValue(5, forKey: "level")
    #expect(
      log.lines.sorted() == [
        "first: level setting 0 → 5", "first: level setting prior 0 → nil", "second: level setting 0 → 5",
      ])
    tokens.forEach { $0.cancel() }
    first.peer = nil
  }

  @Test("DEP.1: an object that is its own parent")
  func selfReference() throws {
    node.parent = node
    let token = try log.watch(node, "label")
    node.name = "x"
    #expect(log.take() == ["label setting n@n → x@x"])
    node.parent = nil
    node.name = "y"
    #expect(log.lines == ["label setting x@x → x@nil", "label setting x@nil → y@nil"])
    token.cancel()
  }

  @Test("DEP.1: a path to a to-many key of another object")
  func toManyPath() throws {
    let parent = Node("p")
    node.parent = parent
    let token = try log.watch(node, "siblings")
    try parent.mutableArray(forKey: "items").append("x")
    #expect(log.take() == ["siblings setting 0 → 1"])
    node.parent = Node("q")
    try parent.mutableArray(forKey: "items").append("unheard")
    try node.mutableArray(forKeyPath: "parent.items").append("y")
    #expect(log.lines == ["siblings setting 1 → 0", "siblings setting 0 → 1"])
    token.cancel()
  }

  @Test("KVO.11: a dependent key at the end of a path follows the object it belongs to")
  func atTheEndOfAPath() throws {
    let parent = Node("p", Node("g"))
    node.parent = parent
    let token = try log.watch(node, "parent.label", [.old, .new, .prior])
    parent.parent?.name = "G"
    parent.name = "P"
    #expect(
      log.take() == [
        "parent.label setting prior p@g → nil", "parent.label setting p@g → p@G",
        "parent.label setting prior p@G → nil", "parent.label setting p@G → P@G",
      ])
    node.parent = nil
    _ = log.take()
    parent.name = "unheard"
    parent.parent = nil
    #expect(log.lines == [])
    token.cancel()
  }

  @Test("DEP.4: an affecting path whose keys do not exist is reported, and those beside it are watched")
  func faultyPath() throws {
    let model = FaultyDependent()
    model.other = Villager("Bob")
    let events = try capturingEvents {
      let token = try log.watch(model, "label")
      model.name = "x"
      #expect(log.lines == ["label setting f → x"])
      token.cancel()
    }.about(model)
    #expect(events.count == 1)
    #expect(events.first?.topic == .faultyPath)
    #expect(
      events.first?.message.hasPrefix(
        "what \"label\" of FaultyDependent depends on: undefined key \"nothing\" of Villager.") == true)
  }
}

private final class Node: KVObject {
  @KVProperty var name: String
  @KVProperty var parent: Node?
  @KVProperty var peer: Node?
  @KVProperty var items: [String] = []
  var ownLevel = 0
  var label: String { "\(name)@\(parent?.name ?? "nil")" }
  var route: String { (parent.map { $0.route + "/" } ?? "") + name }

  init(_ name: String, _ parent: Node? = nil) {
    self.name = name
    self.parent = parent
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Node.self) { key in
      key("name", \.name)
      key("parent", \.parent)
      key("peer", \.peer)
      key("items", \.items)
      key("label", \.label).affected(by: "name", "parent.name")
      key("route", \.route).affected(by: "name", "parent.route")
      key("siblings") { $0.parent?.items.count ?? 0 }.affected(by: "parent.items")
      key("level", { max($0.ownLevel, $0.peer?.ownLevel ?? 0) }, set: { $0.ownLevel = $1 }).affected(by: "peer.level")
    }
  }
}

private final class Diamond: KVObject {
  @KVProperty var left: Node
  @KVProperty var right: Node

  init(_ left: Node, _ right: Node) {
    self.left = left
    self.right = right
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Diamond.self) { key in
      key("left", \.left)
      key("right", \.right)
      key("both") { "\($0.left.route) \($0.right.route)" }.affected(by: "left.route", "right.route")
    }
  }
}

private final class FaultyDependent: KVObject {
  @KVProperty var name = "f"
  @KVProperty var other: Any?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: FaultyDependent.self) { key in
      key("name", \.name)
      key("other", \.other)
      key("label", \.name).readOnly().affected(by: "other.nothing", "name")
    }
  }
}
