import KVCore

/// Builds a dependent key, and the dependent keys on which it depends.
///
/// All of them observe their paths before the first is published, so that a published key is complete. Another thread
/// that needs the same key meanwhile builds its own. One of the two is published, the other is cancelled, and a plan
/// that finds both has the entries of the key once.
final class DependentBuild {
  private var built: [DependentKey] = []
  /// The keys that do not observe their paths yet, and their objects.
  private var waiting: [(key: DependentKey, object: any KVObservable)] = []
  private var ids: Set<DependentKey.ID> = []

  /// Adds the dependent key of an object's key that paths affect, unless it is published or being built.
  ///
  /// Objects can depend on each other.
  func add(
    _ key: InternedKey, _ affecting: [KVKeyPath], of object: any KVObservable, _ registrar: ObserverRegistrar,
    _ resolved: ResolvedKey? = nil
  ) {
    let id = DependentKey.ID(registrar: ObjectIdentifier(registrar), key: key)
    guard !registrar.hasDependentKey(key), ids.insert(id).inserted else { return }
    let dependent = DependentKey(key, affecting, of: object, registrar, resolved)
    built.append(dependent)
    waiting.append((dependent, resolved?.root ?? object))
  }

  /// Lets all keys observe their paths, which adds further keys, and publishes them.
  ///
  /// A key without entries, or one that another thread has published first, is cancelled. It is a loop, since a chain of
  /// keys can lead through any number of objects.
  func publish() {
    while let next = waiting.popLast() { next.key.begin(at: next.object, self) }
    for dependent in built where !dependent.registrar.publish(dependent) { dependent.cancel() }
  }
}
