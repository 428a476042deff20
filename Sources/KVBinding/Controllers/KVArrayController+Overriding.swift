import KVCore

// Arrangements that an override of `arrange(_:)` makes (CTR.17).
extension KVArrayController {
  /// Whether ``arrange(_:)`` has to be called for each update: a subclass overrides it, or may do so.
  ///
  /// The method of this class returns the elements of the arrangement themselves. Another array is that of an override.
  var mayOverrideArrangement: Bool {
    customArrangement != nil || arrangement.elements.isEmpty && type(of: self) != KVArrayController<Element>.self
  }

  /// Makes an edit by index; as an update with several changes if ``arrange(_:)`` has to be called after it.
  func performEdit<Failure: Error>(_ compute: () throws(Failure) -> KeyUpdate?) throws(Failure) {
    guard mayOverrideArrangement else { return try perform(compute) }
    try update { () throws(Failure) in try perform(compute) }
  }

  /// Calls ``arrange(_:)``.
  ///
  /// - Returns: Whether it is overridden.
  func arrangeByOverride() -> Bool {
    if type(of: self) == KVArrayController<Element>.self { return false }
    let arranged = arrange(current.content)
    let elements = arrangement.elements
    let isDefault = arranged.sharesStorage(with: elements) || arranged.isEmpty && elements.isEmpty
    customArrangement = isDefault ? nil : arranged
    if !isDefault { composite.isOverridden = true }
    return !isDefault
  }

  /// Arranges by an override, and lets the selection follow (CTR.28).
  ///
  /// - Parameter selected: The objects to select.
  /// - Returns: Whether `arrange(_:)` is overridden.
  func arrangeByOverride(selecting selected: [Element], preserves: Bool = true) -> Bool {
    let isOverridden = arrangeByOverride()
    if isOverridden {
      let indexes = preserves ? indexes(of: selected) : current.selection.indexes
      current.selection.follow(assigned: indexes, count: arrangedObjectsNow.count)
    }
    return isOverridden
  }

  /// Returns the content index of an arranged index.
  func contentIndex(of index: Int) -> Int? {
    guard let customArrangement else { return arrangement.sourceIndex(of: index) }
    guard index < customArrangement.count else { return nil }
    return current.content.firstIndex { Self.isSame($0, customArrangement[index]) }
  }

  /// Returns the content indexes of objects that are inserted at arranged indexes (CTR.21).
  func contentIndexes(insertingAt arranged: [Int]) throws(KVError) -> [Int] {
    if customArrangement == nil { return try arrangement.contentIndexes(insertingAt: arranged) }
    let anchors = arranged.enumerated().map { contentIndex(of: $1 - $0) ?? current.content.count }
    var result = anchors
    let sorted = anchors.indices.sorted { anchors[$0] == anchors[$1] ? $0 < $1 : anchors[$0] < anchors[$1] }
    for (rank, position) in sorted.enumerated() { result[position] += rank }
    return result
  }
}
