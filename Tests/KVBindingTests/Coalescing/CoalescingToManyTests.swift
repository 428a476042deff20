import KVBinding
import KVCore
import Testing

/// Random edits inside of a scope: the record that comes out of it, applied to what was there, gives what is there.
@Suite("COA.3: changes of collections compose")
struct CoalescingToManyTests {
  @Test(
    "COA.3, TOM.1: 5,000 sequences of edits of arrays", arguments: ["list", "shelf"], [UInt64](1...5))
  func arrays(key: String, seed: UInt64) throws {
    var random = ScopeRandom(seed: seed)
    var kinds: Set<KVChange.Kind> = []
    for round in 0..<500 {
      let item = ScopeItem()
      let old = (0..<random.below(5)).map { $0 }
      try item.setValue(old, forKey: key)
      let log = RecordLog()
      let token = try item.observe(KVKeyPath(key), options: [.old, .new, .coalesced]) { log.changes.append($0) }
      let onlyKind = random.below(4)
      let edits = 1 + random.below(5)
      try KVCoalescing.coalesce {
        for edit in 0..<edits { try random.edit(item.mutableArray(forKey: key), kind: onlyKind, number: edit) }
      }
      let new = try item.value(forKey: key, as: [Int].self)
      if log.changes.isEmpty ? new != old : log.applied(to: old) != new {
        Issue.record("seed \(seed), round \(round): \(log.changes) of \(old) does not give \(new)")
      }
      if log.changes.count > 1 { Issue.record("seed \(seed), round \(round): \(log.changes)") }
      for change in log.changes { kinds.insert(change.kind) }
      token.cancel()
    }
    #expect(kinds == [.setting, .insertion, .removal, .replacement])
  }

  @Test("COA.3, TOM.2: 2,000 sequences of edits of sets", arguments: ["members", "bag"], [UInt64](1...4))
  func sets(key: String, seed: UInt64) throws {
    var random = ScopeRandom(seed: seed)
    var kinds: Set<KVChange.Kind> = []
    for round in 0..<250 {
      let item = ScopeItem()
      let old = Set((0..<random.below(5)).map { $0 })
      try item.setValue(old, forKey: key)
      let log = RecordLog()
      let token = try item.observe(KVKeyPath(key), options: [.old, .new, .coalesced]) { log.changes.append($0) }
      let onlyKind = random.below(3)
      let edits = 1 + random.below(5)
      try KVCoalescing.coalesce {
        for _ in 0..<edits { try random.edit(item.mutableSet(forKey: key), kind: onlyKind) }
      }
      let new = try item.value(forKey: key, as: Set<Int>.self)
      if log.changes.isEmpty ? new != old : log.applied(to: old) != new {
        Issue.record("seed \(seed), round \(round): \(log.changes) of \(old) does not give \(new)")
      }
      for change in log.changes { kinds.insert(change.kind) }
      token.cancel()
    }
    #expect(kinds.isSuperset(of: [.setting, .insertion, .removal]))
  }

  @Test("COA.3: changes of one kind stay of that kind; a mixture is one setting with the whole collections")
  func kinds() throws {
    let item = ScopeItem()
    item.list = [1, 2, 3]
    let target = ScopeTarget()
    try item.addTarget(target, ScopeTarget.note, forKeyPaths: ["list"], options: .coalesced)
    let array = item.mutableArray(forKey: "list")
    try KVCoalescing.coalesce {
      try array.insert(9, at: 0)
      try array.insert(8, at: 0)
    }
    try KVCoalescing.coalesce {
      try array.remove(at: 0)
      try array.remove(at: 0)
    }
    try KVCoalescing.coalesce {
      try array.replace(at: 0, with: 4)
      try array.replace(at: 0, with: 5)
      try array.replace(at: 2, with: 6)
    }
    try KVCoalescing.coalesce {
      try array.append(7)
      try array.remove(at: 0)
    }
    #expect(
      target.lines == [
        "list insertion nil → [8, 9]", "list removal [8, 9] → nil", "list replacement [1, 3] → [5, 6]",
        "list setting [5, 2, 6] → [2, 6, 7]",
      ])
  }

  @Test("COA.3, COA.5: a handler that changes the collection again does not disturb the record of the scope")
  func changedByHandler() throws {
    let item = ScopeItem()
    item.list = [1, 2]
    let log = RecordLog()
    let first = try item.observe("name", options: [.coalesced]) { [item] _ in
      KVCoalescing.coalesce { item.list.insert(100, at: 0) }
    }
    let second = try item.observe("list", options: [.old, .new, .coalesced]) { log.changes.append($0) }
    try KVCoalescing.coalesce {
      item.name = "b"
      try item.mutableArray(forKey: "list").append(3)
      try item.mutableArray(forKey: "list").remove(at: 0)
    }
    let whole = log.changes.last { $0.kind == .setting && ($0.old as? [Int])?.count == 2 }
    #expect(whole?.new as? [Int] == [2, 3])
    #expect(whole?.old as? [Int] == [1, 2])
    withExtendedLifetime((first, second)) {}
  }

  @Test("COA.3, OBS.2: an owner's closure gets the whole collections, from before the scope and after it")
  func wholeCollections() throws {
    let item = ScopeItem()
    item.list = [1, 2, 3]
    let owner = LifeOwner()
    let log = LifeLog()
    try owner.observe(item, "list", options: [.distinct, .coalesced]) { _, old, new in
      log.lines.append("\(old ?? "nil") → \(new ?? "nil")")
    }
    try KVCoalescing.coalesce {
      try item.mutableArray(forKey: "list").remove(at: 1)
      try item.mutableArray(forKey: "list").remove(at: 1)
    }
    #expect(log.lines == ["[1, 2, 3] → [1]"])
  }

  @Test("COA.3, KVO.5: a replacement by equal elements is left out by the distinct, at once and in a scope")
  func equalReplacement() throws {
    let item = ScopeItem()
    item.list = [1, 2]
    let log = RecordLog()
    let atOnce = try item.observe("list", options: [.old, .new, .distinct]) { log.changes.append($0) }
    let deferred = try item.observe("list", options: [.old, .new, .distinct, .coalesced]) { log.changes.append($0) }
    let array = item.mutableArray(forKey: "list")
    try KVCoalescing.coalesce { try array.replace(at: 1, with: 2) }
    try array.replace(at: 0, with: 1)
    #expect(log.changes.isEmpty)
    try KVCoalescing.coalesce { try array.replace(at: 0, with: 5) }
    #expect(log.changes.count == 2)
    withExtendedLifetime((atOnce, deferred)) {}
  }

  @Test("COA.3: twenty thousand insertions or removals become one in a moment", arguments: ["front", "back", "middle"])
  func many(_ position: String) throws {
    let item = ScopeItem()
    let log = RecordLog()
    let token = try item.observe("list", options: [.old, .new, .coalesced]) { log.changes.append($0) }
    let array = item.mutableArray(forKey: "list")
    let count = 20_000
    func index(_ count: Int) -> Int { position == "front" ? 0 : position == "back" ? count : count / 2 }
    let time = try ContinuousClock().measure {
      try KVCoalescing.coalesce { for number in 0..<count { try array.insert(number, at: index(number)) } }
      #expect(log.changes.last?.indexes == Array(0..<count))
      #expect(log.changes.last?.new as? [Int] == item.list)
      try KVCoalescing.coalesce {
        for number in (0..<count).reversed() { try array.remove(at: min(index(number), number)) }
      }
    }
    #expect(log.changes.last?.kind == .removal && log.changes.last?.indexes == Array(0..<count))
    #expect(time < .seconds(60))
    token.cancel()
  }
}
