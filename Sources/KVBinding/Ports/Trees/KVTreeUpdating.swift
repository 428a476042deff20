/// How a binding of the tree follows the data object that it has found (NOD.3).
public enum KVTreeUpdating: String, Sendable, Hashable, Codable, CaseIterable {
  /// The binding observes the data object, which must be observable.
  case live
  /// The binding reads the data object when it is set and at ``KVTreeNode/updateFromDataObject()``; it may be any
  /// object.
  case manual
}
