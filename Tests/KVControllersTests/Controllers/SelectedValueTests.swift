import KVCore
import Testing

@testable import KVControllers

/// Writes to selected values hit the values for which they were meant (CTR.36, BND.13).
@Suite("CTR selected values")
struct SelectedValueTests {
  private final class Map: KVObject {
    @KVProperty var points: [Point] = []
    @KVProperty var origin = Point()
    var corners: [Point] { points }
    var center: Point { origin }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Map.self) { key in
        key("points", \.points)
        key("origin", \.origin)
        key("corners", \.corners).affected(by: "points")
        key("center", \.center).affected(by: "origin")
      }
    }
  }

  private let map = Map()
  private let list = KVArrayController<Point>()
  private let window = ShelfWindow()
  private var all: [[Int]] { list.content.map { [$0.x, $0.y] } }

  private func fill(_ points: (Int, Int)...) throws {
    map.points = points.map { Point(x: $0, y: $1) }
    try list.bindContent(to: "points", of: map)
  }

  // MARK: Handlers of prior records

  @Test("CTR.36: a write in a prior handler hits the value that was selected then, not the one that is selected next")
  func priorOfSelection() throws {
    list.content = [Point(x: 1), Point(x: 2), Point(x: 3)]
    list.selectionIndexes = [0]
    let token = try list.observe("selection", options: [.prior]) { [list] change in
      if change.isPrior { try? list.setValue(9, forKeyPath: "selection.y") }
    }
    list.selectionIndexes = [1]
    #expect(all == [[1, 9], [2, 0], [3, 0]] && list.selectionIndexes == [1])
    token.cancel()
  }

  @Test("CTR.36: the same while rows are inserted, removed and sorted, also in update", arguments: 0..<5)
  func priorOfEdits(kind: Int) throws {
    list.content = [Point(x: 1), Point(x: 2), Point(x: 3)]
    list.selectionIndexes = [1, 2]
    var writes = 0
    let token = try list.observe("arrangedObjects", options: [.prior]) { [list] change in
      if change.isPrior, writes == 0 {
        writes += 1
        try? list.setValue(9, forKeyPath: "selection.y")
      }
    }
    switch kind {
    case 0: try list.insert(Point(x: 0), at: 0)
    case 1: try list.remove(at: [0])
    case 2: list.sortDescriptors = [.descending("x")]
    case 3:
      list.update {
        try? list.insert(Point(x: 0), at: 0)
        list.sortDescriptors = [.descending("x")]
      }
    default: list.content = [Point(x: 3), Point(x: 7), Point(x: 2)]
    }
    #expect(writes == 1)
    #expect(Set(all.filter { $0[1] == 9 }.map { $0[0] }) == [2, 3], "\(all)")
    token.cancel()
  }

  @Test("CTR.36: a write to a value that leaves the content with the update throws, and changes no other one")
  func priorOfRemoval() throws {
    list.content = [Point(x: 1), Point(x: 2)]
    let form = KVObjectController(Point(x: 1))
    list.selectionIndexes = [0]
    var errors: [KVError.Code?] = []
    let tokens = try [list as KVController, form].map { controller in
      try controller.observe("content", options: [.prior]) { [controller] change in
        guard change.isPrior, errors.count < 2 else { return }
        do { try controller.setValue(9, forKeyPath: "selection.y") } catch { errors.append((error as? KVError)?.code) }
      }
    }
    try list.remove()
    form.content = Point(x: 2)
    #expect(errors == [.unresolvedPath, .unresolvedPath])
    #expect(all == [[2, 0]] && form.content == Point(x: 2))
    tokens.forEach { $0.cancel() }
  }

  // MARK: Pending edits

  private func field(_ key: String, _ path: String) throws -> KVPathBinding {
    try window.bind(
      KVKeyPath(key), to: KVKeyPath(path), of: list,
      options: .init(.twoWay, noSelection: -1, multipleValues: -2, trigger: .onCommit))
  }

  @Test("BND.13: an edit of a value is committed to it after rows have moved", arguments: 0..<4)
  func movedRows(kind: Int) throws {
    try fill((1, 0), (2, 0), (3, 0))
    if kind == 2 { (list.automaticallyRearrangesObjects, list.sortDescriptors) = (true, ["x"]) }
    list.selectionIndexes = [1]
    let binding = try field("number", "selection.y")
    window.number = 7
    let points = map.mutableArray(forKey: "points")
    switch kind {
    case 0: try points.insert(Point(x: 9), at: 0)
    case 1: try points.remove(at: 0)
    case 2:
      try points.replace(at: [0], with: [Point(x: 9)])
      #expect(list.selectionIndexes == [0])
    default: map.points = [Point(x: 8), Point(x: 3), Point(x: 2)]
    }
    #expect(binding.hasPendingEdit && window.number == 7)
    try list.commitEditing()
    #expect(all.filter { $0[1] == 7 } == [[2, 7]] && map.points == list.content, "\(all)")
  }

  @Test("BND.13: an edit of a value is not committed into its neighbour when the row is removed")
  func removedRow() throws {
    try fill((1, 0), (2, 0), (3, 0))
    list.selectionIndexes = [1]
    let binding = try field("number", "selection.y")
    window.number = 7
    try map.mutableArray(forKey: "points").remove(at: 1)
    #expect(all == [[1, 0], [3, 0]] && list.selectionIndexes == [1])
    #expect(!binding.hasPendingEdit && window.number == 0 && binding.lastError?.code == .unresolvedPath)
  }

  @Test("BND.13: an edit of a value is committed to it when another one is selected")
  func otherSelection() throws {
    try fill((1, 0), (2, 0), (3, 5))
    list.selectionIndexes = [0, 1]
    let binding = try field("number", "selection.y")
    window.number = 7
    // Selecting by the model: nothing commits first.
    list.selectNow { [2] }
    #expect(all == [[1, 7], [2, 7], [3, 5]] && window.number == 5 && !binding.hasPendingEdit)
    list.selectionIndexes = [0]
    window.number = 8
    try list.setValue(4, forKeyPath: "selection.x")
    #expect(binding.hasPendingEdit && window.number == 8)
    try list.commitEditing()
    #expect(all == [[4, 8], [2, 7], [3, 5]] && map.points == list.content)
  }

  // MARK: One-way contents

  @Test("CTR.5, CTR.36: a value of a content that is bound one-way is not written, since the model would not have it")
  func oneWay() throws {
    map.points = [Point(x: 1), Point(x: 2)]
    try list.bindContent(to: "corners", of: map)
    let form = KVObjectController<Point>()
    try form.bindContent(to: "center", of: map)
    list.selectionIndexes = [0, 1]
    for controller in [list as KVController, form] {
      let binding = try window.bind("number", to: "selection.y", of: controller, options: .init(.twoWay))
      #expect(!binding.isEditable)
      let error = #expect(throws: KVError.self) { try controller.setValue(7, forKeyPath: "selection.y") }
      #expect(error?.code == .unsupported)
      window.number = 7
      #expect(binding.lastError?.code == .unsupported)
      binding.cancel()
      window.number = 0
    }
    #expect(all == [[1, 0], [2, 0]] && form.content == Point() && map.origin == Point())
    // Objects of such a content are their own.
    let shelf = ShelfController()
    let books = KVObjectController<Book>()
    shelf.selectedObjects = [Book("A")]
    try books.bindContent(to: "selection.@firstObject", of: shelf)
    try books.setValue("B", forKeyPath: "selection.title")
    #expect(books.content?.title == "B")
  }

  // MARK: Failing writes

  @Test("CTR.36: if the write fails, those that were notified before it are notified after it, and nobody else is")
  func failingWrite() throws {
    let shelf = ShelfController()
    shelf.selectedObjects = [Book("A", 2000), Book("B", 1000)]
    let log = ChangeLog()
    try log.observe(shelf, "selection.price", options: [.old, .new, .prior])
    try log.observe(shelf, "selection.price")
    #expect(throws: KVError.self) { try shelf.setValue(1500, forKeyPath: "selection.price") }
    #expect(log.take() == ["selection.price (prior): 0 → nil", "selection.price: 0 → 0"])
    try shelf.setValue(1, forKeyPath: "selection.price")
    #expect(
      log.take() == ["selection.price (prior): 0 → nil", "selection.price: 0 → 1", "selection.price: 0 → 1"])
  }

  // MARK: Several writes in one update

  @Test("CTR.6, CTR.37: a path of several values notifies once of all writes in update { }, at its end")
  func writesInUpdate() throws {
    try fill((1, 0), (2, 0), (3, 0))
    list.selectionIndexes = [0, 1]
    let log = ChangeLog()
    try log.observe(list, "selection.x", options: [.old, .new])
    try list.update {
      try list.setValue(7, forKeyPath: "selection.x")
      try list.setValue(8, forKeyPath: "selection.x")
      #expect(log.take() == [])
    }
    #expect(log.take() == ["selection.x: \(KVSelectionMarker.multipleValues) → 8"])
    #expect(map.points.map(\.x) == [8, 8, 3])
    try list.update {
      try list.setValue(9, forKeyPath: "selection.x")
      try list.remove()
    }
    #expect(log.take() == ["selection.x: 8 → 3"])
  }

  @Test("CTR.37: objects behind the values are not the controller's, and are set in one change each time")
  func objectsInUpdate() throws {
    let books = [Book("A", by: Writer("Ada")), Book("B", by: Writer("Bob"))]
    let shelves = KVArrayController<[String: Book]>()
    shelves.content = books.map { ["book": $0] }
    shelves.selectionIndexes = [0, 1]
    let log = ChangeLog()
    try log.observe(shelves, "selection.book.title", options: [.old, .new])
    try shelves.update { try shelves.setValue("C", forKeyPath: "selection.book.title") }
    #expect(log.take() == ["selection.book.title: \(KVSelectionMarker.multipleValues) → C"])
    #expect(books.map(\.title) == ["C", "C"])
  }
}
