import KVBinding
import KVCore
import TestModels
import Testing

@Suite("Bindings of collections")
struct MirrorTests {
  let song = Song()
  let field = Field()

  @Test("BND.7: insertions, removals and replacements are mirrored by index, each element transformed")
  func arrays() throws {
    try field.bind("rows", to: "tags", of: song) { (tag: String) in tag.uppercased() }
    #expect(field.rows == ["A", "B"])
    let lines = ChangeLines()
    let token = try lines.watch(field, "rows")
    let tags = song.mutableArray(forKey: "tags")
    try tags.insert("x", at: 1)
    try tags.remove(at: 0)
    try tags.replace(at: 1, with: "c")
    song.tags = ["z"]
    #expect(
      lines.take() == [
        "rows insertion at [1] nil → [X]", "rows removal at [0] [A] → nil", "rows replacement at [1] [B] → [C]",
        "rows setting [X, C] → [Z]",
      ])
    token.cancel()
  }

  @Test("BND.7: also back, and on dotted paths")
  func dotted() throws {
    song.album = Album()
    field.next = Field()
    try field.bind("next.rows", to: "album.songs", of: song) { (song: Song) in song.title }
    let songs = try song.mutableArray(forKeyPath: "album.songs")
    let lines = ChangeLines()
    let token = try lines.watch(field, "next.rows")
    try songs.append(Song())
    try songs.insert(Song(), at: 0)
    try songs.remove(at: 1)
    #expect(
      lines.take() == [
        "next.rows insertion at [0] nil → [Blue]", "next.rows insertion at [0] nil → [Blue]",
        "next.rows removal at [1] [Blue] → nil",
      ])
    token.cancel()

    let other = Field()
    try other.bind("rows", to: "tags", of: song, options: .twoWay)
    try other.mutableArray(forKey: "rows").append("new")
    #expect(song.tags == ["a", "b", "new"])
    try song.mutableArray(forKey: "tags").remove(at: 0)
    #expect(other.rows == ["b", "new"])
  }

  @Test("BND.7: sets are mirrored by what is missing and what is too much")
  func sets() throws {
    try field.bind("marks", to: "genres", of: song) { (genre: String) in String(genre.prefix(1)) }
    #expect(field.marks == ["j"])
    let genres = song.mutableSet(forKey: "genres")
    try genres.formUnion(["jive", "rock"])
    #expect(field.marks == ["j", "r"])
    // The other element with this letter is still there.
    try genres.remove("jive")
    #expect(field.marks == ["j", "r"])
    try genres.remove("jazz")
    #expect(field.marks == ["r"])
  }

  @Test("BND.7: a member of a set that is mirrored is transformed once for each change")
  func setsByMember() throws {
    var genres: [String] = []
    try field.bind("marks", to: "genres", of: song) { (genre: String) in
      genres.append(genre)
      return genre.uppercased()
    }
    genres = []
    try song.mutableSet(forKey: "genres").add("rock")
    #expect(field.marks == ["JAZZ", "ROCK"] && genres.sorted() == ["jazz", "rock"])
  }

  @Test("BND.3, BND.7: what an observer adds to the receiving set comes back, also in response to a removal")
  func answeredSet() throws {
    song.genres = ["jazz", "rock"]
    try field.bind("marks", to: "genres", of: song, options: .twoWay)
    let token = try field.observe("marks") { [unowned field] _ in
      if !field.marks.contains("none") { try? field.mutableSet(forKey: "marks").add("none") }
    }
    try song.mutableSet(forKey: "genres").remove("rock")
    #expect(field.marks == ["jazz", "none"] && song.genres == ["jazz", "none"])
    token.cancel()
  }

  @Test("BND.7: a mirror that was changed by itself gets the whole collection")
  func disturbed() throws {
    try field.bind("rows", to: "tags", of: song)
    field.rows = []
    try song.mutableArray(forKey: "tags").append("c")
    #expect(field.rows == ["a", "b", "c"])
  }

  @Test("BND.7: a handler that changes the collection during a change leaves both endpoints equal")
  func nested() throws {
    let token = try song.observe("tags") { [unowned song] change in
      guard change.kind == .replacement, change.new as? [String] == ["R"] else { return }
      try? song.mutableArray(forKey: "tags").insert("first", at: 0)
    }
    try field.bind("rows", to: "tags", of: song)
    try song.mutableArray(forKey: "tags").replace(at: 1, with: "R")
    #expect(song.tags == ["first", "a", "R"])
    #expect(field.rows == song.tags)
    token.cancel()
  }

  @Test("BND.7: after 500 random edits the mirror equals the source", arguments: [1, 2, 3] as [UInt64])
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    try field.bind("rows", to: "tags", of: song, options: .twoWay)
    for step in 0..<500 {
      let isBack = Bool.random(using: &random)
      let array = isBack ? field.mutableArray(forKey: "rows") : song.mutableArray(forKey: "tags")
      let count = song.tags.count
      switch Int.random(in: 0..<5, using: &random) {
      case 0: try array.insert("\(step)", at: Int.random(in: 0...count, using: &random))
      case 1 where count > 0: try array.remove(at: Int.random(in: 0..<count, using: &random))
      case 2 where count > 0: try array.replace(at: Int.random(in: 0..<count, using: &random), with: "\(step)")
      case 3 where count > 20: if isBack { field.rows.removeLast(10) } else { song.tags.removeFirst(10) }
      default: try array.append("\(step)")
      }
      if field.rows != song.tags { return #expect(field.rows == song.tags, "step \(step)") }
    }
  }
}
