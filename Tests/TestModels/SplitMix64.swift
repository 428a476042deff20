/// A small seeded generator: the same seed gives the same tests everywhere.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number below a bound; quick, and even enough for tests.
  package mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: (next() >> 33) % UInt64(bound)) }

  /// A document with one to four faults: bytes that are changed, inserted, removed, repeated or replaced by tokens.
  package mutating func damaged(_ document: [UInt8], _ tokens: [[UInt8]]) -> [UInt8] {
    var bytes = document
    for _ in 0...below(4) where !bytes.isEmpty {
      let place = below(bytes.count)
      switch below(6) {
      case 0: bytes[place] = UInt8(below(256))
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(UInt8(below(128)), at: place)
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + below(20)))
      case 4: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + below(30))], at: place)
      default: bytes.replaceSubrange(place...place, with: tokens[below(tokens.count)])
      }
    }
    return bytes
  }
}
