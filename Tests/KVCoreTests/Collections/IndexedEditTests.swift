import Foundation
import Testing

@testable import KVCore

/// Edits by index against an array that is edited element by element.
@Suite struct IndexedEditTests {
  /// The number of random compositions; `KV_INDEXED_EDITS=1000000` for more.
  private static let compositions = ProcessInfo.processInfo.environment["KV_INDEXED_EDITS"].flatMap { Int($0) } ?? 8000

  // MARK: Random edits

  @Test("TOM.1: a composition of random edits is the edits one after the other, and its reverse undoes them")
  func random() {
    var history = EditHistory(seed: 2026)
    var differences = 0
    var done = 0
    while done < Self.compositions {
      let before = history.begin()
      var composition = IndexedEdit<Int>(.insertion, at: [], added: [])
      for _ in 0..<(1 + history.random.below(6)) {
        composition = composition.composed(with: history.edit())
        done += 1
        let problems = history.problems(of: composition, since: before)
        if problems.isEmpty { continue }
        differences += 1
        if differences < 5 { Issue.record("\(problems): \(composition) from \(before) to \(history.elements)") }
      }
    }
    #expect(differences == 0)
  }

  @Test("TOM.1: the order in which edits are composed makes no difference")
  func associativity() {
    var history = EditHistory(seed: 7)
    for _ in 0..<max(100, Self.compositions / 20) {
      _ = history.begin()
      let edits = (0..<history.random.below(9)).map { _ in history.edit() }
      let forwards = edits.reduce(IndexedEdit(.insertion, at: [], added: [])) { $0.composed(with: $1) }
      let backwards = edits.reversed().reduce(IndexedEdit(.insertion, at: [], added: [])) { $1.composed(with: $0) }
      #expect(Shape(forwards) == Shape(backwards) && Shape(forwards) == Shape(.composed(edits)))
      // Undoing in the reverse order is the reverse.
      let undone = IndexedEdit.composed(edits.reversed().map(\.reversed))
      #expect(Shape(undone) == Shape(forwards.reversed))
    }
  }

  @Test("CTR.40: successive edits are composed in n log n steps")
  func steps() {
    let count = 4096
    var (runs, steps): ([IndexedEdit<Int>], Int) = ([], 0)
    for index in 0..<count { steps += runs.compose(IndexedEdit(.insertion, at: [index / 2], added: [index])) }
    #expect(IndexedEdit.composed(runs: runs).addedIndexes == Array(0..<count))
    // log₂ 4096 is 12.
    #expect(steps <= count * 13 && runs.count <= 13, "\(steps)")
  }

  // MARK: Kinds

  @Test("TOM.1: an edit has the kind and the indexes of its record")
  func kinds() {
    let insertion = IndexedEdit(.insertion, at: [1, 3], added: ["b", "d"])
    let removal = IndexedEdit(.removal, at: [0, 2], removed: ["a", "c"])
    let replacement = IndexedEdit(.replacement, at: [1], removed: ["b"], added: ["x"])
    #expect(insertion.indexes == [1, 3] && removal.indexes == [0, 2] && replacement.indexes == [1])
    #expect(insertion.reversed.kind == .removal && insertion.reversed.removed == ["b", "d"])
    #expect(removal.reversed.kind == .insertion && removal.reversed.added == ["a", "c"])
    #expect(replacement.reversed.kind == .replacement && replacement.reversed.added == ["b"])
    #expect([insertion, removal, replacement].map(\.count) == [2, 2, 2])
  }

  @Test("TOM.1: edits of one kind make an edit of this kind, others what they come to")
  func composedKinds() {
    typealias Edit = IndexedEdit<Int>
    func kind(_ first: Edit, _ second: Edit) -> KVChangeKind { first.composed(with: second).kind }
    let insertion = Edit(.insertion, at: [0], added: [1])
    let removal = Edit(.removal, at: [0], removed: [1])
    let replacement = Edit(.replacement, at: [0], removed: [1], added: [2])
    #expect(kind(insertion, insertion) == .insertion)
    #expect(kind(removal, removal) == .removal)
    #expect(kind(replacement, replacement) == .replacement)
    #expect(kind(removal, insertion) == .replacement)
    #expect(kind(removal, Edit(.insertion, at: [1], added: [2])) == .setting)
    #expect(kind(Edit(.insertion, at: [0, 1], added: [1, 2]), removal) == .insertion)
    #expect(kind(insertion, replacement) == .insertion)
    #expect(kind(replacement, Edit(.removal, at: [0], removed: [2])) == .removal)
  }

  @Test("TOM.1: an edit that was undone changes nothing", arguments: [KVChangeKind.insertion, .removal, .replacement])
  func undone(_ kind: KVChangeKind) {
    let edit = IndexedEdit(kind, at: [0, 4, 5], removed: [1, 2, 3], added: [4, 5, 6])
    let nothing = edit.composed(with: edit.reversed)
    // An element that is removed and inserted again is another one for all that an edit knows.
    #expect(nothing.removed == nothing.added && nothing.removedIndexes == nothing.addedIndexes)
    #expect(nothing.isEmpty == (kind == .insertion))
  }

  @Test("TOM.1: an edit of nothing applies, reverses and composes")
  func nothing() {
    let none = IndexedEdit<Int>(.removal, at: [], removed: [])
    var elements = [1, 2]
    none.apply(to: &elements)
    none.reversed.apply(to: &elements)
    #expect(elements == [1, 2] && none.isEmpty && none.kind == .removal && none.reversed.kind == .insertion)
    #expect(none.previousIndexes(of: [0, 1]) == [0, 1])
    #expect(IndexedEdit<Int>.composed([]).isEmpty && IndexedEdit.composed([none, none]).kind == .removal)
  }

  @Test("TOM.1: a removal that does not know its elements applies, and composes without them")
  func unknown() {
    var elements = ["a", "b", "c"]
    let removal = IndexedEdit<String>(.removal, at: [1])
    removal.apply(to: &elements)
    #expect(elements == ["a", "c"])
    let both = removal.composed(with: IndexedEdit(.replacement, at: [1], removed: ["c"], added: ["d"]))
    #expect(both.removedIndexes == [1, 2] && both.removed == nil && both.addedIndexes == [1] && both.added == ["d"])
    elements = ["a", "b", "c"]
    both.apply(to: &elements)
    #expect(elements == ["a", "d"])
    // What is known of one side stays known if nothing is added to it.
    let known = IndexedEdit(.removal, at: [0], removed: ["a"]).composed(with: IndexedEdit(.insertion, at: [0]))
    #expect(known.removed == ["a"] && known.added == nil)
  }

  @Test("TOM.1: elements that are optional may be nil")
  func optionals() {
    var elements: [Int?] = [1, nil]
    let edit = IndexedEdit<Int?>(.insertion, at: [0, 3], added: [nil, nil])
    let whole = edit.composed(with: IndexedEdit(.replacement, at: [1], removed: [1], added: [nil]))
    whole.apply(to: &elements)
    #expect(elements == [nil, nil, nil, nil])
    whole.reversed.apply(to: &elements)
    #expect(elements == [1, nil])
  }

  @Test("TOM.1: misuse of an edit ends the process")
  func misuse() async {
    await #expect(processExitsWith: .failure) { _ = IndexedEdit<Int>(.setting, at: []) }
    await #expect(processExitsWith: .failure) { _ = IndexedEdit(.insertion, at: [0, 1], added: [1]) }
    await #expect(processExitsWith: .failure) {
      var elements = [1]
      IndexedEdit<Int>(.removal, at: [0]).reversed.apply(to: &elements)
    }
    await #expect(processExitsWith: .failure) {
      var elements = [1]
      IndexedEdit(.replacement, at: [1], added: [2]).apply(to: &elements)
    }
  }
}

/// An edit, to be compared.
private struct Shape: Equatable {
  let removed: [Int: Int]
  let added: [Int: Int]

  init(_ edit: IndexedEdit<Int>) {
    removed = Dictionary(uniqueKeysWithValues: zip(edit.removedIndexes, edit.removed ?? []))
    added = Dictionary(uniqueKeysWithValues: zip(edit.addedIndexes, edit.added ?? []))
  }
}
