import KVBinding
import KVCore

/// The place of an element of an ``ArrangedContent``, which follows the element through edits of the content.
///
/// An element that replaces another one at its index takes over its place.
final class StableIndex {
  /// The slot of the element; nil if the element has left the content.
  fileprivate(set) var slot: Int?

  fileprivate init(_ slot: Int) { self.slot = slot }
}

extension ArrangedSlots {
  /// A place, which exists as long as somebody follows it.
  struct StableIndexReference {
    weak var stableIndex: StableIndex?
  }

  /// Lets the place of an element be that of the one that replaces it.
  final func moveStableIndex(from old: Int, to new: Int) {
    if stableIndexes.isEmpty { return }
    guard let reference = stableIndexes.removeValue(forKey: old), let stableIndex = reference.stableIndex else {
      return
    }
    stableIndex.slot = new
    stableIndexes[new] = reference
  }

  /// Removes the places that nobody follows any more, whenever there are twice as many as after the last time.
  final func removeDeadStableIndexes() {
    if stableIndexes.count < stableIndexLimit { return }
    examinedStableIndexes += stableIndexes.count
    stableIndexes = stableIndexes.filter { $0.value.stableIndex != nil }
    stableIndexLimit = max(16, stableIndexes.count * 2)
  }

  /// Ends the place of an element that leaves the content.
  final func invalidateStableIndex(of slot: Int) {
    if stableIndexes.isEmpty { return }
    stableIndexes.removeValue(forKey: slot)?.stableIndex?.slot = nil
  }
}

extension ArrangedContent {
  /// Returns the one place of an element of the content.
  func stableIndex(at contentIndex: Int) -> StableIndex {
    let slot = content[contentIndex]
    if let index = stableIndexes.index(forKey: slot), let stableIndex = stableIndexes.values[index].stableIndex {
      return stableIndex
    }
    removeDeadStableIndexes()
    let stableIndex = StableIndex(slot)
    stableIndexes[slot] = StableIndexReference(stableIndex: stableIndex)
    return stableIndex
  }

  /// Returns the content index of a place; nil if its element has left the content.
  func contentIndex(of stableIndex: StableIndex) -> Int? { stableIndex.slot.flatMap { content.index(of: $0) } }

  /// Lets the places follow their elements to another content: objects by identity, values by CO.7.
  ///
  /// - Parameters:
  ///   - old: The former elements, by slot.
  ///   - new: The new elements, whose slots are their indexes.
  func moveStableIndexes(from old: [AnyObject?], to new: [Element]) {
    if stableIndexes.isEmpty { return }
    var moved: [Int: StableIndexReference] = [:]
    for (slot, reference) in stableIndexes.ordered(by: { $0.key }) {
      guard let stableIndex = reference.stableIndex, let element = old[slot].map(element(of:)) else { continue }
      let id = Self.identity(of: element)
      stableIndex.slot = new.indices.first { index in
        moved[index] == nil
          && (id.map { $0 == Self.identity(of: new[index]) } ?? Equality.areEqual(element, new[index]))
      }
      if let slot = stableIndex.slot { moved[slot] = reference }
    }
    stableIndexes = moved
  }
}
