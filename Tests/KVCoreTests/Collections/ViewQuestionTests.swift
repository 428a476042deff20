import KVCore
import KVQuery
import TestModels
import Testing

@Suite("COL.5: what live views find, and how they sort")
struct ViewQuestionTests {
  private final class Box: KVObject {
    var reals: [Double?] = [2, nil, .nan, 1]
    var mixed: [Any] = [3, "b", 1]
    var items = [
      ShopItem("tea", price: 3, quantity: 1), ShopItem("cups", price: 1, quantity: 1),
      ShopItem("milk", price: 3, quantity: 2),
    ]
    @KVProperty var measures: Set<Double> = [.nan, 1]
    @KVProperty var anything: Any = Set<AnyHashable>([1])

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Box.self) { key in
        key("reals", \.reals)
        key("mixed", \.mixed)
        key("items", \.items)
        key("measures", \.measures)
        key("anything", \.anything)
      }
    }
  }

  private let box = Box()

  @Test("COL.5: elements are found by CO.7: numbers of any type, nil, and NaN as well")
  func finding() throws {
    let view = box.mutableArray(forKey: "reals")
    #expect(try view.firstIndex(of: 2) == 0)
    #expect(try view.firstIndex(of: nil) == 1)
    #expect(try view.firstIndex(of: Float.nan) == 2)
    #expect(try view.firstIndex(of: "x") == nil)
    #expect(try view.contains(1))
    #expect(try !view.contains(3))
    #expect(try view.elements(at: 0...1).count == 2)
    #expect(try view.elements(at: [3]) as? [Double] == [1])
    #expect(try box.mutableArray(forKey: "items").firstIndex(of: box.items[2]) == 2)
    try view.remove(contentsOf: [Double.nan, 2, Double?.none as Any])
    #expect(box.reals == [1])
  }

  @Test("COL.5, SRT.4: sorting by a key path is stable; nil precedes all values, and NaN follows all numbers")
  func sorting() throws {
    try box.mutableArray(forKey: "items").sort(by: "price")
    #expect(box.items.map(\.name) == ["cups", "tea", "milk"])
    try box.mutableArray(forKey: "items").sort(by: "price", ascending: false)
    #expect(box.items.map(\.name) == ["tea", "milk", "cups"])
    try box.mutableArray(forKey: "reals").sort(by: "self")
    #expect(box.reals.map { $0.map { $0.isNaN ? -1 : $0 } } == [nil, 1, 2, -1])
    try box.mutableArray(forKey: "reals").sort(by: "self", ascending: false)
    #expect(box.reals.map { $0.map { $0.isNaN ? -1 : $0 } } == [-1, 2, 1, nil])
    var random = SplitMix64(seed: 5)
    for _ in 0..<200 {
      let values: [Double?] = [nil, .nan, -.nan, .infinity, -.infinity, 0, -0.0, 1, .nan]
      box.reals = (0..<random.below(30)).map { _ in values[random.below(values.count)] }
      let expected = try box.reals.sorted(by: ["self"])
      try box.mutableArray(forKey: "reals").sort(by: "self")
      #expect(box.reals.map { $0?.bitPattern } == expected.map { $0?.bitPattern })
      #expect(box.reals.drop { $0 == nil }.drop { $0?.isNaN == false }.allSatisfy { $0?.isNaN == true })
      try box.mutableArray(forKey: "reals").sort(by: ["self"] as [KVSortDescriptor])
      #expect(box.reals.map { $0?.bitPattern } == expected.map { $0?.bitPattern })
    }
  }

  @Test("COL.5: values that cannot be compared are an error that names them, and the array stays")
  func incomparable() throws {
    let error = #expect(throws: KVError.self) { try box.mutableArray(forKey: "mixed").sort(by: "self") }
    #expect(error?.code == .typeMismatch)
    #expect(error?.message.contains("the String \"b\"") == true)
    #expect(box.mixed.first as? Int == 3)
  }

  @Test("COL.5: a set with NaN can be emptied, and NaN found, added once and removed")
  func notANumber() throws {
    let view = box.mutableSet(forKey: "measures")
    #expect(try view.contains(Double.nan))
    try view.formUnion([Double.nan, 2])
    #expect(box.measures.count == 3)
    try view.removeAll()
    #expect(box.measures.isEmpty)
    try view.add(Double.nan)
    try view.remove(Double.nan)
    #expect(box.measures.isEmpty)
    try view.set([Double.nan, 5])
    try view.set([5])
    #expect(box.measures == [5])
    try view.formUnion([Double.nan])
    try view.formIntersection([Double.nan])
    #expect(box.measures.count == 1)
    try view.set([])
    #expect(box.measures.isEmpty)
    let any = box.mutableSet(forKey: "anything")
    try any.formUnion(["x", Double.nan])
    #expect(try any.elements().allSatisfy { $0.base is Int || $0.base is String || $0.base is Double })
    try any.removeAll()
    #expect((box.anything as? Set<AnyHashable>)?.isEmpty == true)
  }

  @Test("COL.5: a view is a sequence: its elements are those of the moment, read once")
  func sequences() throws {
    #expect(box.mutableArray(forKey: "reals").lazy.compactMap { $0 as? Double }.first == 2)
    #expect(box.mutableSet(forKey: "measures").contains { ($0 as? Double) == 1 })
    #expect(box.mutableOrderedSet(forKey: "items").count == 3)
    #expect((box.mutableOrderedSet(forKey: "items")[1] as? ShopItem)?.name == "cups")
  }
}
