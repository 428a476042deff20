import KVBinding
import Testing

@Suite("BND.9: bindings that a source does not list among its observers")
struct UnbindSourceTests {
  private final class Album: KeyValueCoding {
    var year = 1969

    static var keyTable: KVTable { KVTable(Album.self) { key in key("year", \.year) } }
  }

  private final class Song: KVObject {
    @KVProperty var title = "Octopus's Garden"
    let album = Album()

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Song.self) { key in
        key("title", \.title)
        key("album", \.album)
      }
    }
  }

  private final class Label: KVObject {
    @KVProperty var text = ""
    @KVProperty var year = 1970

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Label.self) { key in
        key("text", \.text)
        key("year", \.year)
      }
    }
  }

  @Test("BND.9: unbind(of:) cancels a binding to a source that cannot notify as well")
  func unobservablePath() throws {
    let (song, label) = (Song(), Label())
    try label.bind("text", to: "title", of: song)
    try label.bind("year", to: "album.year", of: song, options: .init(.toSource))
    #expect(try label.unbind(of: song) == 2)
    label.year = 1980
    #expect(song.album.year == 1970)
    #expect(KVDiagnostics.bindings(of: song).isEmpty)
  }

  @Test("BND.9: a source with more observers than the target has bindings, and one with fewer", arguments: [0, 40])
  func manyObservers(count: Int) throws {
    let (song, label, other) = (Song(), Label(), Label())
    let tokens = try (0..<count).map { _ in try song.observe("title") { _ in } }
    try label.bind("text", to: "title", of: song)
    try other.bind("text", to: "title", of: song)
    #expect(try label.unbind(of: song) == 1)
    song.title = "Come Together"
    #expect(label.text == "Octopus's Garden" && other.text == "Come Together")
    withExtendedLifetime(tokens) {}
  }
}
