import KVControllers
import Testing

/// What `Docs/Controllers.md` says about a list in sections with undo.
@Suite("CTR.20, SRT.10, UND.1: a list in sections, with selection and undo")
struct SectionedListGuideTests {
  @KVModel final class Library: KVObject { var songs: [Song] = [] }

  @KVModel final class Song: KVObject {
    var title = ""
    var artist = ""

    convenience init(_ title: String, _ artist: String) {
      self.init()
      (self.title, self.artist) = (title, artist)
    }
  }

  @Test("CTR.20, SRT.10, UND.1: sections, selection and undo follow each other")
  func sections() throws {
    let library = Library()
    library.songs = [Song("Blue", "Joni"), Song("So What", "Miles"), Song("Amelia", "Joni")]
    let list = KVArrayController { Song() }
    try list.bindContent(to: "songs", of: library)
    let sections = try KVGroups<Song>(of: "arrangedObjects", in: list, by: "artist", sortedBy: [.natural("title")])
    let undo = KVUndoManager()
    try undo.recordElements(of: "songs", in: library)
    func shown() -> [String] {
      sections.groups.map { "\($0.key ?? "nobody"): \($0.elements.map(\.title).joined(separator: ", "))" }
    }
    #expect(shown() == ["Joni: Amelia, Blue", "Miles: So What"])

    try list.select(sections.groups[1].elements[0])
    try list.setValue("Joni", forKeyPath: "selection.artist")
    #expect(shown() == ["Joni: Amelia, Blue, So What"] && list.selectedObjects[0].title == "So What")
    #expect(undo.undoMenuTitle == "Undo Change artist")
    try undo.undo()
    #expect(shown() == ["Joni: Amelia, Blue", "Miles: So What"])

    let removed = list.selectedObjects[0]
    try list.remove()
    #expect(shown() == ["Joni: Amelia, Blue"] && undo.undoMenuTitle == "Undo Remove song")
    try undo.undo()
    #expect(shown() == ["Joni: Amelia, Blue", "Miles: So What"] && sections.groups[1].elements[0] === removed)

    list.filterPredicate = "title BEGINSWITH 'A'"
    #expect(shown() == ["Joni: Amelia"])
  }
}
