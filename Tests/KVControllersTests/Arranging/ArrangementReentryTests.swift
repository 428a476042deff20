import KVControllers
import KVCore
import TestModels
import Testing

/// Handlers of arrangements and groups that edit the source while a change is delivered in two records.
@Suite struct ArrangementReentryTests {
  private let library = ArrangedLibrary(["a", "b", "c", "d"].enumerated().map { ArrangedSong($1, $0) })

  /// Lets a handler of a key remove the first song of the library, some times.
  private func removingFirst(_ key: String, of object: KVObject, times: Int) throws -> KVObservation {
    var left = times
    return try object.observe(key) { [library] _ in
      if left == 0 || library.songs.isEmpty { return }
      left -= 1
      do { try library.mutableArray(forKey: "songs").remove(at: 0) } catch { Issue.record(error) }
    }
  }

  @Test("SRT.9: what moves while handlers edit the source is neither lost nor repeated", arguments: 1...5)
  func moving(times: Int) throws {
    let arrangement = try KVArrangement<ArrangedSong>(of: "songs", in: library, sortedBy: ["age"])
    let token = try removingFirst("elements", of: arrangement, times: times)
    library.songs[3].age = -1
    let expected = try library.songs.sorted(by: ["age"])
    #expect(arrangement.elements.map(\.name) == expected.map(\.name))
    #expect(library.songs.count == 4 - min(times, 4))
    withExtendedLifetime(token) {}
  }

  @Test("SRT.11: groups, too", arguments: 1...5)
  func groups(times: Int) throws {
    for song in library.songs { song.team = ArrangedTeam("all") }
    let groups = try KVGroups<ArrangedSong>(of: "songs", in: library, by: "team.name", sortedBy: ["age"])
    let token = try removingFirst("elements", of: try #require(groups.groups.first), times: times)
    library.songs[3].age = -1
    let expected = try library.songs.sorted(by: ["age"])
    #expect(groups.groups.flatMap(\.elements).map(\.name) == expected.map(\.name))
    withExtendedLifetime(token) {}
  }

  @Test("SRT.9, SRT.10: random edits by handlers", arguments: 1...40 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var numbers = SplitMix64(seed: seed)
    let arrangement = try KVArrangement<ArrangedSong>(of: "songs", in: library, sortedBy: ["age"], where: "age < 8")
    func edit() throws {
      let songs = library.mutableArray(forKey: "songs")
      switch Int.random(in: 0..<5, using: &numbers) {
      case 0 where songs.count > 0: try songs.remove(at: .random(in: 0..<songs.count, using: &numbers))
      case 1, 0:
        let song = ArrangedSong("n\(songs.count)", .random(in: 0..<10, using: &numbers))
        try songs.insert(song, at: .random(in: 0...songs.count, using: &numbers))
      default: library.songs.randomElement(using: &numbers)?.age = .random(in: 0..<10, using: &numbers)
      }
    }
    var left = 0
    let token = try arrangement.observe("elements", options: [.prior, .old, .new]) { _ in
      if left == 0 { return }
      left -= 1
      do { try edit() } catch { Issue.record(error) }
    }
    for _ in 0..<30 {
      left = 4
      try edit()
      let expected = try library.songs.filter("age < 8").sorted(by: ["age"])
      try #require(arrangement.elements.map(\.name) == expected.map(\.name))
      for (index, song) in arrangement.elements.enumerated() {
        #expect(arrangement.sourceIndex(of: index).map { library.songs[$0] } === song)
      }
    }
    withExtendedLifetime(token) {}
  }

  @Test("SRT.9, CTR.14: a marker is no content")
  func marker() throws {
    let list = KVArrayController<ArrangedLibrary>()
    (list.content, list.selectionIndexes) = ([library, ArrangedLibrary()], [])
    let arrangement = try KVArrangement<ArrangedSong>(of: "selection.songs", in: list, sortedBy: ["name"])
    #expect(arrangement.elements.isEmpty)
    list.selectionIndexes = [0]
    #expect(arrangement.elements.map(\.name) == ["a", "b", "c", "d"])
    let events = capturingEvents { list.selectionIndexes = [0, 1] }
    #expect(arrangement.elements.isEmpty && arrangement.arrangementError == nil && events.about(list).isEmpty)
  }
}
