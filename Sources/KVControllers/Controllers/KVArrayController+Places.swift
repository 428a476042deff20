import KVBinding
import KVCore

// Selected values, which are replaced in the content by changed copies (CTR.36).
extension KVArrayController {
  /// The places of the selected elements in the content.
  var placesOfSelection: [ElementPlace?] {
    contentIndexesOfSelection.map { index in index.map { arrangement.place(at: $0) } }
  }

  /// The content indexes of the selected elements; nil for one that an update which is being delivered removes.
  private var contentIndexesOfSelection: [Int?] {
    let indexes = visibleSelection.indexes
    if shown == nil { return contentIndexes(of: indexes) }
    // The arrangement has another state than observers see.
    return Self.follow(indexes, in: arrangedObjects, to: arrangement.contentElements)
  }

  func elements(at places: [ElementPlace?]) -> [Element] {
    places.compactMap { $0.flatMap { arrangement.contentIndex(of: $0) } }.map { arrangement.contentElement(at: $0) }
  }

  /// Replaces values in the content by changed ones, which stay selected where they stay arranged (CTR.28).
  ///
  /// - Throws: ``KVError`` (`unresolvedPath`) if all of them have left the content.
  func replaceElements(at places: [ElementPlace?], by objects: [Element]) throws(KVError) {
    try perform { () throws(KVError) in
      let indexes = places.map { place in place.flatMap { arrangement.contentIndex(of: $0) } }
      if indexes.allSatisfy({ $0 == nil }) { throw goneValue }
      return replacement(at: indexes, with: objects, keepsSelected: true)
    }
  }
}
