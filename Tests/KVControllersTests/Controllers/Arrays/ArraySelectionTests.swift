import TestModels
import Testing

@testable import KVControllers

/// The selection of an arrangement as a value, beside a naive model of it (CTR.25–31).
@Suite struct ArraySelectionTests {
  @Test("CTR.25: invalid indexes are ignored, the others ascend")
  func selecting() {
    var selection = ArraySelection([4, -1, 2, 9, 2, 0], count: 5)
    #expect(selection.indexes == [0, 2, 4])
    selection.select(1..<100, count: 3)
    #expect(selection.indexes == [1, 2])
    selection.select([5], count: 5)
    #expect(selection.indexes == [] && selection.first == nil)
  }

  @Test("CTR.31: the neighbours of the first selected index")
  func neighbours() {
    #expect(ArraySelection().next(count: 0) == nil)
    #expect(ArraySelection().next(count: 2) == 0)
    #expect(ArraySelection().previous == nil)
    #expect(ArraySelection([1, 3], count: 4).next(count: 4) == 2)
    #expect(ArraySelection([1, 3], count: 4).previous == 0)
    #expect(ArraySelection([0], count: 1).previous == nil)
    #expect(ArraySelection([2], count: 3).next(count: 3) == nil)
  }

  @Test("CTR.30: an emptied selection selects the object that takes its place, or the last one")
  func neighbour() {
    var selection = ArraySelection([3, 5], count: 8)
    selection.follow(removed: [0, 3, 5], inserted: [])
    #expect(selection.isEmpty)
    selection.avoidEmpty(count: 5)
    #expect(selection.indexes == [2])
    selection.follow(removed: [2, 3, 4], inserted: [])
    selection.avoidEmpty(count: 2)
    #expect(selection.indexes == [1])
    selection.follow(removed: [0, 1], inserted: [])
    selection.avoidEmpty(count: 0)
    #expect(selection.indexes == [])
    selection.endUpdate()
    selection.avoidEmpty(count: 4)
    #expect(selection.indexes == [0])
  }

  @Test("CTR.28: the selection follows its objects through random edits", arguments: [1, 2, 3] as [UInt64])
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var objects = Array(0..<10)
    var next = 10
    var selection = ArraySelection()
    for _ in 0..<3_000 {
      if random.below(4) == 0 {
        selection.select(objects.indices.filter { _ in random.below(3) == 0 }, count: objects.count)
      }
      selection.endUpdate()
      let before = objects
      let selected = selection.indexes.map { before[$0] }
      // The removed objects, of which some are inserted again, and new ones.
      let removed = objects.indices.filter { _ in random.below(4) == 0 }
      for index in removed.reversed() { objects.remove(at: index) }
      var arriving = removed.map { before[$0] }.filter { _ in random.below(3) == 0 }
      let moved = Set(arriving)
      for _ in 0..<random.below(objects.count > 20 ? 2 : 5) {
        arriving.append(next)
        next += 1
      }
      var inserted: [Int] = []
      for object in arriving {
        let index = random.below(objects.count + 1)
        inserted = inserted.map { $0 >= index ? $0 + 1 : $0 } + [index]
        objects.insert(object, at: index)
      }
      let hasChanged = selection.follow(removed: removed, inserted: inserted.sorted()) { index in
        moved.contains(before[index]) ? objects.firstIndex(of: before[index]) : nil
      }
      let remaining = selected.filter(objects.contains)
      #expect(selection.indexes == objects.indices.filter { remaining.contains(objects[$0]) })
      #expect(hasChanged || selection.indexes.map { objects[$0] } == selected)
      guard remaining.isEmpty, !objects.isEmpty else { continue }
      selection.avoidEmpty(count: objects.count)
      let place = selected.first.map { first in before.prefix { $0 != first }.filter(objects.contains).count } ?? 0
      #expect(selection.indexes == [min(place, objects.count - 1)])
    }
  }

  @Test("CTR.28: a new order selects the same objects at their new indexes")
  func rearranging() {
    var selection = ArraySelection([0, 2], count: 4)
    selection.rearrange(count: 3, preserves: true) { [2, 0, 1, nil][$0] }
    #expect(selection.indexes == [1, 2])
    selection.rearrange(count: 2, preserves: true) { [0, nil, nil][$0] }
    #expect(selection.isEmpty)
    selection.avoidEmpty(count: 2)
    #expect(selection.indexes == [1])
    selection.rearrange(count: 1, preserves: true) { [0, nil][$0] }
    selection.avoidEmpty(count: 1)
    #expect(selection.indexes == [0])
    selection.select([0, 2], count: 3)
    selection.rearrange(count: 2, preserves: false) { $0 }
    #expect(selection.indexes == [0])
  }
}
