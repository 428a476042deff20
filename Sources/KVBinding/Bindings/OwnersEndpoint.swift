import KVCore

/// The endpoint at the objects from which an object on a path resolved its rest: those that were selected when an edit
/// was made (BND.13).
final class OwnersEndpoint: BindingEndpoint, @unchecked Sendable {  // guard: immutable
  private let owners: FormerOwners

  /// Creates an endpoint; nil if an owner is a value, which cannot be found again.
  init?(_ owners: [Any], _ path: KVKeyPath) {
    guard owners.allSatisfy({ type(of: $0) is AnyClass }) else { return nil }
    self.owners = FormerOwners(owners.map { WeakReference($0 as AnyObject) })
    super.init(self.owners, path)
  }

  override func isSame(as other: BindingEndpoint) -> Bool {
    (other as? OwnersEndpoint).map { $0.owners.ids == owners.ids && $0.path == path } ?? false
  }
}

/// Objects that resolve a path as the selection did whose members they were.
private final class FormerOwners: PathResolving {
  private let references: [WeakReference<AnyObject>]
  var ids: [ObjectIdentifier] { references.map(\.id) }
  var pathOwners: [Any] { references.compactMap(\.object) }

  init(_ references: [WeakReference<AnyObject>]) { self.references = references }

  func value(of path: KVKeyPath, from index: Int, to last: Int) throws(KVError) -> Any? {
    try pathOwners.first.flatMap { owner throws(KVError) in try Reader(path, to: last).value(of: owner, from: index) }
  }

  func setValue(_ value: Any?, of path: KVKeyPath, from index: Int) throws(KVError) {
    let owners = pathOwners
    if owners.isEmpty {
      throw KVError(
        .unresolvedPath,
        "nothing was set: the objects that were selected when the edit began are gone. Discard the edit.",
        component: path.components[index].description)
    }
    _ = try KVC.set(value, of: path, from: index, onEach: owners)
  }
}
