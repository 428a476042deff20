import KVBinding
import KVCore

// What indexes of a caller mean after other code has changed the controller: the rest of a half-delivered update, which is
// delivered before a change by one of its handlers (CTR.7), or the commit of an edit (EDT.4).
extension KVArrayController {
  /// Completes a half-delivered update, and returns the content indexes of what the caller finds at arranged indexes.
  func completedContentIndexes(of arranged: [Int]) -> [Int?] {
    guard isHalfDelivered else { return model.contentIndexes(of: arranged) }
    let seen = arrangedObjects
    completeDelivery()
    return ArrayModel.follow(arranged, in: seen, to: model.content)
  }

  /// Commits edits, and returns where elements of the content are then.
  func committedContentIndexes(of indexes: [Int]) throws(KVError) -> [Int] {
    let before = isEditing ? model.content : nil
    try commitEditing()
    guard let before else { return indexes }
    return ArrayModel.follow(indexes, in: before, to: model.content, keepsValues: true).compactMap(\.self)
  }

  /// Returns a function that returns the present indexes of what the caller finds at arranged indexes now.
  func followingIndexes(_ arranged: [Int]) -> () -> [Int] {
    guard isHalfDelivered || isEditing else { return { arranged } }
    let (seen, isEditing) = (arrangedObjects, isEditing)
    return { [self] in
      ArrayModel.follow(arranged, in: seen, to: model.arrangement.elements, keepsValues: isEditing).compactMap(\.self)
    }
  }
}
