import KVControllers
import KVCore

/// An element of the arrangements of these tests.
final class ArrangedSong: KVObject {
  @KVProperty var name: String
  @KVProperty var age: Int
  @KVProperty var rank: Any?
  @KVProperty var team: ArrangedTeam?
  /// How often the name was read by key.
  private(set) var reads = 0

  init(_ name: String, _ age: Int, rank: Any? = nil, team: ArrangedTeam? = nil) {
    (self.name, self.age, self.rank, self.team) = (name, age, rank, team)
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ArrangedSong.self) { key in
      key("name") { song in
        song.reads += 1
        return song.name
      } set: {
        $0.name = $1
      }
      key("age", \.age)
      key("rank", \.rank)
      key("team", \.team)
    }
  }
}

final class ArrangedTeam: KVObject {
  @KVProperty var name: String
  init(_ name: String) { self.name = name }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ArrangedTeam.self) { key in key("name", \.name) }
  }
}

final class ArrangedLibrary: KVObject {
  @KVProperty var songs: [ArrangedSong]
  @KVProperty var next: ArrangedLibrary?

  init(_ songs: [ArrangedSong] = []) { self.songs = songs }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ArrangedLibrary.self) { key in
      key("songs", \.songs)
      key("next", \.next)
    }
  }
}
