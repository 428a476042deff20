import Foundation

/// The small document that the tour reads.
enum Shelf {
  static var json: Data { Data(text.utf8) }  // kept, it would pass for lost: its pointer is stored shifted

  static let text = """
    {
      "owner": "Ada",
      "albums": [
        {"title": "Kind of Blue", "year": 1959, "price": 12.5, "artist": {"name": "Miles Davis"},
         "tags": ["jazz", "modal"], "notes": {"liner.author": "Bill Evans"}},
        {"title": "Blue Train", "year": 1958, "price": 9.75, "artist": {"name": "John Coltrane"},
         "tags": ["jazz", "hard bop"], "notes": {}},
        {"title": "Time Out", "year": 1959, "price": 11.25, "artist": null,
         "tags": ["jazz", "cool"], "notes": {}}
      ]
    }
    """
}
