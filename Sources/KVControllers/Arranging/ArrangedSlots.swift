import KVBinding
import KVCore
import KVQuery

/// The state of an ``ArrangedContent`` by the slots of its elements.
///
/// It is apart because it is not generic: code that is compiled for any type of element looks up the types that it uses.
package class ArrangedSlots: LinkedWithBinding {
  /// The elements, by slot: objects, or boxes of values.
  final var items: [AnyObject?] = []
  final var content = SlotSequence()
  final var order = SlotSequence()
  final var keys: SortKeyStore
  final var freeSlots: [Int32] = []
  /// The errors of elements, by slot.
  final var failures: [Int: KVError] = [:]
  /// The places that are followed, by slot.
  final var stableIndexes: [Int: StableIndexReference] = [:]
  /// The number of places at which those that nobody follows any more are removed.
  final var stableIndexLimit = 16
  /// How many places were examined for that, for tests.
  final var examinedStableIndexes = 0
  /// Whether the values of the first descriptor make groups, so that an element whose group changes is removed and
  /// inserted, even at the same index (SRT.11).
  final var isGrouped = false

  init() {
    // No descriptor names an unknown comparison.
    guard let keys = try? SortKeyStore([]) else { preconditionFailure("no descriptors, and yet an error") }
    self.keys = keys
  }

  /// An element that is inserted into the arrangement.
  struct Placement {
    let slot: Int
    /// The index in the present arrangement before which it is inserted, unless it is inserted in order.
    var position: Int
  }

  /// Returns the change that removes arranged indexes, and shows slots, which are given in content order.
  ///
  /// - Parameters:
  ///   - isSorted: Whether the slots are inserted in order.
  ///   - isSameElement: Whether the same element is removed and shown.
  final func change(
    removing removed: [Int], showing shown: [Placement], isSorted: Bool, isSameElement: Bool
  ) -> (kind: ArrangementKind, slots: IndexedEdit<Int>) {
    let placements = orderedPlacements(shown, isSorted: isSorted)
    var inserted: [Int] = []
    inserted.reserveCapacity(placements.count)
    var before = 0
    for (rank, placement) in placements.enumerated() {
      while before < removed.count, removed[before] < placement.position { before += 1 }
      inserted.append(placement.position - before + rank)
    }
    let slots = placements.map { $0.slot }
    let edit = IndexedEdit(removing: removed, adding: inserted, slots)
    var kind = edit.isEmpty ? ArrangementKind.none : edit.kind == .replacement ? .replacement : .indexes
    if kind == .replacement, isGrouped, !zip(removed, slots).allSatisfy({ keys.areAlike(order[$0], $1) }) {
      kind = .indexes
    }
    if !isSameElement, removed.count == order.count, !removed.isEmpty, !inserted.isEmpty { kind = .whole }
    return (kind, edit)
  }

  /// Returns placements in the order of the arrangement, with their positions.
  private func orderedPlacements(_ shown: [Placement], isSorted: Bool) -> [Placement] {
    guard isSorted || keys.isEmpty else {
      return shown.ordered { $0.position }
    }
    if shown.count == 1 { return [Placement(slot: shown[0].slot, position: position(of: shown[0].slot))] }
    var last = 0
    return keys.sorted(shown.map { $0.slot }).map { slot in
      last = max(last, position(of: slot))
      return Placement(slot: slot, position: last)
    }
  }

  /// Returns the index of the first arranged slot that does not precede a slot.
  private func position(of slot: Int) -> Int {
    keys.lowerBound(of: slot, in: order.slots) { content.precedes($0, slot) }
  }

  // MARK: Slots

  /// Returns a slot with an element.
  final func makeSlot(_ item: AnyObject) -> Int {
    if let slot = freeSlots.popLast() {
      items[Int(slot)] = item
      return Int(slot)
    }
    items.append(item)
    content.reserve(items.count)
    order.reserve(items.count)
    keys.reserve(items.count)
    return items.count - 1
  }

  final func release(_ slot: Int) {
    var old: AnyObject?
    // The element is released after the access, since its deinit can run any code.
    swap(&items[slot], &old)
    invalidateStableIndex(of: slot)
    keys.clear(slot)
    forgetFailure(of: slot)
    content.release(slot)
    order.release(slot)
    freeSlots.append(Int32(slot))
  }

  /// Forgets the error of an element that leaves the content, which keeps its slot until the change is applied.
  final func forgetFailure(of slot: Int) { if !failures.isEmpty { failures[slot] = nil } }
}
