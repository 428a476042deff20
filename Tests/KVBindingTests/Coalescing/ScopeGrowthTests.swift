import KVBinding
import TestModels
import Testing

@Suite("COA.3: the composition of many edits")
struct ScopeGrowthTests {
  @Test("COA.3: thousands of edits of one kind at random indexes compose to one of their kind", arguments: [0, 1])
  func arrays(kind: Int) throws {
    let count = 3_000
    var random = ScopeRandom(seed: 7)
    let item = ScopeItem()
    item.list = kind == 0 ? [] : Array(0..<count)
    let log = RecordLog()
    let token = try item.observe("list", options: [.old, .new, .coalesced]) { log.changes.append($0) }
    let (old, view) = (item.list, item.mutableArray(forKey: "list"))
    try KVCoalescing.coalesce {
      for index in 0..<count - 5 {
        if kind == 0 {
          try view.insert(index, at: random.below(index + 1))
        } else {
          try view.remove(at: random.below(count - index))
        }
      }
    }
    #expect(log.changes.map(\.kind) == [kind == 0 ? .insertion : .removal])
    #expect(log.applied(to: old) == item.list)
    token.cancel()
  }

  @Test("COA.3: a setting has the array from before thousands of edits of all kinds")
  func mixture() throws {
    let count = Extent.rounds(1_000, of: 3_000)
    var random = ScopeRandom(seed: 11)
    let item = ScopeItem()
    item.list = Array(0..<count)
    let log = RecordLog()
    let token = try item.observe("list", options: [.old, .new, .coalesced]) { log.changes.append($0) }
    let (old, view) = (item.list, item.mutableArray(forKey: "list"))
    try KVCoalescing.coalesce {
      for edit in 0..<count {
        let kind = random.below(3)
        try random.edit(view, kind: kind, number: count + edit)
      }
    }
    #expect(log.changes.map(\.kind) == [.setting])
    #expect(log.changes.first?.old as? [Int] == old)
    #expect(log.changes.first?.new as? [Int] == item.list)
    token.cancel()
  }

  @Test("COA.3: a mixture of edits of a set looks at its members, and at those of each edit, once")
  func sets() throws {
    let count = 400
    let bag = CountedBag()
    bag.members = Set((0..<count).map { CountedMember(number: $0) })
    var records: [KVChange] = []
    let token = try bag.observe("members", options: [.old, .new, .coalesced]) { records.append($0) }
    let view = bag.mutableSet(forKey: "members")
    let old = bag.members
    var before = 0
    try KVCoalescing.coalesce {
      for number in 0..<count {
        try view.add(CountedMember(number: count + number))
        try view.remove(CountedMember(number: number))
      }
      before = CountedMember.comparisons
    }
    // Those of different members come from collisions of a hash table only.
    #expect(CountedMember.comparisons - before < 30 * count)
    #expect(records.count == 1 && records[0].kind == .setting)
    #expect(records[0].old as? Set<CountedMember> == old)
    #expect((records[0].new as? Set<CountedMember>)?.count == count)
    token.cancel()
  }
}

/// A member that counts its comparisons.
private struct CountedMember: Hashable {
  static var comparisons: Int {
    get { counter.value }
    set { counter.value = newValue }
  }
  private static let counter = CallCount()
  let number: Int

  static func == (left: CountedMember, right: CountedMember) -> Bool {
    comparisons += 1
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A number that one test counts.
private final class CallCount: @unchecked Sendable {  // guard: used by one test on one thread
  var value = 0
}

/// An object with a set, edited where it is.
private final class CountedBag: KVObject {
  var members: Set<CountedMember> = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: CountedBag.self) { key in
      key("members", \.members).unordered(
        add: { $0.members.formUnion($1) }, remove: { $0.members.subtract($1) })
    }
  }
}
