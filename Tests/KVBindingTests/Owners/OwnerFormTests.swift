import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("LIF.2: the forms of observing that take an owner")
struct OwnerFormTests {
  private let item = OwnedItem()

  @Test("LIF.2, KVO.1: several paths by one handler; if one of them cannot be observed, none is")
  func severalPaths() throws {
    let owner = OwnerBadge()
    try item.observe(["name", "count"], owner: owner) { owner, change in
      owner.lines.append("\(change.keyPath) \(brief(change.old)) → \(brief(change.new))")
    }
    item.name = "b"
    item.count = 1
    #expect(owner.take() == ["name a → b", "count 0 → 1"])
    #expect(throws: KVError.self) { try item.observe(["note", "nothing"], owner: owner) { _, _ in } }
    #expect(KVDiagnostics.observations(of: item).map(\.keyPath).sorted() == ["count", "name"])
  }

  @Test("LIF.2, KVO.9: its token ends all paths; dropping it does not")
  func severalPathsToken() throws {
    let owner = OwnerBadge()
    let token = try item.observe(["name", "count"], owner: owner) { owner, _ in owner.lines.append("heard") }
    token.pause()
    item.name = "b"
    token.resume()
    item.count = 1
    token.cancel()
    item.count = 2
    #expect(owner.lines == ["heard"])
  }

  @Test("LIF.2, KVO.2: typed records, of a key, of an optional, and of a path")
  func typed() throws {
    let owner = OwnerBadge()
    try item.observe("count", as: Int.self, owner: owner) { owner, change in
      owner.lines.append("\(change.old ?? -1) → \(change.new ?? -1)")
    }
    try item.observe("note", as: String.self, options: [.new, .initial], owner: owner) { owner, change in
      owner.lines.append("note \(change.new ?? "nil")")
    }
    try item.observe("other.name", as: String.self, owner: owner) { owner, change in
      owner.lines.append("other \(change.new ?? "nil")")
    }
    item.count = 2
    item.note = "n"
    item.other = OwnedItem()
    #expect(owner.lines == ["note nil", "0 → 2", "note n", "other a"])
    #expect(Set(KVDiagnostics.observations(of: item).map(\.style)) == ["typed closure with owner"])
    owner.removeObservations(of: item)
    item.count = 3
    #expect(owner.lines.count == 4)
  }

  @Test("LIF.1, LIF.2: they end with their owner, which they do not retain")
  func deallocation() throws {
    let child = OwnedItem()
    let village = Villager()
    village.kids = [Villager("a")]
    var owner: OwnerBadge? = OwnerBadge()
    if let owner {
      try item.observe(["name"], owner: owner) { _, _ in Issue.record("the owner is gone") }
      try child.observe("count", as: Int.self, owner: owner) { _, _ in Issue.record("the owner is gone") }
      try village.observeElements(of: "kids", "name", owner: owner) { _, _ in Issue.record("the owner is gone") }
    }
    expectReleased(&owner)
    item.name = "b"
    child.count = 1
    village.kids[0].name = "b"
    village.kids = []
    #expect(KVDiagnostics.observations(of: item).isEmpty && KVDiagnostics.observations(of: child).isEmpty)
    expectNoObserversLeft(on: village)
  }

  @Test("KVO.17, LIF.2: elements, with those that come and without those that go")
  func elements() throws {
    let owner = OwnerBadge()
    let village = Villager()
    let (a, b) = (Villager("a"), Villager("b"))
    village.kids = [a]
    let token = try village.observeElements(of: "kids", "name", owner: owner) { owner, change in
      owner.lines.append("\(brief(change.object)): \(brief(change.old))")
    }
    try village.mutableArray(forKey: "kids").append(b)
    a.name = "a2"
    b.name = "b2"
    try village.mutableArray(forKey: "kids").remove(at: 0)
    a.name = "a3"
    #expect(owner.take() == ["a2: a", "b2: b"])
    #expect(KVDiagnostics.observations(of: village).map(\.owner) == ["OwnerBadge"])
    token.cancel()
    b.name = "b3"
    #expect(owner.lines.isEmpty && KVDiagnostics.observations(of: b).isEmpty)
  }

  @Test("OBS.3, KVO.17: an owner that observes for itself ends its elements, too", arguments: [true, false])
  func removingElements(all: Bool) throws {
    let owner = OwnerBadge()
    let village = Villager()
    village.kids = [Villager("a")]
    try village.observeElements(of: "kids", "name", options: [.new, .initial], owner: owner) { owner, change in
      owner.lines.append(brief(change.new))
    }
    if all { owner.removeObservations() } else { try owner.removeObservations(of: village, forKeyPath: "kids") }
    village.kids[0].name = "b"
    #expect(owner.lines == ["a"])
    expectNoObserversLeft(on: village)
  }

  @Test("LIF.2: an observable owner ends its elements as it is deallocated")
  func observableOwner() throws {
    let village = Villager()
    let kid = Villager("a")
    village.kids = [kid]
    var owner: OwnedItem? = OwnedItem()
    if let owner { try village.observeElements(of: "kids", "name", owner: owner) { _, _ in } }
    #expect(KVDiagnostics.observations(of: kid).count == 1)
    owner = nil
    expectNoObserversLeft(on: kid)
  }
}
