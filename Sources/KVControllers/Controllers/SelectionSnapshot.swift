import KVBinding
import KVCore

/// The selection of a controller when an edit was made: objects, or values by their stable indexes in the content
/// (BND.13).
final class SelectionSnapshot: CapturedOwners {
  private let references: [WeakReference<AnyObject>]
  private let stableIndexes: [StableIndex?]
  /// The controller of values.
  private weak var controller: KVController?
  let count: Int

  /// Keeps what is selected now; nil if a value has no place of its own.
  init?(_ owners: [Any], of controller: KVController) {
    count = owners.count
    if SelectedValues.areObjects(owners) {
      (references, stableIndexes) = (owners.map { WeakReference(object(in: $0)) }, [])
    } else {
      self.controller = controller
      (references, stableIndexes) = ([], controller.selectedStableIndexes)
      if stableIndexes.isEmpty { return nil }
    }
  }

  func isSame(as other: any CapturedOwners) -> Bool {
    guard let other = other as? SelectionSnapshot else { return false }
    return references.map(\.id) == other.references.map(\.id) && controller === other.controller
      && stableIndexes.elementsEqual(other.stableIndexes) { $0 === $1 }
  }

  /// The stable indexes whose values are in the content: before a removal, those that stay.
  private var presentStableIndexes: [StableIndex] {
    guard let controller else { return [] }
    return stableIndexes.compactMap { $0 }.filter { !controller.items(at: [$0]).isEmpty }
  }

  var pathOwners: [Any] { controller?.items(at: presentStableIndexes) ?? references.compactMap(\.object) }

  func value(of path: KVKeyPath, from index: Int, to last: Int) throws(KVError) -> Any? {
    try pathOwners.first.flatMap { owner throws(KVError) in try Reader(path, to: last).value(of: owner, from: index) }
  }

  func setValue(_ value: Any?, of path: KVKeyPath, from index: Int) throws(KVError) {
    let stableIndexes = presentStableIndexes
    let owners = controller?.items(at: stableIndexes) ?? pathOwners
    if owners.isEmpty {
      throw KVError(
        .unresolvedPath,
        "nothing was set: what was selected when the edit began is gone. Discard the edit.",
        component: path.components[index].description)
    }
    guard let controller else { return _ = try KVC.set(value, of: path, from: index, onEach: owners) }
    try SelectedValues(owners, of: controller, at: stableIndexes).set(value, of: path, from: index)
  }
}

extension KVSelection {
  package var isReadOnly: Bool {
    controller.map { $0.isContentReadOnly && !SelectedValues.areObjects($0.selectedItems) } ?? false
  }

  package func captureOwners() -> (any CapturedOwners)? { controller.flatMap { SelectionSnapshot(pathOwners, of: $0) } }
}
