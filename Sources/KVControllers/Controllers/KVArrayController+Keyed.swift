import KVBinding
import KVCore

// The content as it is set and edited by key, and by the model that it is bound to.
extension KVArrayController {
  /// Sets the content by key, or by its binding.
  ///
  /// - Throws: ``KVError``: the error of a commit. Nothing has changed then.
  func setKeyedContent(_ content: [Element]) throws(KVError) {
    // An edit is committed to the object for which it was made, if the model sets the content (BND.13).
    if !isSetByModel { try commitEditing() }
    assign(content)
  }

  /// Returns what an edit of the content by index is to edit, after the update that is half delivered.
  ///
  /// - Returns: The content that the caller finds; nil if it is the present one.
  private func seenContent() throws(KVError) -> [Element]? {
    let seen = isHalfDelivered || isEditing && !isSetByModel ? visibleContent : nil
    completeDelivery()
    if isSetByModel { return seen }
    try check(canAdd, "edit its content")
    try commitEditing()
    return seen
  }

  // The indexes were checked before. A handler that ran in between may have changed the content again: what does not
  // exist any more is left out.

  func insertInContent(_ elements: [Element], at indexes: [Int]) throws(KVError) {
    let seen = try seenContent()
    perform {
      let edit = Self.insertion(of: elements, at: indexes, in: seen, to: currentContent)
      let last = currentContent.count
      let valid = edit.indexes.enumerated().map { min($1, last + $0) }
      return update(
        for: IndexedEdit(.insertion, at: valid, added: edit.objects),
        arrangement.insert(edit.objects, at: valid))
    }
  }

  func removeFromContent(at indexes: [Int]) throws(KVError) {
    guard let seen = try seenContent() else { return removeNow(indexes.filter { $0 < currentContent.count }) }
    removeNow(Self.follow(indexes, in: seen, to: currentContent, keepsValues: true).compactMap(\.self))
  }

  func replaceInContent(at indexes: [Int], with elements: [Element]) throws(KVError) {
    let seen = try seenContent()
    perform {
      let places = seen.map { Self.follow(indexes, in: $0, to: currentContent, keepsValues: true) } ?? indexes
      return replacement(at: places, with: elements)
    }
  }

  /// Returns the update for the replacement of elements at content indexes, in any order; those that are nil or do not
  /// exist are left out.
  ///
  /// - Parameter keepsSelected: Whether selected elements remain selected.
  func replacement(at places: [Int?], with elements: [Element], keepsSelected: Bool = false) -> KeyUpdate? {
    var last = -1
    let pairs = zip(places, elements).compactMap { place, element in place.map { ($0, element) } }
      .filter { $0.0 < currentContent.count }.ordered { $0.0 }
      .filter { pair in
        defer { last = pair.0 }
        return pair.0 != last
      }
    if pairs.isEmpty { return nil }
    let (indexes, elements) = (pairs.map(\.0), pairs.map(\.1))
    let former = keepsSelected ? indexes.map { arrangement.index(ofSource: $0) } : []
    return update(
      for: IndexedEdit(.replacement, at: indexes, added: elements),
      arrangement.replace(at: indexes, with: elements), selection: keepsSelected ? .keepsReplaced(former) : .follows)
  }

  // MARK: Errors

  func outOfRange(_ index: Int, _ count: Int, _ hint: String = "") -> KVError {
    KVError(
      .indexOutOfRange, "the index \(index) is out of range: there are \(count) arranged objects.\(hint)",
      rootType: "\(type(of: self))")
  }
}
