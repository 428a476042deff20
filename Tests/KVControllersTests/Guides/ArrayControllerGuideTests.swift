import KVControllers
import KVTestSupport
import Testing

/// The code of the sections on array controllers of Docs/Controllers.md.
@Suite struct ArrayControllerGuideTests {
  final class Artist: KVObject {
    @KVProperty var name: String

    init(_ name: String) {
      self.name = name
      super.init()
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Artist.self) { key in key("name", \.name) }
    }
  }

  final class Track: KVObject {
    @KVProperty var title: String

    init(_ title: String = "untitled") {
      self.title = title
      super.init()
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Track.self) { key in key("title", \.title) }
    }
  }

  final class Song: KVObject {
    @KVProperty var title = ""
    @KVProperty var year = 2020
    @KVProperty var artist: Artist?
    @KVProperty var tracks: [Track] = []

    convenience init(_ title: String, _ year: Int = 2020, by artist: Artist? = nil, tracks: [Track] = []) {
      self.init()
      (self.title, self.year, self.artist, self.tracks) = (title, year, artist, tracks)
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Song.self) { key in
        key("title", \.title)
        key("year", \.year)
        key("artist", \.artist)
        key("tracks", \.tracks)
      }
    }
  }

  final class Library: KVObject {
    @KVProperty var songs: [Song] = []

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Library.self) { key in key("songs", \.songs) }
    }
  }

  final class Label: KVObject {
    @KVProperty var text: String? = ""

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Label.self) { key in key("text", \.text) }
    }
  }

  /// A list that applies changes by index, as a table view does.
  final class Page {
    var rows: [String] = []

    func patch(_ change: KVChange) {
      let titles = (change.new as? [Song])?.map(\.title) ?? []
      switch change.kind {
      case .setting: rows = titles
      case .removal: for index in change.indexes?.reversed() ?? [] { rows.remove(at: index) }
      case .insertion: for (index, title) in zip(change.indexes ?? [], titles) { rows.insert(title, at: index) }
      case .replacement: for (index, title) in zip(change.indexes ?? [], titles) { rows[index] = title }
      }
    }
  }

  private let library = Library()
  private let dinah = Artist("Dinah")
  private let nina = Artist("Nina")

  init() {
    library.songs = [
      Song("Track 10", 1959, by: nina), Song("Track 9", 1960, by: dinah), Song("Blue", 1999, by: nina),
    ]
  }

  @Test("CTR.14, 17, 18: a sorted and filtered list of a model")
  func list() throws {
    let (page, first) = (Page(), 1950)
    let wanted: KVPredicate = "year >= \(first) AND title CONTAINS[cd] 'track'"

    let list = KVArrayController { Song() }
    try list.bindContent(to: "songs", of: library)
    list.automaticallyRearrangesObjects = true
    let token = try list.observe("arrangedObjects", options: [.initial, .old, .new]) { page.patch($0) }
    list.update {
      list.sortDescriptors = [.natural("title")]
      list.filterPredicate = wanted
    }
    #expect(page.rows == ["Track 9", "Track 10"])

    library.songs[2].title = "Track 1"
    #expect(page.rows == ["Track 1", "Track 9", "Track 10"])
    try list.remove(at: [1])
    #expect(page.rows == ["Track 1", "Track 10"] && library.songs.count == 2)
    token.cancel()
  }

  @Test("CTR.32, 33, 38: fields that show what is selected")
  func markers() throws {
    let (field, total) = (Label(), Label())
    let list = KVArrayController { Song() }
    try list.bindContent(to: "songs", of: library)
    try field.bind(
      "text", to: "selection.artist.name", of: list,
      options: .init(.twoWay, noSelection: "", multipleValues: "several artists", validates: true))
    try total.bind("text", to: "selection.@count", of: list) { (n: Int) in "\(n) selected" }
    #expect(field.text == "Nina" && total.text == "1 selected")

    list.selectionIndexes = [0, 1, 2]
    #expect(field.text == "several artists" && total.text == "3 selected")
    guard case .marker(.multipleValues) = list.selection["year"] else {
      Issue.record("the years differ")
      return
    }
    list.selectionIndexes = [0, 2]
    #expect(field.text == "Nina")
    field.text = "Simone"
    #expect(nina.name == "Simone")
    list.selectionIndexes = []
    #expect(field.text == "" && total.text == "0 selected")
  }

  @Test("CTR.15: a master list and the details of what is selected in it")
  func masterAndDetail() throws {
    let albums = KVArrayController { Song() }
    albums.content = [
      Song("A", tracks: [Track("a1"), Track("a2")]), Song("B", tracks: [Track("b1")]), Song("C"),
    ]
    let tracks = KVArrayController { Track() }
    try tracks.bindContent(
      to: "selection.tracks", of: albums, forMultipleSelection: "selection.@distinctUnionOfArrays.tracks")
    #expect(tracks.arrangedObjects.map(\.title) == ["a1", "a2"])

    try albums.selectNext()
    #expect(tracks.arrangedObjects.map(\.title) == ["b1"])
    try tracks.add(Track("b2"))
    #expect(albums.content[1].tracks.map(\.title) == ["b1", "b2"])
    try tracks.remove()
    #expect(albums.content[1].tracks.map(\.title) == ["b1"])

    albums.selectionIndexes = [0, 1]
    #expect(tracks.arrangedObjects.map(\.title) == ["a1", "a2", "b1"])
    #expect(!tracks.canAdd)
    #expect(albums.content.map(\.tracks.count) == [2, 1, 0])
    albums.selectionIndexes = [2]
    #expect(tracks.arrangedObjects.isEmpty && tracks.canAdd)
    try tracks.add()
    #expect(albums.content[2].tracks.count == 1)
    albums.selectionIndexes = []
    #expect(tracks.content.isEmpty)
  }

  @Test("CTR.17: a filter of one's own")
  func ownFilter() throws {
    let list = KVArrayController { Song() }
    try list.bindContent(to: "songs", of: library)
    list.automaticallyRearrangesObjects = true
    list.filterPredicate = KVPredicate(reading: ["title"]) { ($0 as? Song)?.title.hasPrefix("Track") == true }
    #expect(list.arrangedObjects.map(\.title) == ["Track 10", "Track 9"])
    library.songs[0].title = "Tango"
    #expect(list.arrangedObjects.map(\.title).count == library.songs.count { $0.title.hasPrefix("Track") })
  }

  @Test("CTR.24: a filter of a user")
  func userFilter() throws {
    let list = KVArrayController { Song() }
    try list.bindContent(to: "songs", of: library)
    let text = "yaer > 1959"
    do {
      try list.setValue(KVPredicate(format: text), forKey: "filterPredicate")
      Issue.record("no error")
    } catch {
      #expect("\(error)".contains("year"))
    }
    #expect(list.arrangedObjects.count == 3)
  }

  @Test(
    "UND.1, UND.4, CTR.14: what a controller changes in its model is undone in one step, and the controller follows")
  func undo() throws {
    let library = Library()
    library.songs = [Song("a"), Song("b"), Song("c"), Song("d")]
    let undo = KVUndoManager()
    try undo.recordElements(of: "songs", in: library)
    let list = KVArrayController { Song() }
    try list.bindContent(to: "songs", of: library)
    list.sortDescriptors = [.descending("title")]
    list.automaticallyRearrangesObjects = true
    list.selectionIndexes = [0, 2]
    try list.remove()
    #expect(library.songs.map(\.title) == ["a", "c"] && undo.undoCount == 1)
    try list.setValue("x", forKeyPath: "selection.title")
    #expect(undo.undoCount == 2)
    #expect(try undo.undo() && undo.undo())
    #expect(library.songs.map(\.title) == ["a", "b", "c", "d"])
    #expect(list.arrangedObjects.map(\.title) == ["d", "c", "b", "a"])
  }
}
