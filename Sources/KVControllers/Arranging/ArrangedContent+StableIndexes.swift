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
    weak var place: StableIndex?
  }

  /// Lets the place of an element be that of the one that replaces it.
  final func moveStableIndex(from old: Int, to new: Int) {
    if places.isEmpty { return }
    guard let reference = places.removeValue(forKey: old), let place = reference.place else { return }
    place.slot = new
    places[new] = reference
  }

  /// Removes the places that nobody follows any more, whenever there are twice as many as after the last time.
  final func removeDeadStableIndexes() {
    if places.count < stableIndexLimit { return }
    examinedStableIndexes += places.count
    places = places.filter { $0.value.place != nil }
    stableIndexLimit = max(16, places.count * 2)
  }

  /// Ends the place of an element that leaves the content.
  final func invalidateStableIndex(of slot: Int) {
    if places.isEmpty { return }
    places.removeValue(forKey: slot)?.place?.slot = nil
  }
}

extension ArrangedContent {
  /// Returns the one place of an element of the content.
  func place(at contentIndex: Int) -> StableIndex {
    let slot = content[contentIndex]
    if let index = places.index(forKey: slot), let place = places.values[index].place { return place }
    removeDeadStableIndexes()
    let place = StableIndex(slot)
    places[slot] = StableIndexReference(place: place)
    return place
  }

  /// Returns the content index of a place; nil if its element has left the content.
  func contentIndex(of place: StableIndex) -> Int? { place.slot.flatMap { content.index(of: $0) } }

  /// Lets the places follow their elements to another content: objects by identity, values by CO.7.
  ///
  /// - Parameters:
  ///   - old: The former elements, by slot.
  ///   - new: The new elements, whose slots are their indexes.
  func moveStableIndexes(from old: [AnyObject?], to new: [Element]) {
    if places.isEmpty { return }
    var moved: [Int: StableIndexReference] = [:]
    for (slot, reference) in places.ordered(by: { $0.key }) {
      guard let place = reference.place, let element = old[slot].map(element(of:)) else { continue }
      let id = Self.identity(of: element)
      place.slot = new.indices.first { index in
        moved[index] == nil
          && (id.map { $0 == Self.identity(of: new[index]) } ?? Equality.areEqual(element, new[index]))
      }
      if let slot = place.slot { moved[slot] = reference }
    }
    places = moved
  }
}
