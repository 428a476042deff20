import KVBinding
import KVCore
import TestModels
import Testing

/// The records of a to-many key, applied to the old collection, give the new one.
@Suite("TOM.1, TOM.2: replaying records")
struct ReplayTests {
  @Test("TOM.1: ten thousand edits of an array, at the end of a key and of a path", arguments: [1, 2] as [UInt64])
  func arrays(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let root = Villager("root")
    let person = Villager("Ada")
    root.next = person
    var copy: [Int] = []
    var distant: [Int] = []
    let model = NumberModel()
    let owner = NumberOwner(model)
    let near = try model.observe("numbers") { copy = replay($0, on: copy) }
    let far = try owner.observe("model.numbers") { distant = replay($0, on: distant) }
    let view = model.mutableArray(forKey: "numbers")
    for step in 0..<10_000 {
      let count = model.numbers.count
      switch random.below(count > 40 ? 3 : 7) {
      case 0: try view.remove(at: indexes(below: count, &random))
      case 1: model.numbers = (0..<random.below(6)).map { _ in random.below(100) }
      case 2: try model.setValue([step], forKey: "numbers")
      case 3:
        let indexes = indexes(below: count + 3, &random).enumerated().filter { $0.element <= count + $0.offset }
        try view.insert(indexes.map { _ in random.below(100) as Any }, at: indexes.map(\.element))
      case 4:
        let indexes = indexes(below: count, &random)
        try view.replace(at: indexes, with: indexes.map { _ in random.below(100) as Any })
      case 5: try view.append(random.below(100))
      default: model.numbers.append(step)
      }
      #expect(copy == model.numbers && distant == copy, "edit \(step), seed \(seed)")
      if copy != model.numbers || distant != copy { break }
    }
    near.cancel()
    far.cancel()
  }

  @Test("TOM.2: ten thousand edits of a set", arguments: [3, 4] as [UInt64])
  func sets(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let person = Villager("Ada")
    var copy: Set<String> = []
    var isExact = true
    let token = try person.observe("tags") { change in
      let gone = Set(change.old as? [String] ?? [])
      let come = Set(change.new as? [String] ?? [])
      switch change.kind {
      case .setting: copy = change.new as? Set<String> ?? []
      case .insertion, .removal, .replacement:
        // Only what was there goes, and only what was not comes.
        if !gone.isSubset(of: copy) || !come.isDisjoint(with: copy) || gone.isEmpty && come.isEmpty { isExact = false }
        copy = copy.subtracting(gone).union(come)
      }
    }
    let view = person.mutableSet(forKey: "tags")
    for step in 0..<10_000 {
      let members = (0..<random.below(5)).map { _ in "\(random.below(12))" as Any }
      switch random.below(7) {
      case 0: try view.formUnion(members)
      case 1: try view.subtract(members)
      case 2: try view.formIntersection(members + (0..<8).map { "\($0)" as Any })
      case 3: try view.set(members)
      case 4: person.tags = Set(members.compactMap { $0 as? String })
      case 5: try view.add("\(random.below(12))")
      default: try view.remove("\(random.below(12))")
      }
      #expect(copy == person.tags && isExact, "edit \(step), seed \(seed)")
      if copy != person.tags || !isExact { break }
    }
    token.cancel()
  }

  /// Some ascending indexes below a bound.
  private func indexes(below bound: Int, _ random: inout SplitMix64) -> [Int] {
    (0..<bound).filter { _ in random.below(5) == 0 }
  }
}

/// Applies a record to the collection as it was.
private func replay(_ change: KVChange, on old: [Int]) -> [Int] {
  let gone = change.old as? [Int]
  let come = change.new as? [Int] ?? []
  let indexes = change.indexes ?? []
  var result = old
  switch change.kind {
  case .setting:
    #expect(gone == old)
    return come
  case .insertion: for (index, element) in zip(indexes, come) { result.insert(element, at: index) }
  case .removal:
    #expect(indexes.map { old[$0] } == gone)
    for index in indexes.reversed() { result.remove(at: index) }
  case .replacement:
    #expect(indexes.map { old[$0] } == gone)
    for (index, element) in zip(indexes, come) { result[index] = element }
  }
  return result
}

private final class NumberModel: KVObject {
  @KVProperty var numbers: [Int] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: NumberModel.self) { key in key("numbers", \.numbers) }
  }
}

private final class NumberOwner: KVObject {
  @KVProperty var model: NumberModel

  init(_ model: NumberModel) { self.model = model }
}
