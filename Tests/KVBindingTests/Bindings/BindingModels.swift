import KVBinding
import KVCore

/// The model side of bindings.
final class Song: KVObject {
  @KVProperty var title = "Blue"
  @KVProperty var rating = 3
  @KVProperty var length = 2.5
  @KVProperty var note: String?
  @KVProperty var tags = ["a", "b"]
  @KVProperty var genres: Set<String> = ["jazz"]
  @KVProperty var album: Album?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Song.self) { key in
      key("title", \.title).validated { (value: String) in value.isEmpty ? .replaced(with: "untitled") : .valid }
      key("rating", \.rating)
      key("length", \.length)
      key("note", \.note)
      key("tags", \.tags)
      key("genres", \.genres)
      key("album", \.album)
    }
  }
}

final class Album: KVObject {
  @KVProperty var name = "Kind"
  @KVProperty var songs: [Song] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Album.self) { key in
      key("name", \.name)
      key("songs", \.songs)
    }
  }
}

/// The view side of bindings.
final class Field: KVObject {
  @KVProperty var text: String? = ""
  @KVProperty var title = ""
  @KVProperty var number = 0
  @KVProperty var value = 0.0
  @KVProperty var rows: [String] = []
  @KVProperty var marks: Set<String> = []
  @KVProperty var next: Field?
  /// How often `counted` was set.
  var sets = 0
  @KVProperty var counted = "" { didSet { sets += 1 } }
  /// Holds values from 0 to 10 only.
  @KVProperty var limited = 0 { didSet { if !(0...10).contains(limited) { limited = min(max(limited, 0), 10) } } }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Field.self) { key in
      key("text", \.text)
      key("title", \.title)
      key("number", \.number)
      key("value", \.value)
      key("rows", \.rows)
      key("marks", \.marks)
      key("next", \.next)
      key("counted", \.counted)
      key("limited", \.limited)
      key("shout") { $0.title.uppercased() }.affected(by: "title")
    }
  }
}

/// A view that tells nobody of its changes.
final class Label: KeyValueCoding {
  var text = ""

  static var keyTable: KVTable { KVTable(Label.self) { key in key("text", \.text) } }
}

/// A property that no table lists.
final class Unlisted: KVObject {
  @KVProperty var name = ""
}

/// Keeps its rows in order.
final class Sorted: KVObject {
  @KVProperty var rows: [String] = [] { didSet { if rows != rows.sorted() { rows.sort() } } }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Sorted.self) { key in key("rows", \.rows) }
  }
}
