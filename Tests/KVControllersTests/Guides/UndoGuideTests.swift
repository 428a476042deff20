import Foundation
import KVControllers
import KVTestSupport
import Testing

/// The code of Docs/Undo.md.
@Suite struct UndoGuideTests {
  final class Song: KVObject {
    @KVProperty var title = ""
    @KVProperty var year = 1950

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Song.self) { key in
        key("title", \.title)
        key("year", \.year)
      }
    }
  }

  final class Library: KVObject {
    @KVProperty var name = "Home"
    @KVProperty var songs = [Song(), Song()]

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Library.self) { key in
        key("name", \.name)
        key("songs", \.songs).metadata("displayName", "Lieder").metadata("elementName", "Lied")
      }
    }

    func load(_ url: URL) throws { name = url.lastPathComponent }
  }

  final class MenuItem: KVObject {
    @KVProperty var title = ""
    @KVProperty var isEnabled = false

    override class var keyTable: KVTable {
      super.keyTable.extended(for: MenuItem.self) { key in
        key("title", \.title)
        key("isEnabled", \.isEnabled)
      }
    }
  }

  final class Canvas {
    var angle = 0
    func rotate(by angle: Int) { self.angle += angle }
  }

  private let library = Library()
  private let undo = KVUndoManager()

  init() throws {
    try undo.record(library)
    try undo.recordElements(of: "songs", in: library)
  }

  @Test("UND.1, UND.3: recording, undoing and redoing")
  func beginning() throws {
    library.name = "Jazz"
    library.songs[0].title = "So What"
    try undo.undo()
    #expect(library.songs[0].title == "" && library.name == "Jazz")
    try undo.undo()
    #expect(library.name == "Home")
    try undo.redo()
    #expect(library.name == "Jazz")
    let (song, other) = (Song(), KVUndoManager())
    #expect(!KVUndoManager(on: .main).canUndo)
    try other.record(song, keys: ["title"])
    song.year = 1959
    #expect(!other.canUndo)
  }

  /// The document of "Saving", which writes its title into a file.
  private final class Document: KVObject {
    let part = UndoPart("untitled")
    let undo = KVUndoManager()
    private(set) var file = ""

    override init() {
      super.init()
      try? undo.record(tree: part, relationships: ["parts"])
    }

    func save() {
      file = part.name
      undo.markSaved()
    }

    func revert() throws { if try !undo.revertToSaved() { load() } }

    private func load() {
      undo.withoutRecording { part.name = file }
      undo.removeAll()
      undo.markSaved()
    }
  }

  @Test("UND.11, UND.16: a document is a tree that knows whether it is saved")
  func document() throws {
    let document = Document()
    document.part.name = "a"
    document.save()
    document.part.parts = [UndoPart("b")]
    document.part.parts[0].name = "c"
    #expect(document.undo.hasUnsavedChanges)
    try document.revert()
    #expect(document.part.parts.isEmpty && document.undo.redoCount == 2 && !document.undo.hasUnsavedChanges)
    try document.undo.undo()
    document.part.name = "d"
    try document.revert()
    #expect(document.part.name == "a" && !document.undo.canUndo && !document.undo.hasUnsavedChanges)
  }

  @Test("UND.4, UND.6, UND.8: steps")
  func steps() throws {
    let song = library.songs[0]
    try undo.group("Import") { try library.mutableArray(forKey: "songs").append(contentsOf: [Song(), Song()]) }
    #expect(undo.undoName == "Import")
    KVCoalescing.coalesce {
      song.title = "Blue in Green"
      song.year = 1959
    }
    try KVTransaction.run { try song.setValue("Freddie Freeloader", forKey: "title") }
    #expect(undo.undoCount == 3)
    undo.mergesSettings(within: .seconds(1_000))
    for text in ["A", "Al", "All"] { song.title = text }
    #expect(undo.undoCount == 4)
    while try undo.undo() {}
    #expect(song.title == "" && song.year == 1950 && library.songs.count == 2)
    try undo.withoutRecording { try library.load(URL(fileURLWithPath: "/Jazz")) }
    undo.removeAll()
    #expect(!undo.canUndo && !undo.canRedo && library.name == "Jazz")
  }

  @Test("UND.9, UND.10: menus in two languages")
  func menus() throws {
    let undoItem = MenuItem()
    try undoItem.bind("title", to: "undoMenuTitle", of: undo)
    try undoItem.bind("isEnabled", to: "canUndo", of: undo)
    library.songs[0].title = "So What"
    #expect(undoItem.title == "Undo Change title" && undoItem.isEnabled)
    undoItem.unbindAll()
    undo.stepName = { step in
      let subject = step.count == 1 ? step.elementName : "\(step.count) \(step.displayName)"
      return switch step.kind {
      case .setting, .replacement: "\(step.displayName) ändern"
      case .insertion: "\(subject) hinzufügen"
      case .removal: "\(subject) löschen"
      }
    }
    try undoItem.bind("title", to: "undoName", of: undo) { (name: String?) in "Rückgängig: \(name ?? "")" }
    try library.mutableArray(forKey: "songs").append(Song())
    #expect(undoItem.title == "Rückgängig: Lied hinzufügen")
    try library.mutableArray(forKey: "songs").remove(at: [0, 1])
    #expect(undoItem.title == "Rückgängig: 2 Lieder löschen")
  }

  @Test("UND.11, UND.13: saving, and edits that are no keys")
  func saving() throws {
    let canvas = Canvas()
    canvas.rotate(by: 90)
    undo.register(canvas, undo: { $0.rotate(by: -90) }, redo: { $0.rotate(by: 90) })
    undo.markSaved()
    try undo.undo()
    #expect(canvas.angle == 0 && undo.hasUnsavedChanges)
    try undo.redo()
    #expect(canvas.angle == 90 && !undo.hasUnsavedChanges)
  }
}
