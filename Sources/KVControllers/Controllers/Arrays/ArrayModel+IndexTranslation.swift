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
    var successors = follow(Array(old.indices), in: old, to: new) + [new.count]
    for index in successors.indices.dropLast().reversed() where successors[index] == nil {
      successors[index] = successors[index + 1]
    }
    let insertionIndexes = indexes.enumerated().map { position, index in
      index - position < successors.count ? successors[index - position] ?? new.count : new.count
    }
    let order = insertionIndexes.indexesInOrder
    return (objects[at: order], order.enumerated().map { insertionIndexes[$1] + $0 })
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
    return indexes.map { index in index.map { arrangement.stableIndex(at: $0) } }
  }

  func contentIndexes(of stableIndexes: [StableIndex?]) -> [Int?] {
    stableIndexes.map { stableIndex in stableIndex.flatMap { arrangement.contentIndex(of: $0) } }
  }
}
