import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("TOM.4: observing a relationship")
struct RelationshipTests {
  private let person = Villager("Ada")
  private let watcher = OwnerBadge()

  private func watchAll(_ path: KVKeyPath, options: KVObservingOptions = .distinct) throws {
    try watcher.observeRelationship(
      person, path, options: options,
      change: { $0.lines.append("change \(brief($1)) → \(brief($2))") },
      insertion: { $0.lines.append("insertion \(brief($1)) at \($2?.description ?? "-")") },
      removal: { $0.lines.append("removal \(brief($1)) at \($2?.description ?? "-")") },
      replacement: { $0.lines.append("replacement \(brief($1)) → \(brief($2)) at \($3?.description ?? "-")") })
  }

  @Test("TOM.4: each kind has its handler")
  func kinds() throws {
    try watchAll("rows")
    let rows = person.mutableArray(forKey: "rows")
    try rows.append(contentsOf: ["a", "b"])
    try rows.replace(at: 1, with: "c")
    try rows.remove(at: 0)
    person.rows = ["z"]
    #expect(
      watcher.lines == [
        "insertion [a, b] at [0, 1]", "replacement [b] → [c] at [1]", "removal [a] at [0]", "change [c] → [z]",
      ])
  }

  @Test("TOM.4: sets, which have no indexes")
  func sets() throws {
    try watchAll("tags")
    let tags = person.mutableSet(forKey: "tags")
    try tags.add("a")
    try tags.set(["b"])
    try tags.remove("b")
    #expect(watcher.lines == ["insertion [a] at -", "replacement [a] → [b] at -", "removal [b] at -"])
  }

  @Test("TOM.4: the first call has the collection as old and as new")
  func initial() throws {
    person.rows = ["a"]
    try watchAll("rows", options: [.initial, .distinct])
    #expect(watcher.lines == ["change [a] → [a]"])
  }

  @Test("TOM.4: kinds without a handler call change, with nil as old and the whole collection as new")
  func fallback() throws {
    person.next = Villager("Bob")
    for path in ["rows", "next.rows"] as [KVKeyPath] {
      let token = try watcher.observeRelationship(person, path, options: .distinct) { watcher, old, new in
        watcher.lines.append("\(brief(old)) → \(brief(new))")
      }
      let rows = try person.mutableArray(forKeyPath: path)
      try rows.append(contentsOf: ["a", "b"])
      try rows.replace(at: 0, with: "c")
      try rows.remove(at: 1)
      #expect(watcher.take() == ["nil → [a, b]", "nil → [c, b]", "nil → [c]"])
      token.cancel()
    }
  }

  @Test("TOM.4: equal settings are suppressed, and so are edits without elements")
  func equalSettings() throws {
    person.rows = ["a"]
    try watchAll("rows")
    person.rows = ["a"]
    try person.setValue(["a"], forKey: "rows")
    try person.mutableArray(forKey: "rows").append(contentsOf: [])
    #expect(watcher.take() == [])
    person.rows = ["b"]
    #expect(watcher.lines == ["change [a] → [b]"])
  }

  @Test("TOM.4: a collection of objects: equal is the same objects in the same order")
  func objects() throws {
    let (a, b) = (Villager("a"), Villager("b"))
    person.kids = [a, b]
    try watchAll("kids")
    person.kids = [a, b]
    #expect(watcher.take() == [])
    person.kids = [b, a]
    #expect(watcher.lines == ["change [a, b] → [b, a]"])
  }

  @Test("TOM.4: a relationship behind an object that is replaced or nil")
  func middles() throws {
    try watchAll("next.rows")
    person.next = Villager("Bob")
    try person.mutableArray(forKeyPath: "next.rows").append("a")
    person.next = nil
    #expect(watcher.lines == ["change nil → []", "insertion [a] at [0]", "change [a] → nil"])
  }

  @Test("TOM.4: it ends with its token, and with its observer's removal")
  func ending() throws {
    let token = try watcher.observeRelationship(person, "rows", options: .distinct) { watcher, _, _ in
      watcher.lines.append("heard")
    }
    token.cancel()
    try watchAll("rows")
    watcher.removeObservations()
    person.rows = ["a"]
    #expect(watcher.lines == [])
    expectNoObserversLeft(on: person)
  }

  @Test("TOM.4: the fallback has the collection of that change, whatever a handler before it changed")
  func nestedChange() throws {
    var isFirst = true
    let token = try person.observe("rows") { [person] _ in
      guard isFirst else { return }
      isFirst = false
      try? person.mutableArray(forKey: "rows").append("nested")
    }
    try watcher.observeRelationship(person, "rows", options: .distinct) { watcher, old, new in
      watcher.lines.append("\(brief(old)) → \(brief(new))")
    }
    try person.mutableArray(forKey: "rows").append("outer")
    #expect(watcher.lines == ["nil → [outer, nested]", "nil → [outer]"])
    token.cancel()
  }

  @Test("TOM.4: replacements by equal elements are suppressed, with and without a handler")
  func equalReplacements() throws {
    person.rows = ["a"]
    try watchAll("rows")
    try watcher.observeRelationship(person, "rows", options: .distinct) { watcher, _, _ in
      watcher.lines.append("change")
    }
    try person.mutableArray(forKey: "rows").replace(at: 0, with: "a")
    #expect(watcher.take() == [])
    try person.mutableArray(forKey: "rows").replace(at: 0, with: "b")
    #expect(watcher.lines == ["replacement [a] → [b] at [0]", "change"])
  }

  @Test("TOM.4, KVO.5: equal settings are reported if that is wanted")
  func indistinct() throws {
    person.rows = ["a"]
    try watcher.observeRelationship(person, "rows", options: []) { watcher, old, new in
      watcher.lines.append("\(brief(old)) → \(brief(new))")
    }
    person.rows = ["a"]
    try person.mutableArray(forKey: "rows").replace(at: 0, with: "a")
    #expect(watcher.lines == ["[a] → [a]", "nil → [a]"])
  }

  @Test("TOM.4, COA.3: in a scope, changes of one kind become one, and a mixture a setting")
  func coalesced() throws {
    person.rows = ["z"]
    try watcher.observeRelationship(
      person, "rows", options: [.distinct, .coalesced],
      change: { $0.lines.append("change \(brief($1)) → \(brief($2))") },
      insertion: { $0.lines.append("insertion \(brief($1)) at \($2?.description ?? "-")") })
    let rows = person.mutableArray(forKey: "rows")
    try KVCoalescing.coalesce {
      try rows.append("a")
      try rows.append("b")
    }
    #expect(watcher.take() == ["insertion [a, b] at [1, 2]"])
    try KVCoalescing.coalesce {
      try rows.remove(at: 2)
      try rows.remove(at: 1)
    }
    #expect(watcher.take() == ["change nil → [z]"])
    try KVCoalescing.coalesce {
      try rows.append("a")
      try rows.remove(at: 0)
    }
    #expect(watcher.take() == ["change nil → [a]"])
    try KVCoalescing.coalesce {
      person.rows = ["x"]
      try rows.remove(at: 0)
    }
    #expect(watcher.take() == ["change [a] → []"])
  }
}
