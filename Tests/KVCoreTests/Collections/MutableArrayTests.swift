import KVCore
import Testing

@Suite("COL live views of ordered to-many keys")
struct MutableArrayTests {
  private let shelf = ShopShelf()

  private func rows(_ key: String) throws -> [String] { try shelf.value(forKey: key, as: [String].self) }

  private func code(_ body: () throws(KVError) -> Void) -> KVError.Code? {
    do throws(KVError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  static let keys = ["plain", "single", "halfSingle", "bulk", "halfBulk", "watched", "manual"]

  // MARK: COL.1

  @Test("COL.1 a view is live: it always reads through the owner", arguments: keys)
  func live(_ key: String) throws {
    let view = shelf.mutableArray(forKey: key)
    #expect(try view.elements() as? [String] == ["a", "b", "c"])
    try shelf.setValue(["k", "l"], forKey: key)
    #expect(try view.elements() as? [String] == ["k", "l"])
    #expect(try view.element(at: 1) as? String == "l")
    #expect(view.count == 2)
    #expect(Array(view) as? [String] == ["k", "l"])
    #expect(try shelf.mutableArray(forKey: key).elements().count == 2)
    #expect(shelf.calls == [])
  }

  @Test("COL.1 the same edits give the same array, whatever the accessors (P02, P03, P05)", arguments: keys)
  func edits(_ key: String) throws {
    let view = shelf.mutableArray(forKey: key)
    try view.append("x")
    #expect(try rows(key) == ["a", "b", "c", "x"])
    try view.insert("y", at: 0)
    #expect(try rows(key) == ["y", "a", "b", "c", "x"])
    try view.replace(at: 1, with: "R")
    #expect(try rows(key) == ["y", "R", "b", "c", "x"])
    try view.remove(at: 0)
    try view.remove(at: 3)
    #expect(try rows(key) == ["R", "b", "c"])
    try view.insert(["p", "q"], at: [0, 2])
    #expect(try rows(key) == ["p", "R", "q", "b", "c"])
    try view.insert(contentsOf: ["s", "t"], at: 1)
    #expect(try rows(key) == ["p", "s", "t", "R", "q", "b", "c"])
    try view.append(contentsOf: ["u", "v"])
    try view.remove(at: [0, 2, 8])
    #expect(try rows(key) == ["s", "R", "q", "b", "c", "u"])
    try view.replace(at: [0, 5], with: ["1", "2"])
    #expect(try rows(key) == ["1", "R", "q", "b", "c", "2"])
    try view.removeAll()
    #expect(try rows(key) == [])
    try view.append(contentsOf: ["z"])
    #expect(try rows(key) == ["z"])
    #expect(try view.elements() as? [String] == ["z"])
  }

  @Test("COL.1 a view of a key path edits the last object, whichever that is now (P11)")
  func keyPaths() throws {
    let view = try shelf.mutableArray(forKeyPath: "below.single")
    let first = ShopShelf()
    shelf.below = first
    try view.append("x")
    #expect(first.single == ["a", "b", "c", "x"])
    #expect(first.calls == ["insert x at 3"])
    let second = ShopShelf()
    shelf.below = second
    try view.remove(at: 0)
    #expect(first.single.count == 4)
    #expect(second.single == ["b", "c"])
    #expect(shelf.single == ["a", "b", "c"])
  }

  @Test("COL.1 through a nil in the middle reads and edits are refused by name (P11)")
  func nilMiddle() throws {
    let view = try shelf.mutableArray(forKeyPath: "below.below.plain")
    shelf.below = ShopShelf()
    let error = #expect(throws: KVError.self) { try view.append("x") }
    #expect(error?.code == .unresolvedPath)
    #expect(error?.keyPath == "below.below.plain")
    #expect(error?.rootType == "ShopShelf")
    #expect(code { () throws(KVError) in _ = try view.elements() } == .unresolvedPath)
    #expect(shelf.below?.plain == ["a", "b", "c"])
  }

  @Test("COL.1 an array in nested structs is edited by writing copies back")
  func nestedStructs() throws {
    let view = try shelf.mutableArray(forKeyPath: "offer.extras")
    try view.append("box")
    #expect(shelf.offer.extras == ["bag", "box"])
    try view.replace(at: 0, with: "sack")
    try view.remove(at: 1)
    #expect(shelf.offer.extras == ["sack"])
    #expect(shelf.offer.title == "offer")
    #expect(shelf.offer.price == ShopPrice())
  }

  @Test("COL.1 views of aliases and of a till that stores its slot")
  func aliases() throws {
    try shelf.mutableArray(forKey: "rows").append("x")
    #expect(shelf.plain == ["a", "b", "c", "x"])
  }

  @Test("COL.1 an optional array that is nil is empty, and comes to be with the first element")
  func optionalArray() throws {
    let view = shelf.mutableArray(forKey: "maybe")
    #expect(try view.elements().isEmpty)
    #expect(view.isEmpty)
    try view.append("x")
    #expect(shelf.maybe == ["x"])
    try view.append("y")
    #expect(shelf.maybe == ["x", "y"])
  }

  @Test("COL.1 elements may be nil where the array's elements are optional")
  func nilElements() throws {
    let view = shelf.mutableArray(forKey: "gaps")
    let elements = try view.elements()
    #expect(elements.count == 2)
    #expect(elements[0] as? String == "a")
    #expect(elements[1] == nil)
    try view.append("z")
    #expect(shelf.gaps == ["a", nil, "z"])
    try view.remove(at: 0)
    #expect(shelf.gaps == [nil, "z"])
    try view.insert(String?.none as Any, at: 2)
    #expect(shelf.gaps == [nil, "z", nil])
    view[1] = nil
    #expect(shelf.gaps == [nil, nil, nil])
  }

  @Test("COL.1 elements are made to fit the property, as values are")
  func coercion() throws {
    for key in ["numbers", "bulkNumbers"] {
      let view = shelf.mutableArray(forKey: key)
      try view.append(3)
      try view.replace(at: 0, with: true)
      #expect(try shelf.value(forKey: key, as: [Double].self) == [1, 2, 3])
    }
  }

  @Test("COL.1 an array in a record is edited in place")
  func records() throws {
    let record: KVRecord = ["tags": ["a"], "inner": ["tags": ["b"]]]
    try record.mutableArray(forKey: "tags").append("c")
    #expect(record["tags"] as? [String] == ["a", "c"])
    try record.mutableArray(forKeyPath: "inner.tags").insert("0", at: 0)
    #expect(try record.value(forKeyPath: "inner.tags") as? [String] == ["0", "b"])
    try record.mutableArray(forKey: "fresh").append("x")
    #expect(record["fresh"] as? [String] == ["x"])
  }

  @Test("COL.1 nothing is checked before the view is used; then errors name the key (P06)")
  func badKeys() throws {
    let missing = shelf.mutableArray(forKey: "nope")
    #expect(code { () throws(KVError) in try missing.append("x") } == .undefinedKey)
    let wrong = shelf.mutableArray(forKey: "offer")
    #expect(code { () throws(KVError) in _ = try wrong.elements() } == .unsupported)
    #expect(code { () throws(KVError) in try wrong.append("x") } == .unsupported)
    let dictionary: KVRecord = ["d": 5]
    #expect(code { () throws(KVError) in try dictionary.mutableArray(forKey: "d").append(1) } == .unsupported)
    for key in ["computed", "sealed"] {
      let view = shelf.mutableArray(forKey: key)
      #expect(try view.elements().isEmpty == false)
      #expect(code { () throws(KVError) in try view.append("x") } == .notSettable)
      #expect(code { () throws(KVError) in try view.remove(at: 0) } == .notSettable)
      #expect(code { () throws(KVError) in try view.replace(at: 0, with: "x") } == .notSettable)
    }
    #expect(throws: KVError.self) { try shelf.mutableArray(forKeyPath: "a..b") }
    for path in ["plain[0]", "plain.@self"] {
      let view = try shelf.mutableArray(forKeyPath: path)
      #expect(code { () throws(KVError) in try view.append("x") } == .unsupported)
    }
    #expect(shelf.plain == ["a", "b", "c"])
  }

  // MARK: COL.2

  @Test("COL.2 singular accessors are called once an element, in an order that keeps the indexes right")
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

  @Test("COL.2 without a replace accessor an element is removed and another one inserted")
  func noReplace() throws {
    try shelf.mutableArray(forKey: "halfSingle").replace(at: 1, with: "x")
    #expect(shelf.calls == ["remove at 1", "insert x at 1"])
    shelf.calls = []
    try shelf.mutableArray(forKey: "halfBulk").replace(at: [0, 2], with: ["x", "y"])
    #expect(shelf.calls == ["remove at [0, 2]", "insert [\"x\", \"y\"] at [0, 2]"])
    #expect(shelf.halfBulk == ["x", "b", "y"])
  }

  @Test("COL.2 bulk accessors are called once an operation, however many elements")
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

  @Test("COL.2 an operation on no elements calls nothing")
  func nothing() throws {
    for key in Self.keys {
      let view = shelf.mutableArray(forKey: key)
      try view.append(contentsOf: [])
      try view.insert([], at: [])
      try view.remove(at: [])
      try view.replace(at: [], with: [])
    }
    #expect(shelf.calls == [])
  }

  @Test("COL.2 elements that do not fit are refused before an accessor is called", arguments: keys)
  func wrongElements(_ key: String) throws {
    let view = shelf.mutableArray(forKey: key)
    #expect(code { () throws(KVError) in try view.append(5) } == .typeMismatch)
    #expect(code { () throws(KVError) in try view.insert(["x", 5], at: [0, 1]) } == .typeMismatch)
    #expect(code { () throws(KVError) in try view.replace(at: 1, with: 5) } == .typeMismatch)
    #expect(code { () throws(KVError) in try view.replace(at: [0, 1], with: ["x", 5]) } == .typeMismatch)
    #expect(try rows(key) == ["a", "b", "c"])
    #expect(shelf.calls == [])
  }

  @Test("COL.2 the accessors of a value's table are used too")
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

  // MARK: COL.3

  @Test("COL.3 out of range throws, and nothing is called (P09)", arguments: keys)
  func outOfRange(_ key: String) throws {
    let view = shelf.mutableArray(forKey: key)
    for index in [-1, 3, 10, Int.max, Int.min] {
      #expect(code { () throws(KVError) in _ = try view.element(at: index) } == .indexOutOfRange)
      #expect(code { () throws(KVError) in try view.remove(at: index) } == .indexOutOfRange)
      #expect(code { () throws(KVError) in try view.replace(at: index, with: "x") } == .indexOutOfRange)
      #expect(code { () throws(KVError) in try view.remove(at: [0, index].sorted()) } == .indexOutOfRange)
    }
    for index in [-1, 4, 10, Int.max, Int.min] {
      #expect(code { () throws(KVError) in try view.insert("x", at: index) } == .indexOutOfRange)
      #expect(code { () throws(KVError) in try view.insert(contentsOf: ["x", "y"], at: index) } == .indexOutOfRange)
    }
    #expect(code { () throws(KVError) in try view.insert(["x", "y"], at: [0, 5]) } == .indexOutOfRange)
    #expect(try rows(key) == ["a", "b", "c"])
    #expect(shelf.calls == [])
    try view.insert("x", at: 3)
    #expect(try rows(key) == ["a", "b", "c", "x"])
  }

  @Test("COL.3 the error names the index, the valid ones, the path and the root")
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

  @Test("COL.3 indexes that do not ascend, or do not pair with the elements, are refused")
  func badIndexes() throws {
    let view = shelf.mutableArray(forKey: "plain")
    #expect(code { () throws(KVError) in try view.remove(at: [1, 0]) } == .unsupported)
    #expect(code { () throws(KVError) in try view.remove(at: [1, 1]) } == .unsupported)
    #expect(code { () throws(KVError) in try view.insert(["x"], at: [0, 1]) } == .unsupported)
    #expect(code { () throws(KVError) in try view.replace(at: [0, 1], with: ["x"]) } == .unsupported)
    #expect(shelf.plain == ["a", "b", "c"])
  }

  @Test("COL.3 the collection conformance reads, writes, iterates, sorts and reverses")
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

  // MARK: COL.4

  @Test("COL.4 changing the stored array behind the owner's back shows in the view, and is heard by nobody (P08)")
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
