import KVBinding
import KVCore
import TestModels
import Testing

@Suite("KVO.11, KVO.12: paths through objects")
struct PathTests {
  private let root = Villager("r")
  private let log = ChangeLines()

  @Test("KVO.11: the leaf, each middle object and the first one; detached objects are not observed")
  func components() throws {
    let (a, b, c, d, e) = (Villager("a"), Villager("b"), Villager("c"), Villager("d"), Villager("e"))
    root.next = a
    a.next = b
    d.next = e
    let token = try log.watch(root, "next.next.name")
    b.name = "b2"
    a.next = c
    b.name = "b3"
    c.name = "c2"
    root.next = d
    a.next = b
    c.name = "c3"
    e.name = "e2"
    #expect(
      log.take() == [
        "next.next.name setting b → b2", "next.next.name setting b2 → c", "next.next.name setting c → c2",
        "next.next.name setting c2 → e", "next.next.name setting e → e2",
      ])
    #expect(log.changes.allSatisfy { $0.object === root })
    token.cancel()
    e.name = "e3"
    #expect(log.lines == [])
  }

  @Test("KVO.11: any depth: each of forty objects replaced in turn")
  func depth() throws {
    var objects = [root]
    for index in 1...40 {
      objects[index - 1].next = Villager("\(index)")
      objects.append(objects[index - 1].next!)
    }
    let path = try KVKeyPath(String(repeating: "next.", count: 40) + "name")
    let token = try log.watch(root, path, [.new])
    objects[40].name = "x"
    #expect(log.take() == ["\(path) setting nil → x"])
    for index in stride(from: 39, through: 0, by: -1) {
      let rest = objects[index].next?.next
      objects[index].next = Villager("\(index)", next: rest)
      #expect(log.take() == ["\(path) setting nil → 39"])
    }
    objects[40].name = "unheard"
    #expect(log.lines == [])
    token.cancel()
  }

  @Test("KVO.11: nil in the middle: at registration, later, and again")
  func nilMiddles() throws {
    let token = try log.watch(root, "next.name", [.old, .new, .initial])
    let next = Villager("a")
    root.next = next
    next.name = "a2"
    root.next = nil
    next.name = "a3"
    root.next = nil
    #expect(
      log.lines == [
        "next.name setting initial nil → nil", "next.name setting nil → a", "next.name setting a → a2",
        "next.name setting a2 → nil", "next.name setting nil → nil",
      ])
    token.cancel()
  }

  @Test("KVO.11: cancelled while the middle is nil, and registered while it is nil")
  func cancelledAtNil() throws {
    let next = Villager("a")
    root.next = next
    let first = try log.watch(root, "next.name", .new)
    root.next = nil
    first.cancel()
    next.name = "q"
    let second = try log.watch(root, "next.name", .new)
    root.next = next
    second.cancel()
    next.name = "q2"
    #expect(log.lines == ["next.name setting nil → nil", "next.name setting nil → q"])
    #expect(KVDiagnostics.observations(of: root).isEmpty && KVDiagnostics.observations(of: next).isEmpty)
  }

  @Test("KVO.5, KVO.11: a middle replaced by one with an equal value, and by itself")
  func equalMiddles() throws {
    root.next = Villager("same")
    let token = try log.watch(root, "next.name")
    let next = Villager("same")
    root.next = next
    root.next = next
    next.name = "x"
    #expect(
      log.lines == [
        "next.name setting same → same", "next.name setting same → same", "next.name setting same → x",
      ])
    token.cancel()
  }

  @Test("KVO.12: an object that stands in its own path twice")
  func twiceInThePath() throws {
    root.next = root
    let tokens = [try log.watch(root, "next.name"), try log.watch(root, "next.next.next.name", as: "long")]
    root.name = "r2"
    #expect(log.take() == ["next.name setting r → r2", "long: next.next.next.name setting r → r2"])
    root.next = Villager("z")
    #expect(log.take() == ["next.name setting r2 → z", "long: next.next.next.name setting r2 → nil"])
    root.name = "r3"
    #expect(log.lines == [])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.12: a cycle of objects: each change is reported once, and breaking it re-roots the rest")
  func cycles() throws {
    let (a, b) = (Villager("a"), Villager("b"))
    root.next = a
    a.next = b
    b.next = root
    let token = try log.watch(root, "next.next.next.next.name", [.old, .new, .prior])
    a.name = "a2"
    #expect(
      log.take() == ["next.next.next.next.name setting prior a → nil", "next.next.next.next.name setting a → a2"])
    root.next = b
    #expect(
      log.take() == ["next.next.next.next.name setting prior a2 → nil", "next.next.next.next.name setting a2 → r"])
    a.name = "unheard"
    b.next = nil
    #expect(log.take().last == "next.next.next.next.name setting r → nil")
    token.cancel()
    root.next = nil
    a.next = nil
  }

  @Test("KVO.6, KVO.11: several paths with a common beginning, and the beginning itself")
  func commonBeginnings() throws {
    root.next = Villager("a", age: 0)
    let tokens = [
      try log.watch(root, "next.name"), try log.watch(root, "next.age"), try log.watch(root, "next"),
    ]
    let next = Villager("b", age: 9)
    root.next = next
    next.age = 10
    #expect(
      log.lines == [
        "next.name setting a → b", "next.age setting 0 → 9", "next setting a → b", "next.age setting 9 → 10",
      ])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.14: a middle that does not notify: what is behind it is observed, its own replacement is not")
  func notObservableMiddle() throws {
    let old = Villager("old")
    root.hidden = old
    let token = try log.watch(root, "hidden.name")
    old.name = "heard"
    #expect(log.take() == ["hidden.name setting old → heard"])
    root.hidden = Villager("new")
    #expect(log.lines == [])
    token.cancel()
    old.name = "after"
    #expect(log.lines == [])
  }

  @Test("KVO.11: a to-many key at the end of a path: kinds and indexes as for the key alone")
  func toManyAtTheEnd() throws {
    let (x, y) = (Villager("x"), Villager("y"))
    x.rows = ["a"]
    y.rows = ["Y"]
    root.next = x
    let token = try log.watch(root, "next.rows")
    try x.mutableArray(forKey: "rows").insert("i", at: 0)
    try root.mutableArray(forKeyPath: "next.rows").remove(at: 0)
    root.next = y
    try x.mutableArray(forKey: "rows").append("gone")
    try y.mutableArray(forKey: "rows").insert("k", at: 0)
    #expect(
      log.lines == [
        "next.rows insertion at [0] nil → [i]", "next.rows removal at [0] [i] → nil",
        "next.rows setting [a] → [Y]", "next.rows insertion at [0] nil → [k]",
      ])
    token.cancel()
  }

  @Test("KVO.11: the records of a subclass that appears in the middle have its keys")
  func subclasses() throws {
    let token = try log.watch(root, "next.badge")
    let guardsman = Guardsman("g")
    root.next = guardsman
    guardsman.badge = 7
    #expect(log.lines == ["next.badge setting nil → 1", "next.badge setting 1 → 7"])
    token.cancel()
  }
}

private final class Guardsman: Villager {
  @KVProperty var badge = 1
}
