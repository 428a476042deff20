import KVBinding
import KVCore

extension KVController.Keys {
  static let selectionIndexPaths = InternedKey("selectionIndexPaths")
  static let selectionIndexPath = InternedKey("selectionIndexPath")
  static let selectedNodes = InternedKey("selectedNodes")
  static let canAddChild = InternedKey("canAddChild")
  static let canInsertChild = InternedKey("canInsertChild")
  static let ofTreeSelection: Set<InternedKey> = [
    selectionIndexPaths, selectionIndexPath, selectedNodes, selectedObjects, selection, canAddChild, canInsertChild,
  ]
}
