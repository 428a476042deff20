import KVCore
import Testing

@Suite("COL live views of ordered to-many keys")
struct MutableArrayTests {
  private let shelf = ShopShelf()

  private func rows(_ key: String) throws -> [String] { try shelf.value(forKey: key, as: [String].self) }

  static let keys = ["plain", "single", "halfSingle", "bulk", "halfBulk", "watched", "manual"]

  @Test("COL.1: a view is live: it always reads through the owner", arguments: keys)
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

  @Test("COL.1: the same edits give the same array, whatever the accessors (P02, P03, P05)", arguments: keys)
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

  @Test("COL.1: a view of a key path edits the last object, whichever that is now (P11)")
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

  @Test("COL.1: through a nil in the middle reads and edits are refused by name (P11)")
  func nilMiddle() throws {
    let view = try shelf.mutableArray(forKeyPath: "below.below.plain")
    shelf.below = ShopShelf()
    let error = #expect(throws: KVError.self) { try view.append("x") }
    #expect(error?.code == .unresolvedPath)
    #expect(error?.keyPath == "below.below.plain")
    #expect(error?.rootType == "ShopShelf")
    #expect(failureCode { () throws(KVError) in _ = try view.elements() } == .unresolvedPath)
    #expect(shelf.below?.plain == ["a", "b", "c"])
  }

  @Test("COL.1: an array in nested structs is edited by writing copies back")
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

  @Test("COL.1: views of aliases and of a till that stores its slot")
  func aliases() throws {
    try shelf.mutableArray(forKey: "rows").append("x")
    #expect(shelf.plain == ["a", "b", "c", "x"])
  }

  @Test("COL.1: an optional array that is nil is empty, and comes to be with the first element")
  func optionalArray() throws {
    let view = shelf.mutableArray(forKey: "maybe")
    #expect(try view.elements().isEmpty)
    #expect(view.isEmpty)
    try view.append("x")
    #expect(shelf.maybe == ["x"])
    try view.append("y")
    #expect(shelf.maybe == ["x", "y"])
  }

  @Test("COL.1: elements may be nil where the array's elements are optional")
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

  @Test("COL.1: elements are made to fit the property, as values are")
  func coercion() throws {
    for key in ["numbers", "bulkNumbers"] {
      let view = shelf.mutableArray(forKey: key)
      try view.append(3)
      try view.replace(at: 0, with: true)
      #expect(try shelf.value(forKey: key, as: [Double].self) == [1, 2, 3])
    }
  }

  @Test("COL.1: an array in a record is edited in place")
  func records() throws {
    let record: KVRecord = ["tags": ["a"], "inner": ["tags": ["b"]]]
    try record.mutableArray(forKey: "tags").append("c")
    #expect(record["tags"] as? [String] == ["a", "c"])
    try record.mutableArray(forKeyPath: "inner.tags").insert("0", at: 0)
    #expect(try record.value(forKeyPath: "inner.tags") as? [String] == ["0", "b"])
    try record.mutableArray(forKey: "fresh").append("x")
    #expect(record["fresh"] as? [String] == ["x"])
  }

  @Test("COL.1: nothing is checked before the view is used; then errors name the key (P06)")
  func badKeys() throws {
    let missing = shelf.mutableArray(forKey: "nope")
    #expect(failureCode { () throws(KVError) in try missing.append("x") } == .undefinedKey)
    let wrong = shelf.mutableArray(forKey: "offer")
    #expect(failureCode { () throws(KVError) in _ = try wrong.elements() } == .unsupported)
    #expect(failureCode { () throws(KVError) in try wrong.append("x") } == .unsupported)
    let dictionary: KVRecord = ["d": 5]
    #expect(failureCode { () throws(KVError) in try dictionary.mutableArray(forKey: "d").append(1) } == .unsupported)
    for key in ["computed", "sealed"] {
      let view = shelf.mutableArray(forKey: key)
      #expect(try view.elements().isEmpty == false)
      #expect(failureCode { () throws(KVError) in try view.append("x") } == .notSettable)
      #expect(failureCode { () throws(KVError) in try view.remove(at: 0) } == .notSettable)
      #expect(failureCode { () throws(KVError) in try view.replace(at: 0, with: "x") } == .notSettable)
    }
    #expect(throws: KVError.self) { try shelf.mutableArray(forKeyPath: "a..b") }
    #expect(shelf.plain == ["a", "b", "c"])
  }

  @Test(
    "COL.3: a view of a path that leads to no such collection is refused when it is made, with the cure",
    arguments: [
      ("offer.nothing", KVError.Code.undefinedKey), ("plian", .undefinedKey), ("offer.title", .unsupported),
      ("plain[0]", .unsupported), ("plain.@self", .unsupported), ("a..b", .invalidKeyPath),
    ])
  func madeOfPaths(path: String, code: KVError.Code) {
    #expect(failureCode { () throws(KVError) in _ = try shelf.mutableArray(forKeyPath: path) } == code)
    #expect(failureCode { () throws(KVError) in _ = try shelf.mutableOrderedSet(forKeyPath: path) } == code)
    #expect(failureCode { () throws(KVError) in _ = try shelf.mutableSet(forKeyPath: path) } == code)
  }

  @Test("COL.3: a view of a path through the elements of a collection is refused, and nothing is written")
  func throughElements() throws {
    let record = try KVRecord(["items": [["tags": ["a"], "title": "A"], ["tags": ["b"], "title": "B"]]])
    for path in ["items.tags", "items.title"] {
      let error = #expect(throws: KVError.self) { try record.mutableArray(forKeyPath: path).append("c") }
      #expect(error?.code == .unsupported)
      let key = path.dropFirst(6)
      #expect(
        error?.message == """
          "\(path)" leads through the elements of a collection, each of which has its own. Make the view of one element, \
          such as "items[0].\(key)".
          """)
      #expect(throws: KVError.self) { try record.mutableSet(forKeyPath: path) }
    }
    try record.mutableArray(forKeyPath: "items[0].tags").append("c")
    #expect(KVC.areEqual(try record.value(forKeyPath: "items.tags"), [["a", "c"], ["b"]]))
    #expect(KVC.areEqual(try record.value(forKeyPath: "items.title"), ["A", "B"]))
    let basket: KVRecord = ["fruits": Set(["apple"])]
    let ofSet = #expect(throws: KVError.self) { try basket.mutableArray(forKeyPath: "fruits.tags") }
    #expect(ofSet?.message.hasSuffix(#"Make the view of one element, by its key "tags"."#) == true)
  }

  @Test("COL.3: a view of a path that leads to no such collection later is empty, and its methods throw")
  func leadingElsewhere() throws {
    shelf.below = ShopShelf()
    let (array, set) = (
      try shelf.mutableArray(forKeyPath: "below.plain"), try shelf.mutableSet(forKeyPath: "below.tags")
    )
    #expect(array.count == 3 && Array(array).count == 3 && set.count == Array(set).count)
    shelf.below = nil
    #expect(array.count == 0 && array.isEmpty && Array(array).isEmpty && set.count == 0 && Array(set).isEmpty)
    #expect(failureCode { () throws(KVError) in _ = try array.elements() } == .unresolvedPath)
    #expect(failureCode { () throws(KVError) in _ = try set.elements() } == .unresolvedPath)
    shelf.below = ShopShelf()
    #expect(array.count == 3)
  }
}
