import KVFixtures
import Testing

@testable import KVBinding

/// Edits of an array by index, composed (CTR.10).
@Suite struct IndexDifferenceTests {
  @Test("CTR.10: one removal and one insertion stand for all edits", arguments: [1, 2, 3, 4] as [UInt64])
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var next = 0
    for _ in 0..<400 {
      let before = Array(next..<(next + random.below(12)))
      next += before.count
      var array = before
      var difference = IndexDifference()
      for _ in 0..<random.below(6) {
        let indexes = array.indices.filter { _ in random.below(3) == 0 }
        switch random.below(3) {
        case 0:
          array.remove(at: indexes)
          difference.remove(at: indexes)
        case 1:
          for index in indexes {
            array[index] = next
            next += 1
          }
          difference.replace(at: indexes)
        default:
          let count = array.count + 3
          let places = (0..<count).shuffled(using: &random).prefix(3).sorted()
          array.insert([next, next + 1, next + 2], at: places)
          next += 3
          difference.insert(at: places)
        }
      }
      var copy = before
      copy.remove(at: difference.removed)
      copy.insert(difference.inserted.map { array[$0] }, at: difference.inserted)
      #expect(copy == array)
      let kept = array.indices.filter { before.contains(array[$0]) }
      #expect(difference.removed.count == before.count - kept.count)
      #expect(difference.formerIndexes(of: kept).map { before[$0] } == kept.map { array[$0] })
    }
  }
}
