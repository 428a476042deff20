import KVControllers
import Testing

@testable import KVControllers

/// What operations of an array controller cost, counted (CTR.40).
@Suite struct ArrayCountingTests {
  /// Counts the reads of its keys by key.
  private final class Row: KVObject {
    @KVProperty var rank: Int
    @KVProperty var size: Int
    private(set) var ranks = 0
    private(set) var sizes = 0

    init(_ rank: Int, size: Int = 0) { (self.rank, self.size) = (rank, size) }

    func take() -> (ranks: Int, sizes: Int) {
      defer { (ranks, sizes) = (0, 0) }
      return (ranks, sizes)
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Row.self) { key in
        key("rank") { row in
          row.ranks += 1
          return row.rank
        } set: {
          $0.rank = $1
        }
        key("size") { row in
          row.sizes += 1
          return row.size
        } set: {
          $0.size = $1
        }
      }
    }
  }

  private static let count = 1000
  private let list = KVArrayController<Row>()
  private let rows: [Row]

  init() {
    rows = (0..<Self.count).map { Row(($0 * 7919) % Self.count) }
    list.content = rows
  }

  private func sort(isAutomatic: Bool = true) {
    list.sortDescriptors = ["rank"]
    list.filterPredicate = "size < 10"
    list.automaticallyRearrangesObjects = isAutomatic
    _ = reads()
  }

  /// The reads of all rows since the last call: of ranks, and of sizes.
  private func reads() -> (ranks: Int, sizes: Int) {
    rows.map { $0.take() }.reduce((0, 0)) { ($0.0 + $1.ranks, $0.1 + $1.sizes) }
  }

  @Test("CTR.40: assigning, filtering and sorting evaluate each element once, and read each sort key once")
  func whole() {
    list.sortDescriptors = ["rank"]
    #expect(reads() == (Self.count, 0))
    list.filterPredicate = "size < 10"
    #expect(reads() == (Self.count, Self.count))
    list.content = rows.reversed()
    #expect(reads() == (Self.count, Self.count))
    list.rearrangeObjects()
    #expect(reads() == (Self.count, Self.count))
  }

  @Test("CTR.40: editing k elements by index evaluates these, and compares O(k log n) times")
  func editing() throws {
    sort()
    let added = (0..<10).map { Row($0 * 97) }
    let before = list.model.arrangement.comparisons
    list.clearsFilterPredicateOnInsertion = false
    try list.add(contentsOf: added)
    #expect(reads() == (0, 0))
    #expect(added.map { $0.take() }.allSatisfy { $0 == (1, 1) })
    // log₂ 1000 is 10; sorting ten objects compares them as well.
    #expect(list.model.arrangement.comparisons - before <= 10 * 11 + 40)
    let compared = list.model.arrangement.comparisons
    try list.remove(at: [3, 500, 700])
    #expect(reads() == (0, 0) && list.model.arrangement.comparisons == compared)
  }

  @Test("CTR.40: a change inside an element compares O(log n) times, and reads no key of another element")
  func changing() throws {
    sort()
    let before = list.model.arrangement.comparisons
    rows[500].rank = 3
    let own = rows[500].take()
    #expect(own.ranks <= 1 && own.sizes <= 1)
    #expect(reads() == (0, 0))
    #expect(list.model.arrangement.comparisons - before <= 12)
  }

  @Test("CTR.40: selecting reads nothing, and notifies each key once")
  func selecting() throws {
    sort()
    var lines: [String] = []
    let tokens = try ["selectionIndexes", "selectedObjects", "arrangedObjects", "content", "canRemove"].map { key in
      try list.observe(key) { _ in lines.append(key) }
    }
    list.selectionIndexes = Array(0..<500)
    #expect(reads() == (0, 0) && lines == ["selectionIndexes", "selectedObjects"])
    withExtendedLifetime(tokens) {}
  }

  @Test("CTR.40: many edits in one update { } cost as one", arguments: [false, true])
  func many(_ inserts: Bool) throws {
    let (list, count) = (KVArrayController<Row>(), 5000)
    var lines: [String] = []
    let tokens = try ["content", "arrangedObjects"].map { key in
      try list.observe(key, options: []) { lines.append("\(key) \($0.kind) \($0.indexes?.count ?? 0)") }
    }
    var steps = (0, 0)
    try list.update {
      for index in 0..<count {
        if inserts { try list.insert(Row(index), at: index / 2) } else { try list.add(Row(index)) }
      }
      steps = list.model.summary.steps
    }
    #expect(lines == ["content insertion \(count)", "arrangedObjects insertion \(count)"])
    // log₂ 5000 is 12.3.
    #expect(steps.0 <= count * 26 && steps.1 <= count * 26, "\(steps)")
    lines = []
    try list.update {
      for index in 0..<(count - 1) { try list.remove(at: [inserts ? (count - index) / 2 : 0]) }
      steps = list.model.summary.steps
    }
    #expect(lines == ["content removal \(count - 1)", "arrangedObjects removal \(count - 1)"])
    #expect(steps.0 <= count * 26 && steps.1 <= count * 26, "\(steps)")
    withExtendedLifetime(tokens) {}
  }

  @Test("CTR.40: elements are observed for automatic rearrangement and for observed paths only, each path once")
  func observing() throws {
    func count() -> Int { rows.reduce(0) { $0 + KVDiagnostics.observations(of: $1).count } }
    list.sortDescriptors = ["rank"]
    #expect(count() == 0)
    var token: KVObservation? = try list.observe("arrangedObjects.rank") { _ in }
    #expect(count() == Self.count)
    list.automaticallyRearrangesObjects = true
    #expect(count() == Self.count)
    list.filterPredicate = "size < 10"
    #expect(count() == 2 * Self.count)
    list.sortDescriptors = []
    #expect(count() == 2 * Self.count)
    token = nil
    #expect(count() == Self.count)
    list.automaticallyRearrangesObjects = false
    #expect(count() == 0 && token == nil)
    token = try list.observe("selectedObjects.rank") { _ in }
    list.selectionIndexes = [1, 2]
    #expect(count() == 2)
    token = nil
    #expect(count() == 0)
  }

  @Test("CTR.12, 40: a mapped value is read once per insertion, and once per change")
  func mapped() throws {
    var token: KVObservation? = try list.observe("arrangedObjects.rank", options: []) { _ in }
    #expect(reads() == (Self.count, 0))
    rows[10].rank = 5
    try list.remove(at: [1])
    let row = Row(3)
    try list.insert(row, at: 7)
    #expect(reads() == (1, 0) && row.take() == (1, 0))
    token = nil
    #expect(token == nil)
  }

  @Test("CTR.40: the places of many selected values cost O(1) each, and those that nobody follows are removed")
  func places() throws {
    let (points, count) = (KVArrayController<Point>(), 1000)
    points.content = (0..<count).map { Point(x: $0) }
    points.selectionIndexes = Array(0..<count)
    for value in 0..<3 { try points.setValue(value, forKeyPath: "selection.y") }
    #expect(points.content.allSatisfy { $0.y == 2 })
    let examined = points.model.arrangement.examinedStableIndexes
    #expect(examined > 0 && examined <= 3 * 4 * count, "\(examined)")
    for index in 0..<count {
      points.selectionIndexes = [index]
      try points.setValue(7, forKeyPath: "selection.y")
    }
    #expect(points.model.arrangement.stableIndexes.count <= 2 * count)
    points.selectionIndexes = []
    #expect(points.content.allSatisfy { $0.y == 7 })
  }
}
