import KVBinding
import KVCore
import KVQuery
import TestModels
import Testing

/// Arrays by every way in which they are stored, and sets.
private final class Bench: KVObject {
  @KVProperty var stored = ["c", "a", "b", "a"]
  @KVProperty var placed = ["c", "a", "b", "a"]
  var plain = ["c", "a", "b", "a"]
  var single = ["c", "a", "b", "a"]
  var bulk = ["c", "a", "b", "a"]
  private(set) var sealed = ["c", "a", "b", "a"]
  @KVProperty var tags: Set<String> = ["a", "b", "c"]
  var added: Set<String> = ["a", "b", "c"]
  var calls = 0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Bench.self) { key in
      key("stored", \.stored)
      key("placed", \.placed).inPlace { bench, edit in edit(&bench.placed) }
      key("plain", \.plain)
      key("single", \.single).indexed(
        insert: { $0.single.insert($1, at: $2) }, remove: { $0.single.remove(at: $1) })
      key("bulk", \.bulk).indexedInBulk(
        insert: { bench, rows, indexes in
          bench.calls += 1
          for (row, index) in zip(rows, indexes) { bench.bulk.insert(row, at: index) }
        },
        remove: { bench, indexes in
          bench.calls += 1
          for index in indexes.reversed() { bench.bulk.remove(at: index) }
        },
        replace: { bench, indexes, rows in
          bench.calls += 1
          for (row, index) in zip(rows, indexes) { bench.bulk[index] = row }
        })
      key("sealed", { $0.sealed }).indexedInBulk(
        insert: { bench, rows, indexes in
          bench.calls += 1
          for (row, index) in zip(rows, indexes) { bench.sealed.insert(row, at: index) }
        },
        remove: { bench, indexes in
          bench.calls += 1
          for index in indexes.reversed() { bench.sealed.remove(at: index) }
        })
      key("tags", \.tags)
      key("added", \.added).unordered(
        add: { $0.added.formUnion($1) }, remove: { $0.added.subtract($1) })
    }
  }
}

/// An operation on a view of `["c", "a", "b", "a"]`: the record of it, and the elements afterwards.
private struct Operation: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let record: String?
  let result: [String]
  let run: @Sendable (KVMutableArray) throws -> Void

  init(
    _ title: String, _ record: String?, _ result: [String], _ run: @escaping @Sendable (KVMutableArray) throws -> Void
  ) {
    (testDescription, self.record, self.result, self.run) = (title, record, result, run)
  }
}

private let keys = ["stored", "placed", "plain", "single", "bulk", "sealed"]

private let operations: [Operation] = [
  Operation("remove every equal one", "removal at [1, 3] [a, a] → nil", ["c", "b"]) {
    let isRemoved = try $0.remove("a")
    #expect(isRemoved)
  },
  Operation("remove none", nil, ["c", "a", "b", "a"]) {
    let isRemoved = try $0.remove("z")
    #expect(!isRemoved)
  },
  Operation("remove several", "removal at [0, 1, 3] [c, a, a] → nil", ["b"]) {
    try $0.remove(contentsOf: ["a", "c", "zz", 5])
  },
  Operation("remove where", "removal at [0, 2] [c, b] → nil", ["a", "a"]) {
    try $0.removeAll { $0 as? String != "a" }
  },
  Operation("remove last", "removal at [3] [a] → nil", ["c", "a", "b"]) {
    let last = try $0.removeLast()
    #expect(last as? String == "a")
  },
  Operation("remove a range", "removal at [1, 2] [a, b] → nil", ["c", "a"]) { try $0.remove(at: 1..<3) },
  Operation("remove a closed range", "removal at [1, 2] [a, b] → nil", ["c", "a"]) { try $0.remove(at: 1...2) },
  Operation("remove by a stride", "removal at [0, 2] [c, b] → nil", ["a", "a"]) {
    try $0.remove(at: stride(from: 0, to: 4, by: 2))
  },
  Operation("insert at a range", "insertion at [1, 2] nil → [x, y]", ["c", "x", "y", "a", "b", "a"]) {
    try $0.insert(["x", "y"], at: 1..<3)
  },
  Operation("replace a range", "replacement at [0, 1] [c, a] → [x, y]", ["x", "y", "b", "a"]) {
    try $0.replace(at: 0..<2, with: ["x", "y"])
  },
  Operation("set", "setting [c, a, b, a] → [x, y]", ["x", "y"]) { try $0.set(["x", "y"]) },
  Operation("set to nothing", "setting [c, a, b, a] → []", []) { try $0.set([]) },
  Operation("move up", "replacement at [0, 1, 2] [c, a, b] → [a, b, c]", ["a", "b", "c", "a"]) {
    try $0.move(from: 0, to: 2)
  },
  Operation("move down", "replacement at [1, 2, 3] [a, b, a] → [a, a, b]", ["c", "a", "a", "b"]) {
    try $0.move(from: 3, to: 1)
  },
  Operation("move nowhere", nil, ["c", "a", "b", "a"]) { try $0.move(from: 2, to: 2) },
  Operation("swap", "replacement at [0, 2] [c, b] → [b, c]", ["b", "a", "c", "a"]) { try $0.exchange(2, 0) },
  Operation("sort", "replacement at [0, 1, 3] [c, a, a] → [a, a, c]", ["a", "a", "b", "c"]) {
    try $0.sort(by: "self")
  },
  Operation("sort, descending", "replacement at [1, 2] [a, b] → [b, a]", ["c", "b", "a", "a"]) {
    try $0.sort(by: "self", ascending: false)
  },
  Operation("sort by a function", "replacement at [1, 2] [a, b] → [b, a]", ["c", "b", "a", "a"]) {
    try $0.sort { ($0 as? String ?? "") > ($1 as? String ?? "") }
  },
]

/// An operation that has to fail, and its code.
private let mistakes: [(String, KVError.Code, @Sendable (KVMutableArray) throws(KVError) -> Void)] = [
  ("a range beyond", .indexOutOfRange, { (view) throws(KVError) in try view.remove(at: 2..<5) }),
  ("a huge range", .indexOutOfRange, { (view) throws(KVError) in try view.remove(at: 0..<Int.max) }),
  ("the hugest range", .indexOutOfRange, { (view) throws(KVError) in try view.remove(at: Int.min...Int.max) }),
  ("elements at a huge range", .indexOutOfRange, { (view) throws(KVError) in _ = try view.elements(at: 1...Int.max) }),
  ("indexes that descend", .unsupported, { (view) throws(KVError) in try view.remove(at: [2, 0]) }),
  ("too few elements", .unsupported, { (view) throws(KVError) in try view.replace(at: 0..<3, with: ["x"]) }),
  ("too many elements", .unsupported, { (view) throws(KVError) in try view.replace(at: 0..<1, with: ["x", "y"]) }),
  ("moved from beyond", .indexOutOfRange, { (view) throws(KVError) in try view.move(from: 4, to: 0) }),
  ("moved to beyond", .indexOutOfRange, { (view) throws(KVError) in try view.move(from: 0, to: Int.max) }),
  ("moved to before", .indexOutOfRange, { (view) throws(KVError) in try view.move(from: Int.min, to: -1) }),
  ("swapped with none", .indexOutOfRange, { (view) throws(KVError) in try view.exchange(0, 4) }),
  ("swapped twice none", .indexOutOfRange, { (view) throws(KVError) in try view.exchange(-1, -1) }),
  ("sorted by no key", .undefinedKey, { (view) throws(KVError) in try view.sort(by: "nmae") }),
  ("sorted by no path", .invalidKeyPath, { (view) throws(KVError) in try view.sort(by: "a..b") }),
  ("set to another type", .typeMismatch, { (view) throws(KVError) in try view.set(["x", 5]) }),
]

@Suite("COL.5: the operations of live views")
struct ToManyOperationTests {
  private func rows(_ bench: Bench, _ key: String) throws -> [String] {
    try bench.value(forKey: key, as: [String].self)
  }

  @Test("COL.2, COL.5: each operation notifies once, with its kind and indexes", arguments: keys, operations)
  private func observed(key: String, operation: Operation) throws {
    let (bench, log) = (Bench(), ChangeLines())
    let token = try log.watch(bench, try KVKeyPath(key))
    try operation.run(bench.mutableArray(forKey: key))
    // Without a setter a new array arrives by the table's functions; it is one setting all the same.
    #expect(log.lines == (operation.record.map { ["\(key) \($0)"] } ?? []))
    #expect(try rows(bench, key) == operation.result)
    token.cancel()
  }

  @Test("COL.5: each operation edits an array that nobody observes", arguments: keys, operations)
  private func unobserved(key: String, operation: Operation) throws {
    let bench = Bench()
    try operation.run(bench.mutableArray(forKey: key))
    #expect(try rows(bench, key) == operation.result)
  }

  @Test("COL.2: an operation calls a bulk accessor once", arguments: operations)
  private func calls(operation: Operation) throws {
    let bench = Bench()
    try operation.run(bench.mutableArray(forKey: "bulk"))
    let usesSetter = operation.testDescription.hasPrefix("set")
    #expect(bench.calls == (operation.record == nil || usesSetter ? 0 : 1))
  }

  @Test("COL.3, COL.5: bad indexes and elements throw; nothing changes and nobody is notified", arguments: keys)
  func refused(key: String) throws {
    let (bench, log) = (Bench(), ChangeLines())
    let token = try log.watch(bench, try KVKeyPath(key), [.old, .new, .prior])
    let view = bench.mutableArray(forKey: key)
    for (title, code, run) in mistakes {
      var found: KVError.Code?
      do throws(KVError) { try run(view) } catch { found = error.code }
      #expect(found == code, "\(title)")
    }
    #expect(log.lines == [])
    #expect(try rows(bench, key) == ["c", "a", "b", "a"])
    try view.set([])
    #expect(throws: KVError.self) { try view.removeLast() }
    token.cancel()
  }

  @Test("COL.2, COL.5: an array without a setter is set by the functions that have elements to remove or to insert")
  func setByFunctions() throws {
    let bench = Bench()
    let view = bench.mutableArray(forKey: "sealed")
    var calls: [Int] = []
    for rows in [["x", "y"], [], ["z"], []] as [[String]] {
      bench.calls = 0
      try view.set(rows)
      calls.append(bench.calls)
      #expect(bench.sealed == rows)
    }
    #expect(calls == [2, 1, 1, 1])
  }

  @Test("COL.5: the prior record of an operation has the kind, the indexes and the old elements")
  func prior() throws {
    let (bench, log) = (Bench(), ChangeLines())
    let token = try log.watch(bench, "stored", [.old, .new, .prior])
    try bench.mutableArray(forKey: "stored").move(from: 0, to: 1)
    #expect(
      log.lines == [
        "stored replacement prior at [0, 1] [c, a] → nil", "stored replacement at [0, 1] [c, a] → [a, c]",
      ])
    token.cancel()
  }

  @Test(
    "COL.5: a set's view removes what satisfies a predicate, and notifies of it once", arguments: ["tags", "added"])
  func sets(key: String) throws {
    let (bench, log) = (Bench(), ChangeLines())
    let token = try log.watch(bench, try KVKeyPath(key))
    let view = bench.mutableSet(forKey: key)
    #expect(view.count == 3)
    #expect(view.compactMap { $0 as? String }.sorted() == ["a", "b", "c"])
    try view.removeAll { $0 as? String == "b" }
    try view.removeAll { $0 as? String == "b" }
    #expect(log.lines == ["\(key) removal [b] → nil"])
    #expect(try view.elements() == ["a", "c"])
    token.cancel()
  }

  @Test("COL.5: an ordered set's view has the same operations, and keeps its elements unique")
  func orderedSets() throws {
    let (bench, log) = (Bench(), ChangeLines())
    let view = bench.mutableOrderedSet(forKey: "stored")
    let token = try log.watch(bench, "stored")
    try view.set(["b", "a", "b", "c"])
    #expect(view.map { $0 as? String } == ["b", "a", "c"])
    #expect(view.last as? String == "c")
    try view.sort(by: "self")
    try view.move(from: 0, to: 2)
    try view.remove(contentsOf: ["c", "z"])
    try view.removeAll { $0 as? String == "a" }
    try view.removeAll()
    #expect(
      log.lines == [
        "stored setting [c, a, b, a] → [b, a, c]", "stored replacement at [0, 1] [b, a] → [a, b]",
        "stored replacement at [0, 1, 2] [a, b, c] → [b, c, a]", "stored removal at [1] [c] → nil",
        "stored removal at [1] [a] → nil", "stored removal at [0] [b] → nil",
      ])
    token.cancel()
  }
}
