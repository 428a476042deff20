import KVControllers
import TestModels
import Testing

/// Values that are written through the selection, and which the arrangement moves, hides or keeps where they are.
@Suite struct MovingValueTests {
  private let list = KVArrayController<Point>()

  /// The second coordinates, which no write changes, tell the values apart.
  private func ids(_ points: [Point]) -> [Int] { points.map(\.y) }

  @Test("CTR.28: a selected value that a write moves stays selected, and other values do not become selected")
  func moving() throws {
    list.content = [3, 1, 2].enumerated().map { Point(x: $1, y: $0) }
    list.sortDescriptors = ["x"]
    list.automaticallyRearrangesObjects = true
    list.selectionIndexes = [0]
    #expect(ids(list.selectedObjects) == [1])
    try list.setValue(9, forKeyPath: "selection.x")
    #expect(ids(list.arrangedObjects) == [2, 0, 1])
    #expect(ids(list.selectedObjects) == [1] && list.selectionIndexes == [2])
    list.selectionIndexes = [0, 2]
    try list.setValue(0, forKeyPath: "selection.x")
    #expect(ids(list.arrangedObjects) == [1, 2, 0] && list.selectionIndexes == [0, 1])
  }

  @Test("CTR.28: a write to all values keeps all selected, and the filter deselects what it hides")
  func hiding() throws {
    list.avoidsEmptySelection = false
    list.content = (0..<4).map { Point(x: $0, y: $0) }
    list.sortDescriptors = [.descending("x")]
    list.filterPredicate = "x < 5"
    list.automaticallyRearrangesObjects = true
    list.selectionIndexes = [0, 1, 2, 3]
    try list.setValue(2, forKeyPath: "selection.x")
    #expect(ids(list.arrangedObjects) == [0, 1, 2, 3] && list.selectionIndexes == [0, 1, 2, 3])
    list.selectionIndexes = [1, 2]
    try list.setValue(7, forKeyPath: "selection.x")
    #expect(ids(list.arrangedObjects) == [0, 3] && list.selectionIndexes.isEmpty)
  }

  @Test("CTR.10, CTR.28: random writes through the selection of values", arguments: 1...20 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    list.avoidsEmptySelection = false
    list.automaticallyRearrangesObjects = seed % 4 != 0
    list.content = (0..<(1 + random.below(12))).map { Point(x: random.below(10), y: $0) }
    var copy: [Point] = list.arrangedObjects
    let token = try list.observe("arrangedObjects", options: [.new]) { change in
      let (new, indexes) = (change.new as? [Point] ?? [], change.indexes ?? [])
      switch change.kind {
      case .setting: copy = new
      case .removal: for index in indexes.reversed() { copy.remove(at: index) }
      case .insertion: for (index, point) in zip(indexes, new) { copy.insert(point, at: index) }
      case .replacement: for (index, point) in zip(indexes, new) { copy[index] = point }
      }
    }
    for step in 0..<400 {
      switch random.below(8) {
      case 0: list.sortDescriptors = [[], ["x"], [.descending("x")], ["x", .descending("y")]][random.below(4)]
      case 1: list.filterPredicate = [nil, "x < 7", "x != 3", "x > 1"][random.below(4)]
      case 2, 3: list.selectionIndexes = list.arrangedObjects.indices.filter { _ in random.below(3) == 0 }
      default:
        let selected = Set(ids(list.selectedObjects))
        if selected.isEmpty { continue }
        let value = random.below(10)
        if random.below(3) == 0 {
          try list.update { try list.setValue(value, forKeyPath: "selection.x") }
        } else {
          try list.setValue(value, forKeyPath: "selection.x")
        }
        let expected = ids(list.arrangedObjects).filter(selected.contains)
        #expect(ids(list.selectedObjects) == expected, "seed \(seed), step \(step)")
        #expect(list.content.allSatisfy { $0.x == value || !selected.contains($0.y) })
      }
      #expect(copy == list.arrangedObjects, "seed \(seed), step \(step)")
    }
    token.cancel()
  }
}
