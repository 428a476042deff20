import KVCore
import Testing

@Suite("COL how edits reach the owner")
struct MutableArrayEditingTests {
  private let shelf = ShopShelf()

  private func rows(_ key: String) throws -> [String] { try shelf.value(forKey: key, as: [String].self) }

  @Test("COL.2: singular accessors are called once an element, in an order that keeps the indexes right")
  func singular() throws {
    let view = shelf.mutableArray(forKey: "single")
    try view.insert(["p", "q"], at: [0, 2])
    #expect(shelf.calls == ["insert p at 0", "insert q at 2"])
    shelf.calls = []
    try view.remove(at: [0, 2])
    #expect(shelf.calls == ["remove at 2", "remove at 0"])
    shelf.calls = []
    try view.replace(at: [0, 1], with: ["x", "y"])
    #expect(shelf.calls == ["replace at 0 with x", "replace at 1 with y"])
    #expect(shelf.single == ["x", "y", "c"])
  }

  @Test("COL.2: without a replace accessor an element is removed and another one inserted")
  func noReplace() throws {
    try shelf.mutableArray(forKey: "halfSingle").replace(at: 1, with: "x")
    #expect(shelf.calls == ["remove at 1", "insert x at 1"])
    shelf.calls = []
    try shelf.mutableArray(forKey: "halfBulk").replace(at: [0, 2], with: ["x", "y"])
    #expect(shelf.calls == ["remove at [0, 2]", "insert [\"x\", \"y\"] at [0, 2]"])
    #expect(shelf.halfBulk == ["x", "b", "y"])
  }

  @Test("COL.2: bulk accessors are called once an operation, however many elements")
  func bulk() throws {
    let view = shelf.mutableArray(forKey: "bulk")
    try view.append(contentsOf: ["x", "y"])
    try view.remove(at: [0, 1, 2])
    try view.replace(at: [0, 1], with: ["1", "2"])
    try view.append("z")
    try view.removeAll()
    #expect(
      shelf.calls == [
        "insert [\"x\", \"y\"] at [3, 4]", "remove at [0, 1, 2]", "replace at [0, 1] with [\"1\", \"2\"]",
        "insert [\"z\"] at [2]", "remove at [0, 1, 2]",
      ])
  }

  @Test("COL.2: an operation on no elements calls nothing")
  func nothing() throws {
    for key in MutableArrayTests.keys {
      let view = shelf.mutableArray(forKey: key)
      try view.append(contentsOf: [])
      try view.insert([], at: [])
      try view.remove(at: [])
      try view.replace(at: [], with: [])
    }
    #expect(shelf.calls == [])
  }

  @Test("COL.2: elements that do not fit are refused before an accessor is called", arguments: MutableArrayTests.keys)
  func wrongElements(_ key: String) throws {
    let view = shelf.mutableArray(forKey: key)
    #expect(failureCode { () throws(KVError) in try view.append(5) } == .typeMismatch)
    #expect(failureCode { () throws(KVError) in try view.insert(["x", 5], at: [0, 1]) } == .typeMismatch)
    #expect(failureCode { () throws(KVError) in try view.replace(at: 1, with: 5) } == .typeMismatch)
    #expect(failureCode { () throws(KVError) in try view.replace(at: [0, 1], with: ["x", 5]) } == .typeMismatch)
    #expect(try rows(key) == ["a", "b", "c"])
    #expect(shelf.calls == [])
  }

  @Test("COL.2: the accessors of a value's table are used too")
  func valueAccessors() throws {
    let stand = ShopStand()
    try stand.mutableArray(forKeyPath: "basket.rows").append("b")
    #expect(stand.basket.rows == ["a", "b"])
    #expect(stand.basket.calls == ["insert b"])
    try stand.mutableArray(forKeyPath: "basket.rows").remove(at: 0)
    #expect(stand.basket.rows == ["b"])
    #expect(stand.basket.calls == ["insert b", "remove 0"])
    try stand.mutableSet(forKeyPath: "basket.tags").set(["y"])
    #expect(stand.basket.tags == ["y"])
    #expect(stand.basket.calls == ["insert b", "remove 0", "remove x", "add y"])
  }

  @Test("COL.3: out of range throws, and nothing is called (P09)", arguments: MutableArrayTests.keys)
  func outOfRange(_ key: String) throws {
    let view = shelf.mutableArray(forKey: key)
    for index in [-1, 3, 10, Int.max, Int.min] {
      #expect(failureCode { () throws(KVError) in _ = try view.element(at: index) } == .indexOutOfRange)
      #expect(failureCode { () throws(KVError) in try view.remove(at: index) } == .indexOutOfRange)
      #expect(failureCode { () throws(KVError) in try view.replace(at: index, with: "x") } == .indexOutOfRange)
      #expect(failureCode { () throws(KVError) in try view.remove(at: [0, index].sorted()) } == .indexOutOfRange)
    }
    for index in [-1, 4, 10, Int.max, Int.min] {
      #expect(failureCode { () throws(KVError) in try view.insert("x", at: index) } == .indexOutOfRange)
      #expect(
        failureCode { () throws(KVError) in try view.insert(contentsOf: ["x", "y"], at: index) } == .indexOutOfRange)
    }
    #expect(failureCode { () throws(KVError) in try view.insert(["x", "y"], at: [0, 5]) } == .indexOutOfRange)
    #expect(try rows(key) == ["a", "b", "c"])
    #expect(shelf.calls == [])
    try view.insert("x", at: 3)
    #expect(try rows(key) == ["a", "b", "c", "x"])
  }

  @Test("COL.3: the error names the index, the valid ones, the path and the root")
  func message() {
    let error = #expect(throws: KVError.self) { try shelf.mutableArray(forKey: "plain").remove(at: 10) }
    #expect(error?.message == "index 10 is out of range: valid indexes are 0 to 2.")
    #expect(error?.keyPath == "plain")
    #expect(error?.rootType == "ShopShelf")
    let inserting = #expect(throws: KVError.self) { try shelf.mutableArray(forKey: "plain").insert("x", at: 10) }
    #expect(inserting?.message == "index 10 is out of range: valid indexes are 0 to 3.")
    let reading = #expect(throws: KVError.self) { try shelf.mutableArray(forKey: "plain").element(at: 10) }
    #expect(reading?.keyPath == "plain")
    let empty = #expect(throws: KVError.self) { try shelf.mutableArray(forKey: "maybe").remove(at: 0) }
    #expect(empty?.message == "index 0 is out of range: the collection is empty.")
  }

  @Test("COL.3: indexes that do not ascend, or do not pair with the elements, are refused")
  func badIndexes() throws {
    let view = shelf.mutableArray(forKey: "plain")
    #expect(failureCode { () throws(KVError) in try view.remove(at: [1, 0]) } == .unsupported)
    #expect(failureCode { () throws(KVError) in try view.remove(at: [1, 1]) } == .unsupported)
    #expect(failureCode { () throws(KVError) in try view.insert(["x"], at: [0, 1]) } == .unsupported)
    #expect(failureCode { () throws(KVError) in try view.replace(at: [0, 1], with: ["x"]) } == .unsupported)
    #expect(shelf.plain == ["a", "b", "c"])
  }

  @Test("COL.3: the collection conformance reads, writes, iterates, sorts and reverses")
  func conformance() throws {
    var view = shelf.mutableArray(forKey: "single")
    #expect(view.count == 3)
    #expect(view.startIndex == 0)
    #expect(view.endIndex == 3)
    #expect(view[1] as? String == "b")
    view[1] = "x"
    #expect(shelf.single == ["a", "x", "c"])
    #expect(shelf.calls == ["replace at 1 with x"])
    view.swapAt(0, 2)
    #expect(shelf.single == ["c", "x", "a"])
    #expect(view.map { $0 as? String } == ["c", "x", "a"])
    #expect(view.first as? String == "c")
    #expect(view.last as? String == "a")
    view.reverse()
    #expect(shelf.single == ["a", "x", "c"])
  }

  @Test("COL.4: changing the stored array behind the owner's back shows in the view, and notifies nobody (P08)")
  func behindTheBack() throws {
    let recorder = ShopRecorder.watch(shelf, "plain")
    let view = shelf.mutableArray(forKey: "plain")
    shelf.plain.append("behind")
    #expect(try view.elements() as? [String] == ["a", "b", "c", "behind"])
    #expect(recorder.lines == [])
  }
}

/// A value whose table has accessors for editing in place.
private struct ShopBasket: KeyValueCoding {
  var rows = ["a"]
  var tags: Set<String> = ["x"]
  var calls: [String] = []

  static var keyTable: KVTable {
    KVTable(ShopBasket.self) { key in
      key("rows", \.rows).indexed(
        insert: {
          $0.calls.append("insert \($1)")
          $0.rows.insert($1, at: $2)
        },
        remove: {
          $0.calls.append("remove \($1)")
          $0.rows.remove(at: $1)
        })
      key("tags", \.tags).unordered(
        add: {
          $0.calls.append("add \($1.sorted().joined())")
          $0.tags.formUnion($1)
        },
        remove: {
          $0.calls.append("remove \($1.sorted().joined())")
          $0.tags.subtract($1)
        })
    }
  }
}

private final class ShopStand: KVObject {
  var basket = ShopBasket()

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ShopStand.self) { key in key("basket", \.basket) }
  }
}
