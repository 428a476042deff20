import KVCore

/// The identity by which the deferred records of an action are merged.
///
/// It is the target and the action, and the object and the path if the action takes the record.
struct MergeKey: Hashable {
  private let receiver: ObjectIdentifier
  private let action: String
  private let object: ObjectIdentifier?
  private let path: KVKeyPath?

  /// Creates the identity of the records of a registration; nil if they are merged with those of no other one.
  init?(_ registration: Registration, _ root: AnyObject) {
    guard case .action(let name, let takesChange) = registration.kind, let owner = registration.ownerID else {
      return nil
    }
    receiver = owner
    action = name
    object = takesChange ? ObjectIdentifier(root) : nil
    path = takesChange ? registration.path : nil
  }
}
