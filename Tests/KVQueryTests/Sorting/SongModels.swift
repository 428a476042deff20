import KVCore

/// The models of the tests of sorting and filters.
final class Song: KVObject {
  enum Mood: String, Sendable { case calm, wild }
  enum Rank: Int, Sendable { case low = 1, high = 10 }

  @KVProperty var title = ""
  @KVProperty var year = 0
  @KVProperty var rating: Double?
  @KVProperty var isLive = false
  @KVProperty var tags: [String] = []
  @KVProperty var artist: Artist?
  @KVProperty var takes: [Take] = []
  var mood = Mood.calm
  var rank = Rank.low
  var notes: String?
  var size = Size()
  var extras: [String: Int] = [:]
  private(set) var reads = 0
  var counted: Int {
    reads += 1
    return year
  }

  convenience init(_ title: String, _ year: Int = 0, rating: Double? = nil) {
    self.init()
    self.title = title
    self.year = year
    self.rating = rating
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Song.self) { key in
      key("title", \.title)
      key("year", \.year).alias("released")
      key("rating", \.rating)
      key("isLive", \.isLive)
      key("tags", \.tags)
      key("artist", \.artist)
      key("takes", \.takes)
      key("mood", \.mood)
      key("rank", \.rank)
      key("notes", \.notes)
      key("size", \.size)
      key("extras", \.extras)
      key("counted") { $0.counted }
    }
  }
}

final class Artist: KVObject {
  @KVProperty var name = ""
  @KVProperty var albums: [[String]] = []

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Artist.self) { key in
      key("name", \.name)
      key("albums", \.albums)
    }
  }
}

final class Take: KVObject {
  var length = 0
  var studio: String?

  convenience init(_ length: Int, _ studio: String? = nil) {
    self.init()
    self.length = length
    self.studio = studio
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Take.self) { key in
      key("length", \.length)
      key("studio", \.studio)
    }
  }
}

struct Size: KeyValueCoding {
  var width = 1
  var height = 2.5
  static var keyTable: KVTable {
    KVTable(Size.self) { key in
      key("width", \.width)
      key("height", \.height)
    }
  }
}

enum SongFailure: Error { case closed }
