import KVCore

/// Builds a dependent key, and those that it depends on in turn.
///
/// All of them watch before any is published, so that whoever finds one published can rely on it. Another thread that
/// needs the same key meanwhile builds its own; one is published, the other dropped, and a change that meets both takes
/// them for one.
final class DependentBuild {
  private var built: [DependentKey] = []
  private var ids: Set<DependentKey.ID> = []

  /// Sees to it that a key which has got a listener is watched for, unless it is already; objects may depend on each
  /// other.
  func add(_ accessor: Accessor, of object: any KVObservable, _ registrar: ObserverRegistrar) {
    let id = DependentKey.ID(registrar: ObjectIdentifier(registrar), key: accessor.key)
    guard !registrar.hasDependentKey(accessor.key), ids.insert(id).inserted else { return }
    let dependent = DependentKey(accessor.key, accessor.affecting, of: object, registrar)
    built.append(dependent)
    dependent.begin(at: object, self)
  }

  /// Publishes what was built; what nobody listens to any more ends, and what another thread has published before.
  func publish() {
    for dependent in built where !dependent.registrar.publish(dependent) { dependent.cancel() }
  }
}
