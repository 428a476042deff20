import KVControllers
import KVCore
import Testing

/// The code of the section "Live lists" of Docs/Sorting.md.
@Suite struct LiveListsGuideTests {
  private final class Table {
    var rows: [String] = []
    func patch(_ kind: KVChange.Kind, at indexes: [Int]?) { rows.append("\(kind) \(indexes ?? [])") }
  }

  @Test("SRT.9: a live list, as the guide shows it")
  func liveList() throws {
    let teams = ["Bea", "Ada"].map(ArrangedTeam.init)
    let library = ArrangedLibrary((0..<6).map { ArrangedSong("Side \(10 - $0)", 2018 + $0, team: teams[$0 % 2]) })
    let table = Table()
    let section = KVObservingListSection { (song: ArrangedSong) in song.name }

    let recent = try KVArrangement<ArrangedSong>(
      of: "songs", in: library, sortedBy: [.natural("name")], where: "age > 2020")
    try section.observe("elements", of: recent)
    let token = try recent.observe("elements") { change in table.patch(change.kind, at: change.indexes) }
    #expect((0..<3).map { section.row(at: $0) } == ["Side 5", "Side 6", "Side 7"])
    library.songs[3].name = "Side 1"
    recent.predicate = "name CONTAINS[cd] \("SIDE 1")"
    if let index = recent.sourceIndex(of: 1) { try library.mutableArray(forKey: "songs").remove(at: index) }
    #expect(table.rows == ["removal [2]", "insertion [0]", "removal [1, 2]", "insertion [1]", "removal [1]"])
    #expect(section.rowCount == 1)

    let shelves = try KVGroups<ArrangedSong>(
      of: "songs", in: library, by: "team.name", sortedBy: [.natural("name")])
    #expect(shelves.groups.map { "\($0.key ?? "unknown"): \($0.elements.count)" } == ["Ada: 3", "Bea: 2"])
    withExtendedLifetime(token) {}
  }
}
