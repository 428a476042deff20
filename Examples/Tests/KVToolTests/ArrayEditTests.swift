import Testing

@testable import KVTool

@Suite("The edit from one array to another")
struct ArrayEditTests {
  private func edit(_ old: [Int], _ new: [Int]) -> ArrayEdit {
    ArrayEdit(from: old, to: new) { min(1, Double(abs($0 - $1)) / 10) }
  }

  /// Does to an array what an edit says.
  private func applied(_ edit: ArrayEdit, from old: [Int], to new: [Int]) -> [Int] {
    var result = old
    for index in edit.removals.reversed() { result.remove(at: index) }
    for index in edit.insertions { result.insert(new[index], at: index) }
    for index in edit.replacements { result[index] = new[index] }
    return result
  }

  @Test("Elements come, go and are replaced where they stand")
  func examples() {
    #expect(edit([1, 2, 3], [1, 2, 3]) == edit([], []))
    #expect(edit([1, 2, 3], [0, 1, 2, 3, 4]).insertions == [0, 4])
    #expect(edit([1, 2, 3, 4], [2, 4]).removals == [0, 2])
    #expect(edit([1, 2, 3], [1, 5, 3]).replacements == [1])
  }

  @Test("Of an uneven exchange those are paired that have most in common")
  func pairs() {
    let edit = edit([20, 40, 60], [41])
    #expect(edit.removals == [0, 2])
    #expect(edit.replacements == [0])
  }

  @Test("Any array becomes any other, with as many elements kept as can be", arguments: 0..<400)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let range = 0...Int.random(in: 0...12, using: &random)
    let (old, new) = (random.array(of: range), random.array(of: range))
    let edit = edit(old, new)
    #expect(applied(edit, from: old, to: new) == new)
    let kept = old.count - edit.removals.count - edit.replacements.count
    #expect(kept == old.count - new.difference(from: old).removals.count)
    #expect(edit.removals.isEmpty || edit.insertions.isEmpty || old.count != new.count || kept > 0)
  }

  @Test("Long arrays are no matter, whatever is in them", .timeLimit(.minutes(1)))
  func long() {
    let count = 20_000
    let ascending = Array(0..<count)
    let shuffled = ascending.map { $0 * 7919 % count }
    let few = ascending.map { $0 * 31 % 7 % 3 }
    for (old, new) in [
      (ascending, shuffled), (few, few.reversed()), (few, Array(few.dropFirst(9))),
      (ascending, ascending.map { -$0 - 1 }),
    ] {
      #expect(applied(edit(old, new), from: old, to: new) == new)
    }
  }
}

/// A generator that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func array(of range: ClosedRange<Int>) -> [Int] {
    (0..<Int.random(in: 0...14, using: &self)).map { _ in Int.random(in: range, using: &self) }
  }
}
