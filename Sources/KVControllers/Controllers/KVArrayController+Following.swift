import KVBinding
import KVCore

// What indexes of a caller mean after other code has changed the controller: the rest of a half-delivered update, which is
// delivered before a change by one of its handlers (CTR.7), or the commit of an edit (CTR.43).
extension KVArrayController {
  /// Returns the present indexes of elements of a former array; nil for those that are gone.
  ///
  /// - Parameter keepsValues: Whether a value that is gone may have been changed in place, as by a commit.
  static func follow(_ indexes: [Int], in old: [Element], to new: [Element], keepsValues: Bool = false) -> [Int?] {
    let found = Occurrences.indexes(of: indexes, in: old, within: new)
    guard keepsValues, old.count == new.count else { return found }
    return zip(indexes, found).map { index, found in
      found ?? (old.indices.contains(index) && ArrangedContent<Element>.identity(of: old[index]) == nil ? index : nil)
    }
  }

  /// Returns the content indexes of arranged indexes.
  func contentIndexes(of arranged: [Int]) -> [Int?] { arranged.map { arrangement.sourceIndex(of: $0) } }

  /// Completes a half-delivered update, and returns the content indexes of what the caller finds at arranged indexes.
  func completedContentIndexes(of arranged: [Int]) -> [Int?] {
    guard isHalfDelivered else { return contentIndexes(of: arranged) }
    let seen = arrangedObjects
    completeDelivery()
    return Self.follow(arranged, in: seen, to: currentContent)
  }

  /// Commits edits, and returns where elements of the content are then.
  func committedContentIndexes(of indexes: [Int]) throws(KVError) -> [Int] {
    let before = isEditing ? currentContent : nil
    try commitEditing()
    guard let before else { return indexes }
    return Self.follow(indexes, in: before, to: currentContent, keepsValues: true).compactMap(\.self)
  }

  /// Returns a function that returns the present indexes of what the caller finds at arranged indexes now.
  func followingIndexes(_ arranged: [Int]) -> () -> [Int] {
    guard isHalfDelivered || isEditing else { return { arranged } }
    let (seen, isEditing) = (arrangedObjects, isEditing)
    return { [self] in
      Self.follow(arranged, in: seen, to: arrangement.elements, keepsValues: isEditing).compactMap(\.self)
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
}
