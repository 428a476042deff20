import KVCore

/// The identity by which deferred records are merged.
///
/// Records for an action are identified by the target and the action, and by the object and the path if the action
/// takes the record. All other records are identified by their registration.
struct MergeKey: Hashable {
  private let receiver: ObjectIdentifier
  private let action: String?
  private let object: ObjectIdentifier?
  private let path: KVKeyPath?

  init(_ registration: Registration, _ root: AnyObject) {
    guard case .action(let name, let takesChange) = registration.kind, let owner = registration.ownerID else {
      receiver = ObjectIdentifier(registration)
      (action, object, path) = (nil, nil, nil)
      return
    }
    receiver = owner
    action = name
    object = takesChange ? ObjectIdentifier(root) : nil
    path = takesChange ? registration.path : nil
  }
}
