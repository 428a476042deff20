import Testing

@testable import KVCore

/// Arrays of all three kinds.
private final class Kinds: KVObject {
  var array = [0, 1, 2, 3, 4]
  var contiguous: ContiguousArray = [0, 1, 2, 3, 4]
  var slice = [9, 9, 0, 1, 2, 3, 4, 9][2..<7]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Kinds.self) { key in
      key("array", \.array)
      key("contiguous", \.contiguous)
      key("slice", \.slice)
    }
  }
}

@Suite("COL arrays, contiguous arrays and slices")
struct OrderedValueTests {
  private let kinds = Kinds()

  @Test(
    "COL.2: the same edits give the same elements, whatever kind of array", arguments: ["array", "contiguous", "slice"])
  func edits(_ key: String) throws {
    let view = kinds.mutableArray(forKey: key)
    func expect(_ elements: [Int], sourceLocation: SourceLocation = #_sourceLocation) throws {
      #expect(try view.elements() as? [Int] == elements, sourceLocation: sourceLocation)
    }
    try view.insert([7, 8], at: [1, 4])
    try expect([0, 7, 1, 2, 8, 3, 4])
    try view.insert([5, 6], at: [0, 8])
    try expect([5, 0, 7, 1, 2, 8, 3, 4, 6])
    try view.remove(at: [0, 2, 5, 8])
    try expect([0, 1, 2, 3, 4])
    try view.insert(contentsOf: [6, 7], at: 2)
    try expect([0, 1, 6, 7, 2, 3, 4])
    try view.remove(at: [2, 3])
    try view.replace(at: [0, 4], with: [10, 14])
    try expect([10, 1, 2, 3, 14])
    try view.removeAll()
    try expect([])
    try view.append(1)
    try expect([1])
  }

  @Test("COL.1: a slice keeps its indexes when elements are replaced")
  func slices() throws {
    try kinds.mutableArray(forKey: "slice").replace(at: 1, with: 11)
    #expect(kinds.slice.startIndex == 2)
    #expect(kinds.slice[3] == 11)
    try kinds.setValue(12, forKeyPath: "slice[2]")
    #expect(kinds.slice.startIndex == 2)
    #expect(kinds.slice[4] == 12)
    #expect(try kinds.value(forKeyPath: "slice[0]") as? Int == 0)
    try kinds.mutableArray(forKey: "slice").remove(at: [0, 2])
    #expect(kinds.slice == [11, 3, 4])
    #expect(kinds.slice.startIndex == 2)
  }

  @Test("COL.2: elements of another type are not inserted as they are")
  func otherTypes() {
    var array = [1, 2]
    let (texts, none): (any CollectionValue, any CollectionValue) = (["a"], [Int]())
    let areInserted = array.insert(texts, at: [0])
    let replaced = array.replace(at: [0], with: texts)
    #expect(!areInserted && array == [1, 2])
    #expect(replaced == nil && array == [1, 2])
    let isNothingInserted = array.insert(none, at: [])
    #expect(isNothingInserted && array == [1, 2])
    let removed: any CollectionValue = array.remove(at: [])
    #expect(removed.elementCount == 0 && array == [1, 2])
  }

  @Test("COL.1: the memory of all three kinds is that of their elements")
  func memory() throws {
    for key in ["array", "contiguous", "slice"] {
      let array = try #require(try kinds.value(forKey: key) as? any OrderedValue)
      var sum = 0
      array.withElementMemory { start, stride in
        for index in 0..<array.elementCount { sum += (start + index * stride).of(Int.self).pointee }
      }
      #expect(sum == 10)
      #expect(Equality.areEqual(array, [0, 1, 2, 3, 4]))
    }
  }
}
