import KVControllers
import Testing

/// Controllers that are isolated to the main actor (CTR.1, THR.3).
@MainActor @Suite struct IsolatedControllerTests {
  @MainActor final class Playlist: KVObject {
    @KVProperty var tunes: [Tune] = []
    @KVProperty var total = 0

    override nonisolated class var keyTable: KVTable {
      super.keyTable.extended(for: Playlist.self) { @MainActor key in
        key("tunes", \.tunes)
        key("total", \.total)
      }
    }
  }

  /// A controller with keys of its own.
  @MainActor final class PlaylistController: KVArrayController<Tune> {
    @KVProperty var caption = "Tunes"
    private(set) var made = 0
    var summary: String { "\(caption): \(arrangedObjects.count)" }

    override nonisolated class var keyTable: KVTable {
      super.keyTable.extended(for: PlaylistController.self) { @MainActor key in
        key("caption", \.caption)
        key("summary", \.summary).affected(by: "caption", "arrangedObjects")
      }
    }
  }

  @MainActor final class TuneForm: KVObjectController<Tune> {
    @KVProperty var isExpanded = false

    override nonisolated class var keyTable: KVTable {
      super.keyTable.extended(for: TuneForm.self) { @MainActor key in key("isExpanded", \.isExpanded) }
    }
  }

  @Test("CTR.1, THR.3: a subclass on the main actor has keys of its own, and is bound to a model on it")
  func isolated() throws {
    let playlist = Playlist()
    playlist.tunes = [Tune("b", rank: 2), Tune("a", rank: 1)]
    let list = PlaylistController { Tune("new", rank: 9) }
    try list.bindContent(to: "tunes", of: playlist)
    try playlist.bind("total", to: "selection.@sum.rank", of: list)
    list.sortDescriptors = ["title"]
    list.automaticallyRearrangesObjects = true
    var summaries: [String?] = []
    let token = try list.observe("summary", as: String.self) { summaries.append($0.new) }
    try list.add()
    list.caption = "All"
    #expect(summaries == ["Tunes: 3", "All: 3"])
    #expect(playlist.tunes.map(\.title) == ["b", "a", "new"] && playlist.total == 9)
    list.selectionIndexes = [0, 1]
    #expect(playlist.total == 3)
    playlist.tunes[0].title = "0"
    #expect(list.arrangedObjects.map(\.title) == ["0", "a", "new"])
    try list.remove()
    #expect(playlist.tunes.map(\.title) == ["new"] && summaries.last == "All: 1")
    token.cancel()
  }

  @Test("CTR.1, THR.3: an object controller on the main actor")
  func form() throws {
    let list = PlaylistController()
    list.content = [Tune("a"), Tune("b")]
    let form = TuneForm()
    try form.bindContent(to: "selection.self", of: list)
    #expect(form.content?.title == "a")
    try form.setValue(true, forKey: "isExpanded")
    #expect(form.isExpanded)
    try form.setValue("z", forKeyPath: "selection.title")
    #expect(list.content[0].title == "z")
  }
}
