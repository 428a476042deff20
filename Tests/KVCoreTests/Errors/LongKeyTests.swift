import KVCore
import TestModels
import Testing

/// With a search that takes the square of the length of a key, these tests would take minutes.
@Suite("KVC.18: errors about keys of any length")
struct LongKeyTests {
  private final class Song: KVObject {
    var title = ""

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Song.self) { key in key("title", \.title) }
    }
  }

  private static let length = Extent.rounds(100_000, of: 500_000)
  static let keys = [
    "a" + String(repeating: "\u{301}", count: length), String(repeating: "a", count: length),
    String(repeating: "ab", count: length / 2) + "c", String(repeating: "e\u{301}", count: length / 2),
    String(repeating: "👩\u{200D}", count: length / 5),
  ]

  @Test("KVC.18: the message is made in linear time, and is short; the error has the key complete", arguments: keys)
  func messages(_ key: String) throws {
    let song = Song()
    for body in [
      { try song.value(forKey: key) }, { try song.value(forKeyPath: KVKeyPath(components: [.key(key)])) },
      { try song.setValue(key, forKey: key) },
      { try KVC.value(of: ["a": song], forKeyPath: KVKeyPath(components: [.key("a"), .key(key)])) },
      { try KVC.convert(key, to: Int.self) },
    ] as [() throws -> Any?] {
      let error = #expect(throws: KVError.self) { _ = try body() }
      #expect((error?.description.utf8.count ?? .max) < 6_000)
      if let component = error?.component { #expect(component == key) }
    }
  }

  @Test("KVC.18: a character of any number of scalars is shortened, too")
  func scalars() {
    let error = #expect(throws: KVError.self) { try Song().value(forKey: Self.keys[0]) }
    let marks = { (count: Int) in String(repeating: "\u{301}", count: count) }
    #expect(
      error?.message.hasPrefix("undefined key \"a\(marks(99))…\(marks(40))\" of Song. Known keys: title.") == true)
  }
}
