import KVBinding
import KVCore

/// The model side of bindings.
package final class Song: KVObject {
  @KVProperty package var title = "Blue"
  @KVProperty package var rating = 3
  @KVProperty package var length = 2.5
  @KVProperty package var note: String?
  @KVProperty package var tags = ["a", "b"]
  @KVProperty package var genres: Set<String> = ["jazz"]
  @KVProperty package var album: Album?

  package override class var keyTable: KVTable {
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

package final class Album: KVObject {
  @KVProperty package var name = "Kind"
  @KVProperty package var songs: [Song] = []

  package override class var keyTable: KVTable {
    super.keyTable.extended(for: Album.self) { key in
      key("name", \.name)
      key("songs", \.songs)
    }
  }
}

/// The view side of bindings.
package final class Field: KVObject {
  @KVProperty package var text: String? = ""
  @KVProperty package var title = ""
  @KVProperty package var number = 0
  @KVProperty package var value = 0.0
  @KVProperty package var rows: [String] = []
  @KVProperty package var marks: Set<String> = []
  @KVProperty package var next: Field?
  /// How often `counted` was set.
  package var sets = 0
  @KVProperty package var counted = "" { didSet { sets += 1 } }
  /// Holds values from 0 to 10 only.
  @KVProperty package var limited = 0 {
    didSet { if !(0...10).contains(limited) { limited = min(max(limited, 0), 10) } }
  }

  package override class var keyTable: KVTable {
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

/// A view that does not notify of its changes.
package final class Label: KeyValueCoding {
  package var text = ""

  package init() {}

  package static var keyTable: KVTable { KVTable(Label.self) { key in key("text", \.text) } }
}

/// A property that no table lists.
package final class Unlisted: KVObject {
  @KVProperty package var name = ""
}

/// Keeps its rows in order.
package final class Sorted: KVObject {
  @KVProperty package var rows: [String] = [] { didSet { if rows != rows.sorted() { rows.sort() } } }

  package override class var keyTable: KVTable {
    super.keyTable.extended(for: Sorted.self) { key in key("rows", \.rows) }
  }
}
