import Foundation
import KVBinding
import KVQuery
import Testing

/// The code of Docs/Sorting.md.
@Suite struct SortingGuideTests {
  final class Song: KVObject {
    @KVProperty var title = ""
    @KVProperty var year = 0
    @KVProperty var genre = "rock"
    @KVProperty var rating: Double?
    @KVProperty var artist: Artist?
    @KVProperty var tags: [String] = []
    @KVProperty var takes: [Take] = []
    @KVProperty var tracks: [Take] = []
    @KVProperty var released = Date(timeIntervalSinceReferenceDate: 0)
    var isMine = false

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Song.self) { key in
        key("title", \.title)
        key("year", \.year)
        key("genre", \.genre)
        key("rating", \.rating)
        key("artist", \.artist)
        key("tags", \.tags)
        key("takes", \.takes)
        key("tracks", \.tracks)
        key("released", \.released)
      }
    }
  }

  final class Artist: KVObject {
    @KVProperty var name = ""
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Artist.self) { key in key("name", \.name) }
    }
  }

  final class Take: KVObject {
    @KVProperty var length = 0
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Take.self) { key in key("length", \.length) }
    }
  }

  private var songs: [Song] = (0..<6).map { index in
    let song = Song()
    song.title = ["Side 10", "Side 2", "Café", "cafeteria", "Blue", "Zoo"][index]
    song.year = [1995, 1995, 2020, 2021, 1971, 2022][index]
    song.rating = [nil, 3, 5, nil, 4, 1][index]
    if index < 4 {
      song.artist = Artist()
      song.artist?.name = index < 2 ? "Bea" : "Ada"
    }
    song.tags = index == 4 ? ["live"] : []
    let long = Take()
    long.length = 400
    song.takes = index == 5 ? [long, long] : []
    return song
  }

  @Test("SRT.2, SRT.8, FLT.1, FLT.12: the first example")
  func first() throws {
    let shelf = try songs.sorted(by: ["artist.name", .descending("year"), .natural("title")])
    #expect(shelf.map(\.title) == ["Zoo", "Blue", "cafeteria", "Café", "Side 2", "Side 10"])
    let (first, typed) = (2000, "CAFE")
    let wanted: KVPredicate = "year >= \(first) AND title CONTAINS[cd] \(typed)"
    let hits = try songs.filter(wanted && KVExpression.key("artist.name") != nil)
    #expect(hits.map(\.title) == ["Café", "cafeteria"])
    #expect(try songs.grouped(by: "artist.name").map { $0.key as? String } == ["Bea", "Ada", nil])
  }

  @Test("SRT.1, SRT.2, SRT.4: descriptors of a table")
  func descriptors() throws {
    var songs = songs
    var order: [KVSortDescriptor] = ["year", .descending("rating", nils: .last), .natural("title")]
    order[0] = order[0].reversed
    try songs.sort(by: order)
    #expect(songs.map(\.title) == ["Zoo", "cafeteria", "Café", "Side 2", "Side 10", "Blue"])
    let data = try JSONEncoder().encode(order)
    #expect(try JSONDecoder().decode([KVSortDescriptor].self, from: data) == order)
    #expect(try order.compare(songs[0], songs[1]) == .less)
  }

  @Test("COL.5: a view sorts in one change")
  func view() throws {
    let album = Song()
    for length in [300, 100, 200] {
      let take = Take()
      take.length = length
      album.takes.append(take)
    }
    var changes: [KVChange] = []
    let token = try album.observe("takes") { changes.append($0) }
    try album.mutableArray(forKey: "takes").sort(by: ["length"])
    #expect(album.takes.map(\.length) == [100, 200, 300])
    #expect(changes.map(\.kind) == [.replacement])
    #expect(throws: KVError.self) { try album.mutableArray(forKey: "takes").sort(by: ["lenght"]) }
    #expect(changes.count == 1)
    token.cancel()
  }

  @Test("SRT.6: the order of a locale, by name too")
  func locale() throws {
    let descriptor = KVSortDescriptor.ascending("title", .localized(Locale(identifier: "en_US")))
    #expect(try songs.sorted(by: [descriptor]).map(\.title).prefix(3) == ["Blue", "Café", "cafeteria"])
    let data = try JSONEncoder().encode(descriptor)
    #expect(try JSONDecoder().decode(KVSortDescriptor.self, from: data) == descriptor)
    #expect(throws: KVError.self) { try [1, 2].sorted(by: [.ascending("self", .localized())]) }
  }

  @Test("FLT.3, FLT.4, FLT.8, FLT.9, FLT.10: formats")
  func formats() throws {
    let prefix = "CAF"
    for (predicate, titles) in [
      (
        try KVPredicate(format: "year BETWEEN {1990, 1999} AND NOT (genre IN {'jazz', 'folk'})"), ["Side 10", "Side 2"]
      ),
      (
        try KVPredicate(format: "title BEGINSWITH[cd] %@ AND %K < %d", prefix, "tracks.@count", 8),
        ["Café", "cafeteria"]
      ),
      (
        try KVPredicate(format: "ANY tags == 'live' OR SUBQUERY(takes, $t, $t.length > 300).@count >= 2"),
        ["Blue", "Zoo"]
      ),
      (try KVPredicate(format: "released >= CAST('2020-01-01', 'NSDate') AND length(title) < 20"), []),
      (try KVPredicate(format: "year >= $first").with(["first": 2022]), ["Zoo"]),
      (KVExpression.key("year") >= 2020 && KVExpression.key("title").contains("CAFE", .caseInsensitive), ["cafeteria"]),
      (!KVExpression.key("genre").isIn(.value(["rock"])), []),
      (KVPredicate(reading: ["year"]) { song in (song as? Song)?.isMine == true }, []),
    ] as [(KVPredicate, [String])] {
      #expect(try songs.filter(predicate).map(\.title) == titles, "\(predicate)")
      try predicate.check(for: Song.self)
    }
  }

  @Test("FLT.2, FLT.11: dates and decimal numbers are constants with a literal form, and now() is read")
  func foundation() throws {
    let date = Date(timeIntervalSinceReferenceDate: 86_400.5)
    let predicate: KVPredicate = "released < \(date) AND price == \(Decimal(string: "1.10"))"
    #expect(
      predicate.description
        == "released < CAST(\"2001-01-02T00:00:00.5Z\", \"NSDate\") AND price == CAST(\"1.1\", \"NSDecimalNumber\")")
    #expect(try KVPredicate(format: predicate.description) == predicate)
    #expect(try predicate.evaluate(with: ["released": Date(timeIntervalSinceReferenceDate: 5), "price": 1.1]))
    #expect(try KVPredicate(format: "released < now() AND now() > CAST(0, 'Date')").evaluate(with: songs[0]))
    #expect(try KVPredicate(format: "CAST(released, 'NSNumber') == 0").evaluate(with: songs[0]))
    #expect(try KVPredicate(format: "CAST(0.1, 'Decimal') + CAST('0.2', 'Decimal') == 0.3").evaluate(with: nil))
    #expect(throws: KVError.self) { try KVPredicate(format: "released > CAST('soon', 'NSDate')") }
    let unknown = #expect(throws: KVError.self) { try KVPredicate(format: "released > CAST('soon', 'Time')") }
    #expect(unknown?.message.contains("Bool, Date, Decimal, Double, Int, NSDate, NSDecimalNumber, NSNumber") == true)
    let bound = try KVPredicate(format: "released > CAST($d, 'NSDate')").with(["d": "2001-01-02T00:00:00.500Z"])
    #expect(bound.description == "released > CAST(\"2001-01-02T00:00:00.5Z\", \"NSDate\")")
    #expect(try KVPredicate(format: bound.description) == bound)
    let none = try KVPredicate(format: "released == CAST(NULL, 'NSDate')")
    #expect(try KVPredicate(format: none.description) == none && !none.evaluate(with: songs[0]))
    let soon = try KVPredicate(format: "released > CAST($d, 'NSDate')").with(["d": "soon"])
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(soon) }
    let late = KVExpression.key("released") == .value(Date(timeIntervalSinceReferenceDate: 1e13))
    #expect(try JSONDecoder().decode(KVPredicate.self, from: JSONEncoder().encode(late)) == late)
    #expect(throws: EncodingError.self) {
      try JSONEncoder().encode(KVExpression.key("released") == .value(Date(timeIntervalSinceReferenceDate: .infinity)))
    }
    #expect(throws: KVError.self) { try KVPredicate(format: "released > 5").evaluate(with: songs[0]) }
  }

  @Test("FLT.12, FLT.14, FLT.17, FLT.18: a filter from a text box")
  func textBox() throws {
    func matches(_ typed: String) throws -> [Song] {
      let wanted: KVPredicate = "title CONTAINS[cd] \(typed) OR artist.name CONTAINS[cd] \(typed)"
      return try songs.filter(wanted)
    }
    #expect(try matches("cafe").count == 2)
    #expect(try matches("' OR 1 == 1 OR '").isEmpty)

    func query(_ typed: String) throws -> KVPredicate {
      let query = try KVPredicate(format: typed).limited(toKeyPaths: ["title", "year", "tags"], functions: ["length"])
      try query.check(for: Song.self)
      return query
    }
    #expect(try songs.filter(query("year >= 2020 AND length(title) < 5")).map(\.title) == ["Café", "Zoo"])
    let malformed = #expect(throws: KVError.self) { try query("year >= ") }
    #expect(malformed?.offset == 8)
    #expect(
      malformed?.message == "\"year >= \" is not a predicate: at offset 8, expected an expression, and found the end.")
    for hostile in [
      "isMine == TRUE", "title MATCHES '(a+)+b'", "registrarSlot != NULL", "artist.name == 'Ada'", "now() > 0",
      "yaer = 1",
    ] {
      #expect(throws: KVError.self) { try query(hostile) }
    }
  }
}
