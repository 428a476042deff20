import KVControllers
import KVCore
import Testing

@Suite("UND undoing what is selected")
struct UndoGrowthTests {
  /// Counts the reads of its year.
  private final class Track: KVObject {
    private let reads: UndoReads
    private var stored = 1

    init(_ reads: UndoReads) { self.reads = reads }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Track.self) { key in
        key(
          "year",
          { (track: Track) in
            track.reads.count += 1
            return track.stored
          }, set: { $0.stored = $1 })
      }
    }
  }

  private final class Album: KVObject {
    @KVProperty var tracks: [Track] = []

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Album.self) { key in key("tracks", \.tracks) }
    }
  }

  /// Returns how often a key was read by an edit, its undo and its redo.
  private func counts(_ count: Int, _ edit: (KVArrayController<Track>) throws -> Void) throws -> [Int] {
    let (reads, album, undo) = (UndoReads(), Album(), KVUndoManager())
    album.tracks = (0..<count).map { _ in Track(reads) }
    try undo.record(tree: album, relationships: ["tracks"])
    let list = KVArrayController<Track>()
    try list.bindContent(to: "tracks", of: album)
    list.selectionIndexes = Array(0..<count)
    let fields = (0..<3).map { _ in ShelfWindow() }
    let options = KVBindingOptions(.twoWay, noSelection: -1, multipleValues: -2)
    for field in fields { try field.bind("number", to: "selection.year", of: list, options: options) }
    let column = try list.observe("arrangedObjects.year") { _ in }
    defer { column.cancel() }
    return [
      try reads.during { try edit(list) }, try reads.during { try undo.undo() }, try reads.during { try undo.redo() },
    ]
  }

  private static func editEach(_ list: KVArrayController<Track>) throws {
    try list.update { for track in list.arrangedObjects { try track.setValue(7, forKey: "year") } }
  }

  @Test("UND.15: for fields bound to n selected objects, an edit, its undo and its redo read O(n) values")
  func selected() throws {
    let edits: [(String, (KVArrayController<Track>) throws -> Void)] = [
      ("selection", { try $0.setValue(7, forKeyPath: "selection.year") }), ("update", Self.editEach),
    ]
    for (name, edit) in edits {
      let (few, many) = (try counts(20, edit), try counts(200, edit))
      #expect(zip(few, many).allSatisfy { $1 <= 11 * $0 }, "\(name) \(few) \(many)")
    }
  }
}
