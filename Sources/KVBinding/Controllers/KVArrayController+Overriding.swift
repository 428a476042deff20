import KVCore

// Arrangements that an override of `arrange(_:)` makes (CTR.17).
extension KVArrayController {
  /// Whether a subclass may override ``arrange(_:)``, so that it is called for each update.
  var mayOverrideArrangement: Bool { type(of: self) != KVArrayController<Element>.self }

  /// Returns whether ``arrange(_:)`` returns another array than this class does, after a change that has not been applied.
  ///
  /// Both arrays are edited in place, and back again after the call: three moves of references instead of one.
  func isOverridden(after edit: IndexedEdit<Element>?, _ change: ArrangementChange<Element>) -> Bool {
    if !mayOverrideArrangement { return false }
    if customArrangement != nil { return true }
    let edit = edit.map { IndexedEdit($0.kind, at: $0.indexes, removed: contentElements(of: $0), added: $0.added) }
    edit?.apply(to: &currentContent)
    defer { edit?.reversed.apply(to: &currentContent) }
    return arrangement.withElements(after: change) { !isOwn(arrange(currentContent)) }
  }

  /// Returns whether an array is that of the filter and the descriptors, which ``arrange(_:)`` of this class returns.
  private func isOwn(_ arranged: [Element]) -> Bool {
    arranged.isEmpty ? arrangement.elements.isEmpty : arranged.sharesStorage(with: arrangement.elements)
  }

  /// Calls ``arrange(_:)``.
  ///
  /// - Returns: Whether an override has made the arrangement, or the former one.
  func arrangeByOverride() -> Bool {
    if !mayOverrideArrangement { return false }
    let wasOverridden = customArrangement != nil
    let arranged = arrange(currentContent)
    customArrangement = isOwn(arranged) ? nil : arranged
    let isOverridden = wasOverridden || customArrangement != nil
    if isOverridden { composite.isOverridden = true }
    return isOverridden
  }

  /// Arranges by an override, and lets the selection follow (CTR.28).
  ///
  /// - Parameter selected: The objects to select.
  /// - Returns: Whether an override has made the arrangement, or the former one.
  func arrangeByOverride(selecting selected: [Element], preserves: Bool = true) -> Bool {
    let isOverridden = arrangeByOverride()
    if isOverridden {
      let indexes = preserves ? indexes(of: selected) : current.selection.indexes
      current.selection.follow(assigned: indexes, count: arrangedObjectsNow.count)
    }
    return isOverridden
  }

  /// Returns the content indexes of objects that are inserted at arranged indexes (CTR.21).
  func contentIndexes(insertingAt arranged: [Int]) throws(KVError) -> [Int] {
    if customArrangement == nil { return try arrangement.contentIndexes(insertingAt: arranged) }
    let next = contentIndexes(of: arranged.enumerated().map { $1 - $0 })
    let anchors = next.map { $0 ?? currentContent.count }
    var result = anchors
    for (rank, position) in anchors.indexesInOrder.enumerated() { result[position] += rank }
    return result
  }
}
