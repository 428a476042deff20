import KVControllers
import KVCore
import Testing

/// Undoing and redoing what was written through the selection of a controller (CTR.36, UND.3).
@Suite("UND writes through a selection")
struct UndoJointTests {
  /// A track that counts the calls of a getter.
  private final class Track: KVObject {
    private struct Refusal: Error {}
    private let reads: UndoReads
    private var storedYear: Int
    private(set) var rating = 0
    /// The year that the setter refuses.
    var refusedYear: Int?
    var year: Int { storedYear }

    init(_ year: Int, _ reads: UndoReads = UndoReads()) { (storedYear, self.reads) = (year, reads) }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Track.self) { key in
        key(
          "year",
          { (track: Track) in
            track.reads.count += 1
            return track.storedYear
          },
          set: { track, year in
            if year == track.refusedYear { throw Refusal() }
            track.storedYear = year
          })
        key("rating", { (track: Track) in track.rating }, set: { $0.rating = $1 })
      }
    }
  }

  private final class Sheet: KVObject {
    @KVProperty var points: [Point] = [Point(x: 1), Point(x: 2)]

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Sheet.self) { key in key("points", \.points) }
    }
  }

  private final class Desk: KVObject {
    @KVProperty var list: KVArrayController<Track>

    init(_ list: KVArrayController<Track>) { self.list = list }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Desk.self) { key in key("list", \.list) }
    }
  }

  private let tracks = (0..<3).map { _ in Track(1) }
  private let list = KVArrayController<Track>()
  private let undo = KVUndoManager()
  private let log = ChangeLog()
  private let window = ShelfWindow()
  private var years: [Int] { tracks.map(\.year) }
  private let twoWay = KVBindingOptions(.twoWay, noSelection: -1, multipleValues: -2)

  init() throws {
    list.content = tracks
    list.selectionIndexes = [0, 1, 2]
    for track in tracks { try undo.record(track) }
  }

  // MARK: How often

  @Test("CTR.36, UND.3: observers of a path through the selection are notified once of a write, its undo and its redo")
  func once() throws {
    try log.observe(list, "selection.year")
    try log.observe(list, "selection.year", options: [.new, .prior])
    try log.observe(list, "selection.year", options: [.new, .coalesced])
    let prior = "selection.year (prior): nil → nil"
    try list.setValue(7, forKeyPath: "selection.year")
    #expect(
      log.take() == [prior, "selection.year: 1 → 7", "selection.year: nil → 7", "selection.year: nil → 7"])
    try undo.undo()
    #expect(
      log.take() == [prior, "selection.year: 7 → 1", "selection.year: nil → 1", "selection.year: nil → 1"])
    #expect(years == [1, 1, 1])
    try undo.redo()
    #expect(
      log.take() == [prior, "selection.year: 1 → 7", "selection.year: nil → 7", "selection.year: nil → 7"])
    #expect(years == [7, 7, 7] && undo.undoCount == 1)
    log.stop()
  }

  @Test("CTR.37, UND.3: what is undone in an update of the controller is part of that")
  func inUpdate() throws {
    try list.setValue(7, forKeyPath: "selection.year")
    try log.observe(list, "selection.year")
    try list.update {
      try undo.undo()
      #expect(log.lines.isEmpty)
    }
    #expect(log.take() == ["selection.year: 7 → 1"])
    try list.update { _ = try undo.redo() }
    #expect(log.take() == ["selection.year: 1 → 7"])
    log.stop()
  }

  @Test("UND.3: those of the objects are notified as of any change, and so are those that observe only after the write")
  func objects() throws {
    try list.setValue(7, forKeyPath: "selection.year")
    try log.observe(tracks[0], "year")
    try log.observe(tracks[2], "year")
    try log.observe(list, "selection.year")
    try undo.undo()
    #expect(log.lines == ["year: 7 → 1", "year: 7 → 1", "selection.year: 7 → 1"])
    log.stop()
  }

  /// Returns how often the keys of *n* selected objects are read by a write, its undo and its redo.
  private static func reads(
    _ count: Int, _ observe: (KVArrayController<Track>) throws -> Void
  ) throws -> [Int] {
    let reads = UndoReads()
    let list = KVArrayController<Track>()
    let undo = KVUndoManager()
    list.content = (0..<count).map { Track($0, reads) }
    list.selectionIndexes = Array(0..<count)
    for track in list.content { try undo.record(track) }
    try observe(list)
    reads.count = 0
    try list.setValue(7, forKeyPath: "selection.year")
    let write = reads.take()
    try undo.undo()
    let undone = reads.take()
    try undo.redo()
    return [write, undone, reads.take()]
  }

  @Test("CTR.40, UND.15: a bound field and observers read O(n) in a write, an undo and a redo of n objects")
  func linear() throws {
    func expectLinear(_ observe: (KVArrayController<Track>) throws -> Void) throws {
      for count in [50, 200] {
        let reads = try Self.reads(count, observe)
        #expect(reads.allSatisfy { $0 <= 6 * count }, "\(count) objects: \(reads)")
      }
    }
    try expectLinear { try window.bind("number", to: "selection.year", of: $0, options: twoWay) }
    for options in [[.new], [.old, .new], [.old, .prior]] as [KVObservingOptions] {
      try expectLinear { try log.observe($0, "selection.year", options: options) }
    }
    log.stop()
  }

  @Test("UND.3, CTR.40: undoing and redoing edits of each object by itself reads O(n), and notifies once")
  func singleEdits() throws {
    for count in [50, 200] {
      let reads = UndoReads()
      let (list, undo, log) = (KVArrayController<Track>(), KVUndoManager(), ChangeLog())
      list.content = (0..<count).map { _ in Track(1, reads) }
      list.selectionIndexes = Array(0..<count)
      for track in list.content { try undo.record(track) }
      try window.bind("number", to: "selection.year", of: list, options: twoWay)
      try log.observe(list, "selection.year")
      try undo.group { for track in list.content { try track.setValue(2, forKey: "year") } }
      _ = (log.take(), reads.take())
      try undo.undo()
      #expect(log.take() == ["selection.year: 2 → 1"] && window.number == 1)
      #expect(reads.take() <= 8 * count)
      try undo.redo()
      #expect(log.take() == ["selection.year: 1 → 2"] && window.number == 2)
      #expect(reads.take() <= 8 * count)
      window.unbindAll()
      log.stop()
    }
  }

  @Test("UND.3: so does undoing edits behind an object on the path, and of keys on which the path depends")
  func singleEditsBehind() throws {
    let parts = (0..<3).map { UndoPart("\($0)") }
    for part in parts { part.cover = UndoPart("a") }
    let list = KVArrayController<UndoPart>()
    list.content = parts
    list.selectionIndexes = [0, 1, 2]
    for part in parts { try undo.record(tree: part, relationships: ["cover"]) }
    try log.observe(list, "selection.cover.name")
    undo.group { for part in parts { part.cover?.name = "b" } }
    undo.group { for part in parts { part.cover = UndoPart("c") } }
    _ = log.take()
    try undo.undo()
    #expect(log.take() == ["selection.cover.name: c → b"])
    try undo.undo()
    #expect(log.take() == ["selection.cover.name: b → a"])
    log.stop()
  }

  @Test("UND.3: several paths and selections of one step, each once")
  func group() throws {
    let other = KVArrayController<Track>()
    other.content = tracks
    other.selectionIndexes = [1, 2]
    try log.observe(list, "selection.year", "selection.rating")
    try log.observe(other, "selection.rating")
    try undo.group {
      try list.setValue(7, forKeyPath: "selection.year")
      try list.setValue(3, forKeyPath: "selection.rating")
      try list.setValue(8, forKeyPath: "selection.year")
      try other.setValue(5, forKeyPath: "selection.rating")
    }
    _ = log.take()
    try undo.undo()
    #expect(
      log.take().sorted() == [
        "selection.rating: 5 → 0", "selection.rating: KVSelectionMarker.multipleValues → 0", "selection.year: 8 → 1",
      ])
    try undo.redo()
    #expect(
      log.take().sorted() == [
        "selection.rating: 0 → 5", "selection.rating: 0 → KVSelectionMarker.multipleValues", "selection.year: 1 → 8",
      ])
    log.stop()
  }

  @Test("UND.3, UND.6: a step of merged settings notifies once as well")
  func merged() throws {
    try undo.record(window, keys: ["number"])
    undo.mergesSettings(within: .seconds(1_000))
    let token = try window.observe("number") { [window, list, undo] _ in
      if window.number == 7, !undo.isUndoing { try? list.setValue(7, forKeyPath: "selection.year") }
    }
    window.number = 5
    window.number = 7
    #expect(undo.undoCount == 1 && years == [7, 7, 7])
    try log.observe(list, "selection.year")
    try undo.undo()
    #expect(years == [1, 1, 1] && log.lines == ["selection.year: 7 → 1"])
    token.cancel()
    log.stop()
  }

  @Test("UND.3, UND.4: a write that is rolled back in a step leaves the other changes of the step as they are")
  func rolledBack() throws {
    struct Failure: Error {}
    try log.observe(list, "selection.rating")
    undo.group {
      try? KVTransaction.run {
        try list.setValue(3, forKeyPath: "selection.rating")
        throw Failure()
      }
      try? tracks[0].setValue(7, forKey: "year")
    }
    _ = log.take()
    try undo.undo()
    #expect(years == [1, 1, 1] && log.lines.isEmpty)
    log.stop()
  }

  // MARK: Answers and failures

  @Test("UND.5: what observers change who are notified at the end is reverted")
  func answers() throws {
    try list.setValue(7, forKeyPath: "selection.year")
    var answers = 0
    let token = try list.observe("selection.year") { [undo, tracks] _ in
      guard undo.isUndoing, answers == 0 else { return }
      answers += 1
      try? tracks[1].setValue(99, forKey: "year")
    }
    try undo.undo()
    #expect(answers == 1 && years == [1, 1, 1] && undo.undoCount == 0 && undo.redoCount == 1)
    token.cancel()
  }

  @Test("UND.5: a write through the selection in a handler of an object is reverted, and notifies of nothing more")
  func nestedWrite() throws {
    try list.setValue(7, forKeyPath: "selection.year")
    try log.observe(list, "selection.year")
    var writes = 0
    let token = try tracks[1].observe("year") { [list, undo] _ in
      guard undo.isUndoing, writes == 0 else { return }
      writes += 1
      try? list.setValue(99, forKeyPath: "selection.year")
    }
    try undo.undo()
    #expect(writes == 1 && years == [1, 1, 1] && log.lines == ["selection.year: 7 → 1"])
    token.cancel()
    log.stop()
  }

  @Test("UND.7: a step that fails is notified of once, and its restoration once; a bound field shows the old value")
  func failure() throws {
    try window.bind("number", to: "selection.year", of: list, options: twoWay)
    try list.setValue(7, forKeyPath: "selection.year")
    try log.observe(list, "selection.year")
    // That of the first track is undone last.
    tracks[0].refusedYear = 1
    #expect(throws: KVError.self) { try undo.undo() }
    #expect(years == [7, 7, 7] && window.number == 7 && undo.undoCount == 1)
    let marker = "KVSelectionMarker.multipleValues"
    #expect(log.take() == ["selection.year: 7 → \(marker)", "selection.year: \(marker) → 7"])
    tracks[0].refusedYear = nil
    try undo.undo()
    #expect(years == [1, 1, 1] && window.number == 1 && log.lines == ["selection.year: 7 → 1"])
    log.stop()
  }

  // MARK: What is selected meanwhile

  @Test("UND.3: with another selection, only observers are notified whose values the undo concerns")
  func otherSelection() throws {
    let other = Track(1980)
    list.content.append(other)
    list.selectionIndexes = [0, 1, 2]
    try list.setValue(7, forKeyPath: "selection.year")
    list.selectionIndexes = [3]
    try log.observe(list, "selection.year")
    try undo.undo()
    #expect(years == [1, 1, 1] && log.take().isEmpty)
    list.selectionIndexes = [0, 1]
    _ = log.take()
    try undo.redo()
    #expect(years == [7, 7, 7] && other.year == 1980 && log.take() == ["selection.year: 1 → 7"])
    log.stop()
  }

  @Test("UND.13: a selection that is restored after the undo is one notification more")
  func restoredSelection() throws {
    undo.restoresSelection(of: list)
    list.content.append(Track(1980))
    list.selectionIndexes = [0, 1, 2]
    try list.setValue(7, forKeyPath: "selection.year")
    list.selectionIndexes = [2, 3]
    try log.observe(list, "selection.year")
    try undo.undo()
    let marker = "KVSelectionMarker.multipleValues"
    #expect(log.lines == ["selection.year: \(marker) → \(marker)", "selection.year: \(marker) → 1"])
    log.stop()
  }

  @Test("UND.3: a path that leads elsewhere after the step has the value from there, and notifies of nothing else")
  func otherController() throws {
    let other = KVArrayController<Track>()
    other.content = [Track(1980)]
    other.selectionIndexes = [0]
    let desk = Desk(list)
    try undo.record(desk)
    try window.bind("number", to: "list.selection.year", of: desk, options: twoWay)
    try log.observe(desk, "list.selection.year")
    try undo.group {
      try desk.setValue(7, forKeyPath: "list.selection.year")
      desk.list = other
    }
    #expect(log.take() == ["list.selection.year: 1 → 7", "list.selection.year: 7 → 1980"])
    try undo.undo()
    #expect(years == [1, 1, 1] && window.number == 1 && log.take().last?.hasSuffix("→ 1") == true)
    try undo.redo()
    #expect(years == [7, 7, 7] && window.number == 1980)
    #expect(log.lines == ["list.selection.year: 7 → 1980"])
    log.stop()
  }

  @Test("CTR.32, UND.12: nothing notifies of a selection whose controller is gone, which no step retains")
  func controllerGone() throws {
    var controller: KVArrayController<Track>? = KVArrayController()
    weak let gone = controller
    controller?.content = tracks
    controller?.selectionIndexes = [0, 1, 2]
    var selection = controller?.selection
    weak let goneSelection = selection
    try window.bind("number", to: "year", of: try #require(selection), options: twoWay)
    try log.observe(try #require(selection), "year")
    try selection?.setValue(7, forKey: "year")
    _ = log.take()
    controller = nil
    #expect(gone == nil)
    try undo.undo()
    #expect(years == [1, 1, 1] && window.number == 7 && log.take().isEmpty)
    window.unbindAll()
    log.stop()
    selection = nil
    #expect(goneSelection == nil)
    try undo.redo()
    #expect(years == [7, 7, 7])
  }

  @Test("CTR.36: elements that are values are restored in their content, once")
  func values() throws {
    let sheet = Sheet()
    let points = KVArrayController<Point>()
    try points.bindContent(to: "points", of: sheet)
    points.selectionIndexes = [0, 1]
    try undo.record(sheet)
    try log.observe(points, "selection.y")
    try points.setValue(7, forKeyPath: "selection.y")
    #expect(log.take() == ["selection.y: 0 → 7"])
    try undo.undo()
    #expect(sheet.points == [Point(x: 1), Point(x: 2)] && undo.undoCount == 0)
    #expect(log.lines == ["selection.y: 7 → 0"])
    log.stop()
  }
}
