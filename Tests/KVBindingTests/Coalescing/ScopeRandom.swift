import KVBinding
import KVCore
import TestModels

/// Seeded edits of collections.
struct ScopeRandom {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15) }

  mutating func below(_ bound: Int) -> Int { random.below(bound) }

  /// Indexes below a bound, ascending, one at least.
  private mutating func indexes(below bound: Int) -> [Int] {
    var indexes: Set<Int> = [below(bound)]
    while indexes.count < bound, below(3) == 0 { indexes.insert(below(bound)) }
    return indexes.sorted()
  }

  /// Edits an array in one of three ways; any of them, and whole settings, for other kinds.
  mutating func edit(_ array: KVMutableArray, kind: Int, number: Int) throws(KVError) {
    let count = try array.elements().count
    let chosen = kind < 3 ? kind : below(4)
    switch chosen {
    case 0:
      let extra = 1 + below(3)
      var indexes: Set<Int> = []
      while indexes.count < extra { indexes.insert(below(count + extra)) }
      try array.insert((0..<extra).map { 100 * (number + 1) + $0 }, at: indexes.sorted())
    case 1 where count > 0:
      try array.remove(at: indexes(below: count))
    case 2 where count > 0:
      let indexes = indexes(below: count)
      try array.replace(at: indexes, with: indexes.map { 1_000 * (number + 1) + $0 })
    case 3 where below(3) == 0:
      try array.removeAll()
      try array.append(contentsOf: [7, 8])
    default: break
    }
  }

  /// Edits a set: only additions, only removals, or anything.
  mutating func edit(_ set: KVMutableSet, kind: Int) throws(KVError) {
    let members = (0...below(3)).map { _ in below(10) }
    switch kind < 2 ? kind : below(4) {
    case 0: try set.formUnion(members)
    case 1: try set.subtract(members)
    case 2: try set.formIntersection(members)
    default: try set.set(members)
    }
  }
}

/// Keeps records, and does to a collection what they say.
final class RecordLog {
  var changes: [KVChange] = []

  func applied(to old: [Int]) -> [Int]? {
    guard let change = changes.first else { return old }
    var result = old
    let indexes = change.indexes ?? []
    let before = change.old as? [Any] ?? []
    let after = (change.new as? [Any] ?? []).compactMap { $0 as? Int }
    switch change.kind {
    case .setting:
      guard before.compactMap({ $0 as? Int }) == old else { return nil }
      return after
    case .insertion:
      for (index, element) in zip(indexes, after) { result.insert(element, at: index) }
    case .removal:
      guard before.compactMap({ $0 as? Int }) == indexes.map({ old[$0] }) else { return nil }
      for index in indexes.reversed() { result.remove(at: index) }
    case .replacement:
      guard before.compactMap({ $0 as? Int }) == indexes.map({ old[$0] }) else { return nil }
      for (index, element) in zip(indexes, after) { result[index] = element }
    }
    return result
  }

  func applied(to old: Set<Int>) -> Set<Int>? {
    guard let change = changes.first else { return old }
    func members(_ value: Any?) -> Set<Int> {
      if let set = value as? Set<AnyHashable> { return Set(set.compactMap { $0 as? Int }) }
      return Set((value as? [Any] ?? []).compactMap { $0 as? Int })
    }
    switch change.kind {
    case .setting: return members(change.old) == old ? members(change.new) : nil
    case .insertion: return old.isDisjoint(with: members(change.new)) ? old.union(members(change.new)) : nil
    case .removal: return old.isSuperset(of: members(change.old)) ? old.subtracting(members(change.old)) : nil
    case .replacement: return old.subtracting(members(change.old)).union(members(change.new))
    }
  }
}
