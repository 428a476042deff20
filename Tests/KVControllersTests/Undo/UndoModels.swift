import KVControllers
import KVCore

final class UndoSong: KVObject {
  @KVProperty var title: String
  @KVProperty var year: Int?
  @KVProperty var plays = 0
  var label: String { "\(title) (\(year ?? 0))" }

  init(_ title: String = "", _ year: Int? = nil) {
    self.title = title
    self.year = year
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: UndoSong.self) { key in
      key("title", \.title).alias("name")
      key("year", \.year).metadata("displayName", "release year")
      key("plays", \.plays)
      key("label", \.label).affected(by: "title", "year")
    }
  }
}

final class UndoLibrary: KVObject {
  @KVProperty var name = "Home"
  @KVProperty var songs: [UndoSong] = []
  @KVProperty var tags: Set<String> = []
  @KVProperty var genres: [String] = []
  @KVProperty var volume = 5 {
    didSet { if volume > 10 { volume = 10 } }
  }
  @KVProperty var log: [String] = []
  @KVProperty var total = 0
  var path = "/"
  var silent: Int { 7 }
  let fixed = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: UndoLibrary.self) { key in
      key("name", \.name)
      key("songs", \.songs)
      key("tags", \.tags)
      key("genres", \.genres).metadata("elementName", "style")
      key("volume", \.volume)
      key("log", \.log)
      key("total", \.total)
      key("path", \.path)
      key("silent", \.silent)
      key("fixed", \.fixed)
    }
  }

  convenience init(_ titles: String...) {
    self.init()
    songs = titles.map { UndoSong($0) }
  }

  var list: KVMutableArray { mutableArray(forKey: "songs") }
  var titles: [String] { songs.map(\.title) }
}

/// A button and a label of a window, which are not recorded.
final class UndoWidget: KVObject {
  @KVProperty var title = ""
  @KVProperty var isEnabled = false

  override class var keyTable: KVTable {
    super.keyTable.extended(for: UndoWidget.self) { key in
      key("title", \.title)
      key("isEnabled", \.isEnabled)
    }
  }
}

/// How often keys are read, of objects that count it.
final class UndoReads {
  var count = 0

  /// Returns the count so far, and begins anew.
  func take() -> Int {
    defer { count = 0 }
    return count
  }

  /// Returns how often keys are read while a body runs.
  func during(_ body: () throws -> Void) rethrows -> Int {
    count = 0
    try body()
    return take()
  }
}
