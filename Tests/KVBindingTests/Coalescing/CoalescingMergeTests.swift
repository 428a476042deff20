import KVBinding
import KVCore
import Testing

@Suite("COA.3: merging")
struct CoalescingMergeTests {
  private let items = [ScopeItem(), ScopeItem()]
  private let target = ScopeTarget()

  @Test("COA.3: an action without parameter runs once a target and action, whatever the objects and paths")
  func withoutParameter() throws {
    let other = ScopeTarget()
    for item in items {
      try item.addTarget(target, ScopeTarget.count, forKeyPaths: ["name", "count"], options: .coalesced)
      try item.addTarget(target, ScopeTarget.again, forKeyPaths: ["name"], options: .coalesced)
      try item.addTarget(other, ScopeTarget.count, forKeyPaths: ["count"], options: .coalesced)
    }
    KVCoalescing.coalesce {
      for item in items {
        item.name = "b"
        item.count = 1
        item.name = "c"
      }
    }
    #expect(target.lines == ["called", "again"])
    #expect(other.lines == ["called"])
  }

  @Test("COA.3: with a record once an (object, path): the first old, the last new")
  func withRecord() throws {
    for item in items {
      try item.addTarget(target, ScopeTarget.note, forKeyPaths: ["name", "count"], options: .coalesced)
    }
    KVCoalescing.coalesce {
      items[0].name = "b"
      items[1].count = 1
      items[0].name = "c"
      items[0].count = 2
      items[1].count = 3
    }
    #expect(target.lines == ["name setting a → c", "count setting 0 → 3", "count setting 0 → 2"])
  }

  @Test("COA.3: the same action registered twice for a path runs once in a scope, with the changes once")
  func duplicates() throws {
    for _ in 0..<2 {
      try items[0].addTarget(target, ScopeTarget.note, forKeyPaths: ["name", "list"], options: .coalesced)
    }
    try KVCoalescing.coalesce {
      items[0].name = "b"
      try items[0].mutableArray(forKey: "list").append(1)
      try items[0].mutableArray(forKey: "list").append(2)
    }
    #expect(target.lines == ["name setting a → b", "list insertion nil → [1, 2]"])
  }

  @Test("COA.3: of two that merge the first is cancelled: the other delivers what it received itself")
  func firstOfTwoCancelled() throws {
    try items[0].addTarget(target, ScopeTarget.note, forKeyPaths: ["name"], options: .coalesced)
    try KVCoalescing.coalesce {
      items[0].name = "b"
      try items[0].removeTarget(target, forKeyPath: "name")
      try items[0].addTarget(target, ScopeTarget.note, forKeyPaths: ["name"], options: .coalesced)
      items[0].name = "c"
    }
    #expect(target.lines == ["name setting b → c"])
  }

  @Test("COA.3: closures are merged by registration; every path of one handler by itself")
  func closures() throws {
    let log = LifeLog()
    let owner = LifeOwner()
    try owner.observe(items[0], ["name", "count"], options: [.distinct, .coalesced]) { _, path, old, new in
      log.lines.append("\(path) \(old ?? "nil") → \(new ?? "nil")")
    }
    let typed = try items[0].observe("count", as: Int.self, options: [.old, .new, .coalesced]) { change in
      log.lines.append("typed \(change.old ?? -1) → \(change.new ?? -1)")
    }
    KVCoalescing.coalesce {
      items[0].count = 1
      items[0].name = "b"
      items[0].count = 2
    }
    #expect(log.lines == ["count 0 → 2", "typed 0 → 2", "name a → b"])
    withExtendedLifetime(typed) {}
  }

  @Test("COA.3: a path's record has the value of the whole path, from the first to the last")
  func paths() throws {
    items[0].other = items[1]
    try items[0].addTarget(target, ScopeTarget.note, forKeyPaths: ["other.name"], options: .coalesced)
    KVCoalescing.coalesce {
      items[1].name = "b"
      let other = ScopeItem()
      other.name = "c"
      items[0].other = other
      other.name = "d"
    }
    #expect(target.lines == ["other.name setting a → d"])
  }

  @Test("COA.4: a net-zero change is delivered, but not to distinct observers", arguments: [true, false])
  func netZero(isDistinct: Bool) throws {
    let log = LifeLog()
    let options: KVObservingOptions = isDistinct ? [.old, .new, .coalesced, .distinct] : [.old, .new, .coalesced]
    items[0].list = [1, 2]
    let tokens = try ["name", "note", "list", "members", "shelf"].map { (path: KVKeyPath) in
      try items[0].observe(path, options: options) { log.lines.append("\($0.keyPath)") }
    }
    try KVCoalescing.coalesce {
      items[0].name = "b"
      items[0].name = "a"
      items[0].note = "x"
      items[0].note = nil
      try items[0].mutableArray(forKey: "list").replace(at: 0, with: 5)
      try items[0].mutableArray(forKey: "list").replace(at: 0, with: 1)
      try items[0].mutableSet(forKey: "members").add(3)
      try items[0].mutableSet(forKey: "members").remove(3)
      try items[0].mutableArray(forKey: "shelf").append(3)
      try items[0].mutableArray(forKey: "shelf").remove(at: 0)
    }
    #expect(log.lines == (isDistinct ? [] : ["name", "note", "list", "members", "shelf"]))
    withExtendedLifetime(tokens) {}
  }

  @Test("COA.3: ten thousand objects with one action merge in one call")
  func manyObjects() throws {
    let many = (0..<10_000).map { _ in ScopeItem() }
    for item in many { try item.addTarget(target, ScopeTarget.count, forKeyPaths: ["count"], options: .coalesced) }
    KVCoalescing.coalesce { for _ in 0..<2 { for item in many { item.count += 1 } } }
    #expect(target.lines == ["called"])
  }

  @Test("COA.4: an action without a parameter, too, hears of no change back to the old value if it is distinct")
  func distinctAction() throws {
    let (item, target) = (ScopeItem(), ScopeTarget())
    try item.addTarget(target, ScopeTarget.count, forKeyPath: "name", options: [.coalesced, .distinct])
    let name = item.name
    KVCoalescing.coalesce {
      item.name = "x"
      item.name = name
    }
    #expect(target.take().isEmpty)
    KVCoalescing.coalesce {
      item.name = "x"
      item.name = "y"
    }
    #expect(target.take() == ["called"])
  }
}
