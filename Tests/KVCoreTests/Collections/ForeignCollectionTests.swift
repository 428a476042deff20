import KVCore
import Testing

@Suite("COL collections of any type")
struct ForeignCollectionTests {
  /// A collection that no table knows, as those of other packages.
  private struct Ring<Element>: RandomAccessCollection, RangeReplaceableCollection, MutableCollection {
    private var elements: [Element] = []
    init() {}
    init(_ elements: [Element]) { self.elements = elements }
    var capacity = 8
    var startIndex: Int { 100 }
    var endIndex: Int { 100 + elements.count }
    subscript(position: Int) -> Element {
      get { elements[position - 100] }
      set { elements[position - 100] = newValue }
    }
    mutating func replaceSubrange(_ range: Swift.Range<Int>, with new: some Collection<Element>) {
      elements.replaceSubrange((range.lowerBound - 100)..<(range.upperBound - 100), with: new)
    }
  }

  private final class Desk: KVObject {
    @KVProperty var items = Ring([ShopItem("tea", price: 2), ShopItem("jam", price: 3)])
    @KVProperty var numbers = Ring([1, 2, 3])
    @KVProperty var more: Ring<Int>?
    @KVProperty var range = 3...6
    @KVProperty var edited = Ring([1])
    @KVProperty var optional: [Int]?
    @KVProperty var marks: Set<Int>?
    var calls: [String] = []

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Desk.self) { key in
        key("items", \.items)
        key("numbers", \.numbers).lenient()
        key("more", \.more)
        key("range", \.range)
        key("edited", \.edited).indexed(
          insert: { desk, element, index in
            desk.calls.append("insert")
            desk.edited.insert(element, at: 100 + index)
          },
          remove: { desk, index in
            desk.calls.append("remove")
            desk.edited.remove(at: 100 + index)
          })
        key("marks", \.marks).unordered(
          add: { desk, added in
            desk.calls.append("add")
            desk.marks = (desk.marks ?? []).union(added)
          },
          remove: { desk, removed in
            desk.calls.append("take")
            desk.marks?.subtract(removed)
          })
        key("optional", \.optional).indexed(
          insert: { desk, element, index in
            desk.calls.append("insert")
            desk.optional = desk.optional ?? []
            desk.optional?.insert(element, at: index)
          },
          remove: { desk, index in
            desk.calls.append("remove")
            desk.optional?.remove(at: index)
          })
      }
    }
  }

  private let desk = Desk()

  @Test("COL.7: a view of a collection without random access passes each element a few times only")
  func linear() throws {
    final class Train: KVObject {
      @KVProperty var cars = Chain(Array(0..<1_000))
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Train.self) { key in key("cars", \.cars) }
      }
    }
    let train = Train()
    let view = train.mutableArray(forKey: "cars")
    #expect(try view.firstIndex(of: 999) == 999)
    #expect(try view.elements(at: 0..<1_000).count == 1_000)
    #expect(try view.remove(500))
    #expect(train.cars.steps.count < 20_000)
    #expect(try train.value(forKeyPath: "cars[998]") as? Int == 999)
  }

  @Test("COL.7: a path reads the elements of any collection, by key and by index")
  func paths() throws {
    #expect(try desk.value(forKeyPath: "items.name") as? [String] == ["tea", "jam"])
    #expect(try desk.value(forKeyPath: "items[1].name") as? String == "jam")
    #expect(try desk.value(forKeyPath: "numbers[2]") as? Int == 3)
    #expect(try desk.value(forKeyPath: "range[1]") as? Int == 4)
    #expect(try KVC.value(of: [1, 2, 3].lazy.map { $0 * 2 }, forKeyPath: "[2]") as? Int == 6)
    #expect(
      try KVC.value(of: [ShopItem("a")].reversed() as ReversedCollection, forKeyPath: "name") as? [String] == ["a"])
    let error = #expect(throws: KVError.self) { try desk.value(forKeyPath: "numbers[3]") }
    #expect(error?.code == .indexOutOfRange)
  }

  @Test("COL.7: its own keys precede those of its elements")
  func ownKeys() throws {
    #expect(try desk.value(forKeyPath: "items.capacity") as? Int == 8)
    #expect(try desk.value(forKeyPath: "range.lowerBound") as? Int == 3)
    #expect(throws: KVError.self) { try desk.value(forKeyPath: "items.nope") }
  }

  @Test("COL.7: operators take any collection")
  func operators() throws {
    #expect(try desk.value(forKeyPath: "items.@sum.price") as? Double == 5)
    #expect(try desk.value(forKeyPath: "numbers.@max.self") as? Int == 3)
    #expect(try desk.value(forKeyPath: "range.@count") as? Int == 4)
    #expect(try desk.value(forKeyPath: "range.@sum.self") as? Int == 18)
    #expect(try desk.value(forKeyPath: "items.@lastObject.name") as? String == "jam")
    #expect(try desk.value(forKeyPath: "items.@unionOfObjects.name") as? [String] == ["tea", "jam"])
    #expect(try KVC.value(of: [1...2, 4...5], forKeyPath: "@unionOfArrays.self") as? [Int] == [1, 2, 4, 5])
    desk.items = Ring()
    #expect(try desk.value(forKeyPath: "items.@sum.price") as? Int == 0)
  }

  @Test("COL.7: text is no collection")
  func text() {
    #expect(throws: KVError.self) { try KVC.value(of: "text", forKeyPath: "@count") }
    #expect(throws: KVError.self) { try KVC.value(of: "text"[...], forKeyPath: "[0]") }
  }

  @Test("COL.7: a key and an index of any collection are written")
  func writing() throws {
    try desk.setValue(9, forKeyPath: "items.price")
    #expect(desk.items.map(\.price) == [9, 9])
    try desk.setValue(7, forKeyPath: "items[0].price")
    try desk.setValue("8", forKeyPath: "numbers[0]")
    #expect(Array(desk.numbers) == [8, 2, 3])
    let recorder = ShopRecorder.watch(desk, "numbers")
    try desk.setValue(5.0, forKeyPath: "numbers[1]")
    #expect(Array(desk.numbers) == [8, 5, 3])
    #expect(recorder.take().count == 2)
    #expect(throws: KVError.self) { try desk.setValue(1, forKeyPath: "range[0]") }
  }

  @Test("COL.7, CO.2: collections convert to each other")
  func converting() throws {
    try desk.setValue([4, 5.0] as [Any], forKey: "numbers")
    #expect(Array(desk.numbers) == [4, 5])
    try desk.setValue(1...2, forKey: "more")
    #expect(desk.more.map { Array($0) } == [1, 2])
    #expect(try desk.value(forKey: "numbers", as: [Int].self) == [4, 5])
    #expect(try desk.value(forKey: "range", as: Set<Double>.self) == [3, 4, 5, 6])
    #expect(throws: KVError.self) { try desk.setValue(["x"], forKey: "numbers") }
    #expect(throws: KVError.self) { try desk.setValue([3, 4], forKey: "range") }
    #expect(throws: KVError.self) { try desk.setValue("12", forKey: "numbers") }
  }

  @Test("COL.7: a view reads any collection")
  func reading() throws {
    let view = desk.mutableArray(forKey: "range")
    #expect(view.count == 4)
    #expect(view[3] as? Int == 6)
    #expect(try view.elements() as? [Int] == [3, 4, 5, 6])
    #expect(throws: KVError.self) { try view.append(7) }
    #expect(throws: KVError.self) { try view.element(at: 4) }
    #expect(throws: KVError.self) { try desk.mutableSet(forKey: "range").elements() }
  }

  @Test("COL.7: a view edits any RangeReplaceableCollection, and notifies by kind")
  func editing() throws {
    let view = desk.mutableArray(forKey: "numbers")
    let recorder = ShopRecorder.watch(desk, "numbers")
    try view.append(contentsOf: [4, "5"])
    #expect(Array(desk.numbers) == [1, 2, 3, 4, 5])
    #expect(recorder.take().last?.hasPrefix("did numbers insertion at [3, 4]") == true)
    try view.remove(at: [0, 2])
    #expect(Array(desk.numbers) == [2, 4, 5])
    #expect(recorder.take().last?.hasPrefix("did numbers removal at [0, 2]") == true)
    try view.replace(at: 1, with: 9)
    #expect(Array(desk.numbers) == [2, 9, 5])
    #expect(recorder.take().last?.hasPrefix("did numbers replacement at [1]") == true)
    #expect(throws: KVError.self) { try view.append("x") }
    #expect(recorder.take() == [])
    let more = desk.mutableArray(forKey: "more")
    #expect(more.count == 0)
    try more.append(1)
    #expect(desk.more.map { Array($0) } == [1])
  }

  @Test("COL.2, COL.7: indexed accessors edit any RangeReplaceableCollection and optional arrays")
  func indexed() throws {
    try desk.mutableArray(forKey: "edited").append(contentsOf: [2, 3])
    try desk.mutableArray(forKey: "edited").remove(at: 0)
    #expect(Array(desk.edited) == [2, 3])
    #expect(desk.calls == ["insert", "insert", "remove"])
    desk.calls = []
    let optional = desk.mutableArray(forKey: "optional")
    let recorder = ShopRecorder.watch(desk, "optional")
    #expect(optional.count == 0)
    try optional.append(1)
    try optional.append(2)
    try optional.replace(at: 0, with: 3)
    #expect(desk.optional == [3, 2])
    #expect(desk.calls == ["insert", "insert", "remove", "insert"])
    #expect(recorder.take().count == 6)
    desk.calls = []
    try desk.mutableSet(forKey: "marks").add(7)
    try desk.mutableSet(forKey: "marks").add(8)
    try desk.mutableSet(forKey: "marks").remove(7)
    #expect(desk.marks == [8])
    #expect(desk.calls == ["add", "add", "take"])
  }
}
