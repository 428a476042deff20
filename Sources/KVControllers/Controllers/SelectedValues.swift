import KVBinding
import KVCore

/// The selection of a controller at one time: objects, and values with their stable indexes in the content.
///
/// A write to them hits what was selected then, although rows have moved, or other rows are selected now.
struct SelectedValues {
  private let controller: KVController
  private let owners: [Any]
  /// The stable indexes of values; empty if all owners are objects, or if the content is one value.
  private let stableIndexes: [StableIndex?]

  /// - Parameters:
  ///   - owners: The objects and values.
  ///   - controller: The controller.
  ///   - stableIndexes: The stable indexes of the owners; nil for those of the present selection.
  /// - Throws: ``KVError`` (`unsupported`) if there are values, and the content is bound one-way.
  init(_ owners: [Any], of controller: KVController, at stableIndexes: [StableIndex?]? = nil) throws(KVError) {
    (self.controller, self.owners) = (controller, owners)
    let areObjects = Self.areObjects(owners)
    if !areObjects, controller.isContentReadOnly { throw controller.readOnlyContent }
    self.stableIndexes = areObjects ? [] : stableIndexes ?? controller.selectedStableIndexes
  }

  static func areObjects(_ owners: [Any]) -> Bool { owners.allSatisfy { type(of: $0) is AnyClass } }

  /// Sets a value by a path from each owner, once all of them take it; values are replaced in the content.
  func set(_ value: Any?, of path: KVKeyPath, from index: Int) throws(KVError) {
    guard let changed = try KVC.set(value, of: path, from: index, onEach: owners) else { return }
    try controller.replace(owners, at: stableIndexes, by: changed)
  }
}
