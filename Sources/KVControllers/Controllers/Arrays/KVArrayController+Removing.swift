import KVBinding
import KVCore

extension KVArrayController {
  /// Removes the selected objects from the content (CTR.23).
  ///
  /// - Throws: ``KVError``: `unsupported` if ``KVController/canRemove`` is false; the error of a commit. Nothing has
  ///   changed then.
  public final func remove() throws(KVError) {
    let hasSelection = hasSelection
    let contentIndexes = completedContentIndexes(of: selectionIndexes)
    try check(canAdd && hasSelection, "remove the selected objects")
    removeNow(try committedContentIndexes(of: contentIndexes.compactMap(\.self)))
  }

  /// Removes the objects at indexes of ``arrangedObjects`` from the content (CTR.23).
  ///
  /// - Parameter indexes: The indexes, in any order.
  /// - Throws: ``KVError``: `unsupported` if ``KVController/isEditable`` is false; `indexOutOfRange`; the error of a
  ///   commit. Nothing has changed then.
  /// - Complexity: O(*k* log *n*), and one move of the references.
  public final func remove(at indexes: some Sequence<Int>) throws(KVError) {
    let indexes = Array(Set(indexes)).sorted()
    let count = arrangedObjects.count
    let outside = indexes.first { $0 < 0 || $0 >= count }
    let contentIndexes = outside == nil ? completedContentIndexes(of: indexes) : []
    try check(canAdd, "remove objects")
    if let outside { throw outOfRange(outside, count) }
    if indexes.isEmpty { return }
    removeNow(try committedContentIndexes(of: contentIndexes.compactMap(\.self)))
  }

  /// Removes all objects from the content that are equal to one, whether they are arranged or not (CTR.23).
  ///
  /// - Parameter object: The object. If there is none that is equal, nothing happens.
  /// - Throws: ``KVError``: `unsupported` if ``KVController/isEditable`` is false; the error of a commit. Nothing has
  ///   changed then.
  /// - Complexity: O(*n*).
  public final func remove(_ object: Element) throws(KVError) { try remove(contentsOf: [object]) }

  /// Removes all objects from the content that are equal to one of several (CTR.23).
  ///
  /// - Parameter objects: The objects.
  /// - Throws: As ``remove(_:)``.
  /// - Complexity: O(*n*) for objects without an equality of their own and for hashable values.
  public final func remove(contentsOf objects: [Element]) throws(KVError) {
    completeDelivery()
    try check(canAdd, "remove objects")
    let finder = ObjectFinder(objects)
    guard model.content.contains(where: finder.contains) else { return }
    try commitEditing()
    removeNow(model.content.indices.filter { finder.contains(model.content[$0]) })
  }

  /// Removes the elements at content indexes, in any order.
  func removeNow(_ indexes: [Int]) { make { model.removal(at: indexes) } }
}
