import KVBinding
import KVCore

// The present indexes of elements of a former array, which other code has changed since.
extension ArrayModel {
  /// Returns the present indexes of elements of a former array; nil for those that are gone.
  ///
  /// - Parameter keepsValues: Whether a value that is gone may have been changed in place, as by a commit.
  static func follow(_ indexes: [Int], in old: [Element], to new: [Element], keepsValues: Bool = false) -> [Int?] {
    let found = OccurrenceIndex.indexes(of: indexes, in: old, within: new)
    guard keepsValues, old.count == new.count else { return found }
    return zip(indexes, found).map { index, found in
      found ?? (old.indices.contains(index) && ArrangedContent<Element>.identity(of: old[index]) == nil ? index : nil)
    }
  }

  /// Returns objects and the ascending indexes at which they are inserted before the same elements as in a former array.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - indexes: The ascending index of each after the insertion into the former array.
  ///   - old: The former array; nil if it is the present one.
  ///   - new: The present array.
  static func insertion(
    of objects: [Element], at indexes: [Int], in old: [Element]?, to new: [Element]
  ) -> (objects: [Element], indexes: [Int]) {
    guard let old, !old.sharesStorage(with: new) else { return (objects, indexes) }
    // The index of the first element that remains behind each index; objects at the end stay there.
    var behind = follow(Array(old.indices), in: old, to: new) + [new.count]
    for index in behind.indices.dropLast().reversed() where behind[index] == nil { behind[index] = behind[index + 1] }
    let places = indexes.enumerated().map { position, index in
      index - position < behind.count ? behind[index - position] ?? new.count : new.count
    }
    let order = places.indexesInOrder
    return (objects[at: order], order.enumerated().map { places[$1] + $0 })
  }

  /// Returns the content indexes of arranged indexes.
  func contentIndexes(of arranged: [Int]) -> [Int?] { arranged.map { arrangement.sourceIndex(of: $0) } }

  // MARK: Places of selected values

  /// The places of the selected elements in the content; nil for one that an update which is being delivered removes.
  var stableIndexesOfSelection: [StableIndex?] {
    let selected = presentedSelection.indexes
    // The arrangement has another state than observers see.
    let indexes =
      presented == nil
      ? contentIndexes(of: selected)
      : Self.follow(selected, in: presentedElements, to: arrangement.contentElements)
    return indexes.map { index in index.map { arrangement.place(at: $0) } }
  }

  func contentIndexes(of places: [StableIndex?]) -> [Int?] {
    places.map { place in place.flatMap { arrangement.contentIndex(of: $0) } }
  }
}
