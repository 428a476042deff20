import KVControllers
import KVCore
import Testing

/// What an edit of an arrangement costs for many elements, counted and not timed (SRT.12, CTR.40).
@Suite struct ArrangedContentCountingTests {
  @Test(
    "SRT.12, CTR.40: an edit compares at most 2 log₂ n + 4 times, and reads the key of its own element only",
    arguments: [1_000, 8_000, 64_000])
  func counted(count: Int) throws {
    let content = ArrangedContent<ArrangedSong>()
    content.isAutomatic = true
    // Eight songs have each name, so that ties are decided, too.
    let songs = (0..<count).map { ArrangedSong("\(1_000_000 + ($0 * 7919 % count) / 8)", $0 % 4) }
    content.apply(content.assign(songs))
    content.apply(try content.set(["name"], "age < 2"))
    let logarithm = Int.bitWidth - (count - 1).leadingZeroBitCount
    func expectFew(_ edit: () -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
      let (comparisons, reads) = (content.comparisons, songs.reduce(0) { $0 + $1.reads })
      edit()
      #expect(content.comparisons - comparisons <= 2 * logarithm + 4, sourceLocation: sourceLocation)
      #expect(songs.reduce(0) { $0 + $1.reads } - reads <= 1, sourceLocation: sourceLocation)
    }
    for name in ["", "1", "\(1_000_000 + count / 16)", "\(1_000_000 + count / 8 - 1)", "2"] {
      for index in [0, count / 2, count] {
        let song = ArrangedSong(name, 0)
        expectFew { content.apply(content.insert([song], at: [index])) }
        #expect(song.reads == 1)
        expectFew { content.apply(content.remove(at: [index])) }
      }
      let song = songs[count / 8 * 4]
      func change(_ body: () -> Void) {
        body()
        content.apply(content.elementDidChange(ObjectIdentifier(song)))
      }
      expectFew { change { song.name = name } }
      expectFew { change { song.age = 3 } }
      expectFew { change { song.age = 0 } }
    }
    #expect(content.elements.count == count / 2)
    #expect(zip(content.elements, content.elements.dropFirst()).allSatisfy { $0.name <= $1.name })
  }
}
