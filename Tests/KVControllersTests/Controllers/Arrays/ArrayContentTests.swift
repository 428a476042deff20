import KVControllers
import KVTestSupport
import TestModels
import Testing

/// The content of array controllers, and its edits (CTR.3–5, 13, 20–23).
@Suite struct ArrayContentTests {
  private let list = KVArrayController { Tune() }
  private let a = Tune("a", rank: 1)
  private let b = Tune("b", rank: 2)
  private let c = Tune("c", rank: 3)

  @Test("CTR.3: defaults")
  func defaults() {
    #expect(list.isEditable && list.avoidsEmptySelection && list.preservesSelection)
    #expect(list.selectsInsertedObjects && list.clearsFilterPredicateOnInsertion)
    #expect(!list.automaticallyRearrangesObjects && !list.alwaysUsesMultipleValuesMarker)
    #expect(list.filterPredicate == nil && list.sortDescriptors.isEmpty && list.content.isEmpty)
    #expect(list.arrangedObjects.isEmpty && list.selectionIndexes.isEmpty && list.selectionIndex == nil)
  }

  @Test("CTR.3: each default is a key")
  func keys() throws {
    for key in [
      "isEditable", "avoidsEmptySelection", "preservesSelection", "selectsInsertedObjects",
      "clearsFilterPredicateOnInsertion", "automaticallyRearrangesObjects", "alwaysUsesMultipleValuesMarker",
    ] {
      let before = try list.value(forKeyPath: key, as: Bool.self)
      var values: [Bool?] = []
      let token = try list.observe(key, as: Bool.self) { values.append($0.new) }
      try list.setValue(!before, forKeyPath: key)
      #expect(try list.value(forKeyPath: key, as: Bool.self) == !before, "\(key)")
      #expect(values == [!before], "\(key)")
      token.cancel()
    }
    try list.setValue("rank < 2" as KVPredicate, forKey: "filterPredicate")
    #expect(list.filterPredicate == "rank < 2")
    try list.setValue(nil, forKey: "filterPredicate")
    #expect(list.filterPredicate == nil)
    try list.setValue(["rank"] as [KVSortDescriptor], forKey: "sortDescriptors")
    #expect(list.sortDescriptors == ["rank"])
  }

  @Test("CTR.4: new objects come from the closure or an override")
  func newObjects() throws {
    try list.add()
    #expect(list.content.count == 1)
    final class Titled: KVArrayController<Tune> {
      override func newObject() throws -> Tune { Tune("mine") }
    }
    let titled = Titled()
    try titled.insert()
    #expect(titled.content.map(\.title) == ["mine"])
    let none = KVArrayController<Tune>()
    #expect(throws: KVError.self) { try none.add() }
    expect(.unsupported) { try none.insert() }
    #expect(none.content.isEmpty)
    try none.add(a)
  }

  @Test("CTR.5: a refused call throws unsupported and changes nothing")
  func refused() throws {
    list.content = [a, b]
    list.isEditable = false
    #expect(!list.canAdd && !list.canInsert && !list.canRemove)
    expect(.unsupported) { try list.add() }
    expect(.unsupported) { try list.add(c) }
    expect(.unsupported) { try list.insert() }
    expect(.unsupported) { try list.insert(c, at: 0) }
    expect(.unsupported) { try list.remove() }
    expect(.unsupported) { try list.remove(at: [0]) }
    expect(.unsupported) { try list.remove(a) }
    #expect(list.content.map(\.title) == ["a", "b"])
    list.isEditable = true
    list.selectionIndexes = []
    #expect(list.canAdd && !list.canRemove)
    expect(.unsupported) { try list.remove() }
  }

  @Test("CTR.13: content is an array; nil is none, a set its members, another object an array of it")
  func kinds() throws {
    for key in ["content", "contentArray", "contentSet", "contentObject"] {
      try list.setValue([a, b], forKey: key)
      #expect(list.content.map(\.title) == ["a", "b"], "\(key)")
      try list.setValue(nil, forKey: key)
      #expect(list.content.isEmpty, "\(key)")
      try list.setValue(c, forKey: key)
      #expect(list.content.map(\.title) == ["c"], "\(key)")
      #expect(throws: KVError.self) { try list.setValue("text", forKey: key) }
      #expect(list.content.map(\.title) == ["c"], "\(key)")
    }
    let texts = KVArrayController<String>()
    try texts.setValue(Set(["x", "y"]), forKey: "contentSet")
    #expect(texts.content.sorted() == ["x", "y"])
    expect(.typeMismatch) { try texts.setValue(Tune(), forKey: "content") }
  }

  @Test("CTR.2: elements are values, dictionaries or records")
  func values() throws {
    let numbers = KVArrayController<Int>()
    numbers.content = [3, 1, 2, 1]
    numbers.sortDescriptors = ["self"]
    #expect(numbers.arrangedObjects == [1, 1, 2, 3])
    try numbers.remove(1)
    #expect(numbers.content == [3, 2])
    let rows = KVArrayController<[String: Int]>()
    rows.content = [["n": 2], ["n": 1], [:]]
    rows.sortDescriptors = [.ascending("n", nils: .last)]
    rows.filterPredicate = "n != 2"
    #expect(rows.arrangedObjects == [["n": 1], [:]])
    let records = KVArrayController<KVRecord>()
    records.content = try [KVRecord(["n": 2]), KVRecord(["n": 1])]
    records.sortDescriptors = ["n"]
    let numbersOfRecords = try records.arrangedObjects.map { try $0.value(forKey: "n") as? Int }
    #expect(numbersOfRecords == [1, 2])
  }

  @Test("CTR.20: add appends, insert() inserts after the selection, or last")
  func adding() throws {
    list.content = [a, b]
    list.selectionIndexes = [0]
    try list.insert()
    #expect(list.content.map(\.title) == ["a", "new", "b"])
    #expect(list.selectionIndexes == [1])
    try list.add(contentsOf: [c, Tune("d")])
    #expect(list.content.map(\.title) == ["a", "new", "b", "c", "d"])
    #expect(list.selectionIndexes == [3, 4])
    list.selectionIndexes = []
    try list.insert()
    #expect(list.content.map(\.title) == ["a", "new", "b", "c", "d", "new"])
  }

  @Test("CTR.21: an insertion at an index of the arrangement, in the content before the object that had it")
  func inserting() throws {
    list.content = [c, a, b]
    list.sortDescriptors = ["title"]
    try list.insert(Tune("x"), at: 1)
    #expect(list.arrangedObjects.map(\.title) == ["a", "x", "b", "c"])
    #expect(list.content.map(\.title) == ["c", "a", "x", "b"])
    try list.insert(Tune("y"), at: 4)
    #expect(list.arrangedObjects.map(\.title) == ["a", "x", "b", "c", "y"])
    #expect(list.content.map(\.title) == ["c", "a", "x", "b", "y"])
    try list.insert(contentsOf: [Tune("1"), Tune("2")], at: [0, 2])
    #expect(list.arrangedObjects.map(\.title) == ["1", "a", "2", "x", "b", "c", "y"])
    list.automaticallyRearrangesObjects = true
    try list.insert(Tune("bb"), at: 0)
    #expect(list.arrangedObjects.map(\.title) == ["1", "2", "a", "b", "bb", "c", "x", "y"])
  }

  @Test("CTR.21: an invalid index and a hidden object throw")
  func insertingWrongly() throws {
    list.content = [a, b]
    expect(.indexOutOfRange) { try list.insert(c, at: 3) }
    expect(.indexOutOfRange) { try list.insert(c, at: -1) }
    list.filterPredicate = "rank < 3"
    list.clearsFilterPredicateOnInsertion = false
    expect(.invalidValue) { try list.insert(c, at: 0) }
    #expect(list.content.count == 2)
  }

  @Test("CTR.22: adding and inserting clear the filter first, in the same update")
  func clearing() throws {
    list.content = [a, b, c]
    list.filterPredicate = "rank == 3"
    var filters: [KVPredicate?] = []
    let token = try list.observe("filterPredicate") { [list] _ in
      filters.append(list.filterPredicate)
      #expect(list.arrangedObjects.map(\.title) == ["a", "b", "d", "c"])
    }
    try list.insert(Tune("d"), at: 2)
    #expect(filters == [nil])
    token.cancel()
    list.filterPredicate = "rank == 3"
    list.content = [a]
    #expect(list.filterPredicate == "rank == 3" && list.arrangedObjects.isEmpty)
    list.clearsFilterPredicateOnInsertion = false
    try list.add(b)
    #expect(list.filterPredicate == "rank == 3" && list.arrangedObjects.isEmpty)
  }

  @Test("CTR.23: removals: of the selection, at indexes, of all equal objects")
  func removing() throws {
    list.content = [a, b, a, c]
    list.selectionIndexes = [0]
    try list.remove()
    #expect(list.content.map(\.title) == ["b", "a", "c"])
    try list.remove(at: [0])
    #expect(list.content.map(\.title) == ["a", "c"])
    expect(.indexOutOfRange) { try list.remove(at: [0, 2]) }
    #expect(list.content.count == 2)
    try list.add(a)
    list.filterPredicate = "title == 'c'"
    try list.remove(a)
    #expect(list.content.map(\.title) == ["c"])
    try list.remove(b)
    #expect(list.content.map(\.title) == ["c"])
    try list.remove(contentsOf: [b, c])
    #expect(list.content.isEmpty)
  }
}
