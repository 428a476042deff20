import KVBinding
import KVCore
import TestModels
import Testing

@Suite("TOM.1, TOM.2, COL.2: what observers receive of collections that are edited through their views")
struct ToManyTests {
  private let shelf = AccessorShelf()
  private let log = ChangeLines()

  @Test(
    "COL.2: one record of the specific kind for each operation, whatever accessors the table gives",
    arguments: ["stored", "single", "bulk", "plain"])
  func arrays(_ key: String) throws {
    let token = try log.watch(shelf, try KVKeyPath(key))
    let rows = shelf.mutableArray(forKey: key)
    try rows.insert("x", at: 1)
    try rows.append(contentsOf: ["z", "d"])
    try rows.replace(at: 0, with: "R")
    try rows.remove(at: [0, 3])
    try rows.insert(["p", "q"], at: [0, 1])
    try rows.removeAll()
    try rows.removeAll()
    #expect(
      log.lines == [
        "\(key) insertion at [1] nil → [x]", "\(key) insertion at [4, 5] nil → [z, d]",
        "\(key) replacement at [0] [a] → [R]", "\(key) removal at [0, 3] [R, c] → nil",
        "\(key) insertion at [0, 1] nil → [p, q]", "\(key) removal at [0, 1, 2, 3, 4, 5] [p, q, x, b, z, d] → nil",
      ])
    token.cancel()
  }

  @Test("COL.2: an ordered set's view notifies as an array's, and only what is really added")
  func orderedSets() throws {
    let token = try log.watch(shelf, "stored")
    let rows = shelf.mutableOrderedSet(forKey: "stored")
    try rows.append("a")
    try rows.append("z")
    try rows.remove("a")
    #expect(log.lines == ["stored insertion at [3] nil → [z]", "stored removal at [0] [a] → nil"])
    token.cancel()
  }

  @Test("TOM.2: sets: only what really comes or goes; an empty mutation notifies nobody", arguments: ["tags", "added"])
  func sets(_ key: String) throws {
    let token = try log.watch(shelf, try KVKeyPath(key), [.old, .new, .prior])
    let tags = shelf.mutableSet(forKey: key)
    try tags.add("a")
    try tags.remove("zz")
    try tags.formUnion(["a", "b"])
    try tags.formIntersection(["a", "b", "q"])
    try tags.set(["b", "a"])
    #expect(log.take() == [])
    try tags.formUnion(["b", "c"])
    try tags.subtract(["b", "nn"])
    try tags.formIntersection(["a", "q"])
    try tags.set(["n", "a"])
    try tags.set(["m"])
    try tags.removeAll()
    let lines = log.take().filter { !$0.contains("prior") }
    #expect(
      lines.prefix(3) == [
        "\(key) insertion nil → [c]", "\(key) removal [b] → nil", "\(key) removal [c] → nil",
      ])
    #expect(lines.last == "\(key) removal [m] → nil")
    #expect(log.changes.allSatisfy { $0.indexes == nil })
    token.cancel()
  }

  @Test("COL.4: the stored array changed behind its owner's back is not noticed")
  func behindTheBack() throws {
    let token = try log.watch(shelf, "plain")
    shelf.plain.append("silent")
    #expect(log.lines == [])
    #expect(shelf.mutableArray(forKey: "plain").count == 4)
    token.cancel()
  }

  @Test("KVC.14: a refused edit is not reported, and later ones are")
  func refusedEdits() throws {
    let tokens = try ["stored", "single", "bulk", "plain", "tags"].map { key in
      try log.watch(shelf, try KVKeyPath(key), [.old, .new, .prior])
    }
    for key in ["stored", "single", "bulk", "plain"] {
      let rows = shelf.mutableArray(forKey: key)
      #expect(throws: KVError.self) { try rows.append(5) }
      #expect(throws: KVError.self) { try rows.remove(at: 9) }
      #expect(throws: KVError.self) { try rows.insert("x", at: 9) }
    }
    #expect(throws: KVError.self) { try shelf.mutableSet(forKey: "tags").add(5) }
    #expect(log.take() == [])
    try shelf.mutableArray(forKey: "single").append("x")
    #expect(log.lines.last == "single insertion at [3] nil → [x]")
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.8: an edit in a handler of the same collection is delivered completely first")
  func reentrant() throws {
    let first = try shelf.observe("stored") { [shelf, log] change in
      log.add(change, as: "A")
      if shelf.stored.count < 5 { try? shelf.mutableArray(forKey: "stored").append("y") }
    }
    let second = try log.watch(shelf, "stored", as: "B")
    try shelf.mutableArray(forKey: "stored").append("x")
    #expect(
      log.lines == [
        "A: stored insertion at [3] nil → [x]", "A: stored insertion at [4] nil → [y]",
        "B: stored insertion at [4] nil → [y]", "B: stored insertion at [3] nil → [x]",
      ])
    first.cancel()
    second.cancel()
  }

  @Test("TOM.1: the elements in a record are reported as they were stored, and nil elements are kept")
  func elements() throws {
    let token = try log.watch(shelf, "numbers")
    try shelf.mutableArray(forKey: "numbers").append(3)
    try shelf.mutableArray(forKey: "numbers").append(Double?.none as Any)
    try shelf.mutableArray(forKey: "numbers").remove(at: [0, 2])
    #expect(
      log.lines == [
        "numbers insertion at [1] nil → [3.0]", "numbers insertion at [2] nil → [nil]",
        "numbers removal at [0, 2] [1.0, nil] → nil",
      ])
    token.cancel()
  }
}

@Suite("TOM.3: what is edited before a change")
struct EditBeforeChangeTests {
  /// Arrays by every way in which they are stored; each of its tests has objects of its own class, so that nothing is known
  /// of their properties.
  private final class Stored<Mark>: KVObject {
    @KVProperty var property = ["a", "b", "c"]
    var plain = ["a", "b", "c"]
    @KVProperty var closures = ["a", "b", "c"]

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Stored<Mark>.self) { key in
        key("property", \.property)
        key("plain", \.plain)
        key("closures", { $0.closures }, set: { $0.closures = $1 })
      }
    }
  }

  private enum First {}
  private enum Second {}

  @Test(
    "TOM.3: it is kept, and the change is made of what stands there then", arguments: ["property", "plain", "closures"])
  func kept(_ key: String) throws {
    let object = Stored<First>()
    var isDone = false
    let token = try object.observe(KVKeyPath(key), options: [.prior]) { change in
      guard change.isPrior, !isDone else { return }
      isDone = true
      try? object.mutableArray(forKey: key).insert("before", at: 0)
    }
    try object.mutableArray(forKey: key).append("x")
    #expect(try object.value(forKey: key, as: [String].self) == ["before", "a", "b", "x", "c"])
    token.cancel()
  }

  @Test("TOM.3: an index that is none any more is an error", arguments: ["property", "plain", "closures"])
  func gone(_ key: String) throws {
    let object = Stored<Second>()
    var isDone = false
    let token = try object.observe(KVKeyPath(key), options: [.prior]) { change in
      guard change.isPrior, !isDone else { return }
      isDone = true
      try? object.mutableArray(forKey: key).remove(at: [0, 1])
    }
    #expect(throws: KVError.self) { try object.mutableArray(forKey: key).insert("x", at: 3) }
    #expect(try object.value(forKey: key, as: [String].self) == ["c"])
    token.cancel()
  }
}

private final class AccessorShelf: KVObject {
  @KVProperty var stored = ["a", "b", "c"]
  var single = ["a", "b", "c"]
  var bulk = ["a", "b", "c"]
  var plain = ["a", "b", "c"]
  var numbers: [Double?] = [1]
  @KVProperty var tags: Set<String> = ["a", "b"]
  var added: Set<String> = ["a", "b"]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: AccessorShelf.self) { key in
      key("stored", \.stored)
      key("single", \.single).indexed(
        insert: { $0.single.insert($1, at: $2) }, remove: { $0.single.remove(at: $1) },
        replace: { $0.single[$1] = $2 })
      key("bulk", \.bulk).indexedInBulk(
        insert: { shelf, rows, indexes in for (row, index) in zip(rows, indexes) { shelf.bulk.insert(row, at: index) }
        },
        remove: { shelf, indexes in for index in indexes.reversed() { shelf.bulk.remove(at: index) } })
      key("plain", \.plain)
      key("numbers", \.numbers)
      key("tags", \.tags)
      key("added", \.added).unordered(
        add: { $0.added.formUnion($1) }, remove: { $0.added.subtract($1) })
    }
  }
}
