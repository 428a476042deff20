import KVBinding
import KVCore
import KVTestSupport
import Testing

@Suite("OBS.1, OBS.2: closures with an owner")
struct OwnerClosureTests {
  private let item = OwnedItem()
  private let owner = OwnerBadge()

  @Test("OBS.1: the owner is passed in and not retained; old and new come with it")
  func owned() throws {
    var owner: OwnerBadge? = OwnerBadge()
    let log = LifeLog()
    try owner?.observe(item, "name") { owner, old, new in
      owner.lines.append("\(old ?? "nil") → \(new ?? "nil")")
      log.lines = owner.lines
    }
    item.name = "b"
    #expect(log.lines == ["a → a", "a → b"])
    expectReleased(&owner)
    item.name = "c"
    #expect(log.lines.count == 2)
  }

  @Test("OBS.1: a KVObject is an observer, of itself as well")
  func itself() throws {
    let item = OwnedItem()
    try item.observe(item, "name", options: .distinct) { item, _, new in item.note = new as? String }
    item.name = "b"
    #expect(item.note == "b")
  }

  @Test("OBS.1: one handler for several paths gets the path; initial calls are one a path, in their order")
  func severalPaths() throws {
    let token = try owner.observe(item, ["name", "other.name", "count"]) { owner, path, old, new in
      owner.lines.append("\(path) \(old ?? "nil") → \(new ?? "nil")")
    }
    #expect(owner.take() == ["name a → a", "other.name nil → nil", "count 0 → 0"])
    item.count = 1
    item.other = OwnedItem()
    item.name = "b"
    #expect(owner.take() == ["count 0 → 1", "other.name nil → a", "name a → b"])
    token.cancel()
    item.name = "c"
    #expect(owner.lines.isEmpty)
  }

  @Test("OBS.1, KVO.13: one bad path of several: nothing is registered")
  func badPath() {
    #expect(throws: KVError.self) {
      try owner.observe(item, ["name", "nome"], options: .distinct) { owner, _, _, _ in owner.lines.append("called") }
    }
    item.name = "b"
    #expect(owner.lines.isEmpty)
    #expect(isUnobserved(item))
  }

  @Test("OBS.2: the initial call has the same object as old and as new")
  func initialIsIdentical() throws {
    let other = OwnedItem()
    item.other = other
    try owner.observe(item, "other") { owner, old, new in
      owner.lines.append("\(old as? OwnedItem === other && new as? OwnedItem === other)")
    }
    try owner.observe(item, "note") { owner, old, new in owner.lines.append("\(old == nil && new == nil)") }
    #expect(owner.lines == ["true", "true"])
  }

  @Test("OBS.2: equal old and new do not call: values, nil, the same object; nil and something do")
  func suppression() throws {
    let other = OwnedItem()
    item.other = other
    for path in ["name", "note", "other", "count"] {
      try owner.observe(item, KVKeyPath(path), options: .distinct) { owner, _, _ in owner.lines.append(path) }
    }
    item.name = "a"
    item.note = nil
    item.other = other
    try item.setValue(0.0, forKey: "count")
    #expect(owner.take().isEmpty)
    item.note = "x"
    item.note = "x"
    item.note = nil
    item.other = OwnedItem()
    item.name = "b"
    #expect(owner.take() == ["note", "note", "other", "name"])
  }

  @Test("OBS.2: both are switchable, by registration", arguments: [true, false], [true, false])
  func switches(initial: Bool, distinct: Bool) throws {
    let options: KVObservingOptions = (initial ? .initial : [] as KVObservingOptions).union(distinct ? .distinct : [])
    try owner.observe(item, "name", options: options) { owner, _, _ in owner.lines.append("called") }
    #expect(owner.take().count == (initial ? 1 : 0))
    item.name = "a"
    #expect(owner.take().count == (distinct ? 0 : 1))
    item.name = "b"
    #expect(owner.take().count == 1)
  }

  @Test("OBS.2, KVO.11: a path through other objects is compared as a whole")
  func wholePath() throws {
    item.other = OwnedItem()
    try owner.observe(item, "other.name", options: .distinct) { owner, old, new in
      owner.lines.append("\(old ?? "nil") → \(new ?? "nil")")
    }
    item.other = OwnedItem()
    #expect(owner.lines.isEmpty)
    item.other = nil
    #expect(owner.lines == ["a → nil"])
  }

  @Test("OBS.2: of a collection that is changed in part old and new are the whole collection")
  func collections() throws {
    item.list = [1, 2, 3]
    item.members = [1, 2]
    try owner.observe(item, ["list", "members"], options: .distinct) { owner, path, old, new in
      owner.lines.append("\(path) \(sortedText(old)) → \(sortedText(new))")
    }
    try item.mutableArray(forKey: "list").insert([9, 8], at: [0, 2])
    try item.mutableArray(forKey: "list").remove(at: [1, 4])
    try item.mutableArray(forKey: "list").replace(at: 1, with: 7)
    try item.mutableSet(forKey: "members").add(3)
    try item.mutableSet(forKey: "members").remove(1)
    #expect(
      owner.lines == [
        "list [1, 2, 3] → [9, 1, 8, 2, 3]", "list [9, 1, 8, 2, 3] → [9, 8, 2]", "list [9, 8, 2] → [9, 7, 2]",
        "members [1, 2] → [1, 2, 3]", "members [1, 2, 3] → [2, 3]",
      ])
  }

  @Test("OBS.2, KVO.8: whole collections are those of the change, whatever a handler changes meanwhile")
  func nestedCollections() throws {
    item.list = [1]
    let other = OwnedItem()
    item.other = other
    let first = try item.observe("list") { [item] _ in
      if item.list.count < 3 { try? item.mutableArray(forKey: "list").insert(item.list.count + 1, at: 0) }
    }
    try owner.observe(item, "list", options: .distinct) { owner, old, new in
      owner.lines.append("\(sortedText(old)) → \(sortedText(new))")
    }
    try item.mutableArray(forKey: "list").insert(2, at: 0)
    #expect(owner.take() == ["[2, 1] → [3, 2, 1]", "[1] → [2, 1]"])
    try owner.observe(item, "other.members", options: .distinct) { owner, old, new in
      owner.lines.append("\(sortedText(old)) → \(sortedText(new))")
    }
    try other.mutableSet(forKey: "members").formUnion([1, 2])
    #expect(owner.take() == ["[] → [1, 2]"])
    first.cancel()
  }

  @Test("OBS.2, KVO.5: elements that are replaced by equal ones do not call")
  func equalElements() throws {
    item.list = [1, 2]
    try owner.observe(item, "list", options: .distinct) { owner, _, _ in owner.lines.append("called") }
    try item.mutableArray(forKey: "list").replace(at: 1, with: 2)
    #expect(owner.take() == [])
    try item.mutableArray(forKey: "list").replace(at: 1, with: 3)
    #expect(owner.take() == ["called"])
  }
}

/// The elements of a collection; those of a set sorted.
private func sortedText(_ value: Any?) -> String {
  if let set = value as? Set<AnyHashable> { return "\(set.compactMap { $0 as? Int }.sorted())" }
  return "\(value ?? "nil")"
}
