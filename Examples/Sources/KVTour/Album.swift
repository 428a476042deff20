import KVBinding

final class Album: KVObject {
  @KVProperty var title = "Kind of Blue"
  var year = 1959
  var tracks = [Track("So What", 562), Track("Blue in Green", 337)]
  var label = Label()
  var seconds: Int { tracks.map(\.seconds).reduce(0, +) }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Album.self) { key in
      key("title", \.title)
      key("year", \.year).lenient().validated { year in
        if year < 1877 { throw KVError(.invalidValue, "there were no records before 1877.") }
        return .valid
      }
      key("tracks", \.tracks)
      key("label", \.label)
      key("seconds", \.seconds).affected(by: "tracks")
    }
  }
}

struct Track: KeyValueCoding {
  var title: String
  var seconds: Int

  init(_ title: String, _ seconds: Int) {
    self.title = title
    self.seconds = seconds
  }

  static var keyTable: KVTable {
    KVTable(Track.self) { key in
      key("title", \.title)
      key("seconds", \.seconds)
    }
  }
}

struct Label: KeyValueCoding {
  var name = "Columbia"
  var city = "New York"

  static var keyTable: KVTable {
    KVTable(Label.self) { key in
      key("name", \.name)
      key("city", \.city)
    }
  }
}
