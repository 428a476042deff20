import KVCore
import TestModels
import Testing

@Suite("Key paths: random texts")
struct KeyPathFuzzTests {
  @Test(
    "KP.4, KP.7: nothing traps, and what is accepted parses back to an equal path", arguments: [1, 2, 3, 4] as [UInt64])
  func fuzz(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var accepted = 0
    let rounds = Extent.rounds(30_000, of: 250_000)
    for round in 0..<rounds {
      let text = round & 1 == 0 ? Self.noise(&random) : Self.mutation(&random)
      do throws(KVError) {
        let path = try KVKeyPath(text)
        accepted += 1
        let description = path.description
        // A text that is written as it is printed is its own round trip.
        if description == text { continue }
        if try KVKeyPath(description) != path { Issue.record("no round trip: \(text.debugDescription)") }
      } catch {
        let isComplete = error.code == .invalidKeyPath && error.keyPath == text && error.offset != nil
        if !isComplete { Issue.record("a poor error for \(text.debugDescription): \(error)") }
      }
    }
    #expect(accepted > rounds / 5, "the generator must also make valid paths")
    #expect(accepted < rounds * 22 / 25, "the generator must also make malformed paths")
  }

  private static let pieces: [[UInt8]] = [
    ".", ".", ".", "[", "[", "]", "]", "\"", "\"", "\\", "@", "@", "a", "b", "name", "0", "1", "42", " ", "é", "日", "🏳️‍🌈",
    "\u{301}", "\0", "\n", "-", "[0]", "[\"", "\"]", "\\\"", "\\\\", "@sum", "99999999999999999999",
  ].map { Array($0.utf8) }

  private static func noise(_ random: inout SplitMix64) -> String {
    var bytes: [UInt8] = []
    for _ in 0..<random.below(9) { bytes += pieces[random.below(pieces.count)] }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let seeds: [[UInt8]] = [
    "orders[0].total", #"users["jane.doe"].name"#, "items.@sum.price", "@superviewWithTag[12].dataObject.name",
    #"a["\"\\"][0].b"#, #"[0]["k"].@op["]"].größe"#, "a.b.c.d", "@self", "x.@lastObject[3][4].y",
  ].map { Array($0.utf8) }

  /// A valid path with up to three bytes or pieces inserted, removed or replaced.
  private static func mutation(_ random: inout SplitMix64) -> String {
    var bytes = seeds[random.below(seeds.count)]
    for _ in 0..<random.below(4) {
      let position = random.below(bytes.count + 1)
      switch random.below(4) {
      case 0: bytes.insert(contentsOf: pieces[random.below(pieces.count)], at: position)
      case 1 where position < bytes.count: bytes.remove(at: position)
      case 2 where position < bytes.count: bytes[position] = UInt8(truncatingIfNeeded: random.next())
      default: bytes.removeSubrange(position...)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
