import TestModels

@testable import KVCore

/// Random edits of an array of distinct elements, made naively: element by element.
struct EditHistory {
  var random: SplitMix64
  private(set) var elements: [Int] = []
  private var next = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Begins with other elements, and returns them.
  mutating func begin() -> [Int] {
    elements = fresh(random.below(10))
    return elements
  }

  /// Makes an edit of some elements, or of none, and returns it.
  mutating func edit() -> IndexedEdit<Int> {
    switch random.below(4) {
    case 0: return insert()
    case 1: return remove()
    case 2: return replace()
    default:
      let removal = remove()
      let insertion = insert()
      return IndexedEdit(
        removing: removal.removedIndexes, removal.removed, adding: insertion.addedIndexes, insertion.added)
    }
  }

  private mutating func insert() -> IndexedEdit<Int> {
    let count = random.below(4)
    let added = fresh(count)
    let indexes = Array((0..<(elements.count + count)).shuffled(using: &random).prefix(count)).sorted()
    for (index, element) in zip(indexes, added) { elements.insert(element, at: index) }
    return IndexedEdit(.insertion, at: indexes, added: added)
  }

  private mutating func remove() -> IndexedEdit<Int> {
    let indexes = some()
    let removed = indexes.map { elements[$0] }
    for index in indexes.reversed() { elements.remove(at: index) }
    return IndexedEdit(.removal, at: indexes, removed: removed)
  }

  private mutating func replace() -> IndexedEdit<Int> {
    let indexes = some()
    let removed = indexes.map { elements[$0] }
    let added = fresh(indexes.count)
    for (index, element) in zip(indexes, added) { elements[index] = element }
    return IndexedEdit(.replacement, at: indexes, removed: removed, added: added)
  }

  /// Some indexes, adjacent ones now and then.
  private mutating func some() -> [Int] {
    if random.below(4) == 0, !elements.isEmpty {
      let first = random.below(elements.count)
      return Array(first..<(first + 1 + random.below(elements.count - first)))
    }
    return elements.indices.filter { _ in random.below(3) == 0 }
  }

  private mutating func fresh(_ count: Int) -> [Int] {
    defer { next += count }
    return Array(next..<(next + count))
  }

  /// Returns what is wrong with an edit that should lead from former elements to the present ones.
  func problems(of edit: IndexedEdit<Int>, since before: [Int]) -> [String] {
    var problems: [String] = []
    var (forwards, backwards) = (before, elements)
    edit.apply(to: &forwards)
    edit.reversed.apply(to: &backwards)
    if forwards != elements { problems.append("applies as \(forwards)") }
    if backwards != before { problems.append("reverts as \(backwards)") }
    let kept = Set(before).intersection(elements)
    let removed = before.indices.filter { !kept.contains(before[$0]) }
    let added = elements.indices.filter { !kept.contains(elements[$0]) }
    if edit.removedIndexes != removed || edit.removed != removed.map({ before[$0] }) { problems.append("removes") }
    if edit.addedIndexes != added || edit.added != added.map({ elements[$0] }) { problems.append("adds") }
    let former = elements.map { before.firstIndex(of: $0) }
    if edit.previousIndexes(of: Array(elements.indices)) != former { problems.append("former indexes") }
    let later = before.map { elements.firstIndex(of: $0) }
    if edit.reversed.previousIndexes(of: Array(before.indices)) != later { problems.append("later indexes") }
    return problems
  }
}
