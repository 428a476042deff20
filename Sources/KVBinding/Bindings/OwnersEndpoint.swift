import KVCore

/// The endpoint at the objects and values from which an object on a path resolved its rest: those that were selected when
/// an edit was made (BND.13).
final class OwnersEndpoint: BindingEndpoint, @unchecked Sendable {  // guard: immutable
  private let owners: any CapturedOwners
  /// The number of objects and values that were selected.
  var count: Int { owners.count }

  /// Creates an endpoint; nil if an owner is a value that has no place of its own.
  init?(_ resolver: any PathResolving, _ path: KVKeyPath) {
    guard let owners = (resolver as? any OwnersResolving)?.captureOwners() else { return nil }
    self.owners = owners
    super.init(owners, path)
  }

  override func isSame(as other: BindingEndpoint) -> Bool {
    (other as? OwnersEndpoint).map { $0.owners.isSame(as: owners) && $0.path == path } ?? false
  }
}
