import KVCore
import Testing

@Suite("COL.5: the cost of single edits of large sets")
struct SetGrowthTests {
  @Test("COL.5: adding and removing single members looks up these members, and not all others")
  func hashes() throws {
    let box = CountedBox()
    let view = box.mutableSet(forKey: "members")
    Counted.hashes.withLock { $0 = 0 }
    for number in 0..<1_000 { try view.add(Counted(number: number)) }
    for number in 0..<1_000 { #expect(try view.contains(Counted(number: number))) }
    for number in 0..<500 { try view.remove(Counted(number: number)) }
    #expect(box.members.count == 500)
    // A copy of a set hashes its members only if the copy is larger.
    #expect(Counted.hashes.withLock { $0 } < 40_000)
  }

  @Test("COL.2, TOM.2: members of another type are compared as before", arguments: [5.0 as any Sendable, 5, Int8(5)])
  func otherTypes(_ five: any Sendable) throws {
    let record = try KVRecord(["any": Set<AnyHashable>([5, "a"]), "ints": [5, 6] as Set<Int>])
    #expect(try record.mutableSet(forKey: "ints").contains(five))
    try record.mutableSet(forKey: "ints").remove(five)
    #expect(try record.value(forKey: "ints") as? Set<Int> == [6])
    try record.mutableSet(forKey: "any").remove(five)
    #expect(try record.value(forKey: "any", as: Set<String>.self) == ["a"])
  }
}

private struct Counted: Hashable {
  static let hashes = Locked(0)
  let number: Int

  static func == (left: Counted, right: Counted) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) {
    Self.hashes.withLock { $0 += 1 }
    hasher.combine(number)
  }
}

private final class CountedBox: KVObject {
  @KVProperty var members: Set<Counted> = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: CountedBox.self) { key in key("members", \.members) }
  }
}
