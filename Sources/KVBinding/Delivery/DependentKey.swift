import KVCore

/// An observed key of an object that depends on other keys (DEP).
///
/// It observes each affecting path. It delivers no notifications itself, but adds the entries of its key to the pending
/// change of an affecting key.
final class DependentKey: @unchecked Sendable {  // guard: immutable, but for the weak reference; chains are thread-safe
  /// The identity of a key of an object.
  struct ID: Hashable {
    let registrar: ObjectIdentifier
    let key: KVKey
  }

  let key: KVKey
  let registrar: ObserverRegistrar
  @exclusivity(unchecked) private(set) weak var object: AnyObject?
  private let chains: [PathChain]

  init(_ key: KVKey, _ paths: [KVKeyPath], of object: any KVObservable, _ registrar: ObserverRegistrar) {
    self.key = key
    self.object = object
    self.registrar = registrar
    chains = paths.map { PathChain($0, root: object) }
  }

  var id: ID { ID(registrar: ObjectIdentifier(registrar), key: key) }

  /// Begins to observe the affecting paths.
  ///
  /// A path that cannot be observed is reported, and the others are still observed.
  func begin(at object: any KVObservable, _ build: DependentBuild) {
    for chain in chains {
      do throws(KVError) {
        try chain.attach(object, from: 0, DependencyObserver(self, chain), PathChain.Resolution(build: build))
      } catch {
        KVDiagnostics.report(.error, .faultyPath, chain.path, object) {
          "what \"\(self.key)\" depends on: \(error)"
        }
      }
    }
  }

  func cancel() { chains.forEach { $0.cancel() } }
}

/// The observer of one path that a key depends on.
///
/// Only the links of its chain retain it, so that it is released when the chain ends.
final class DependencyObserver: PathObserver, @unchecked Sendable {  // guard: immutable
  private let dependent: DependentKey
  let chain: PathChain?
  var site: Site? { nil }
  let order = RegistrationOrder.next()

  init(_ dependent: DependentKey, _ chain: PathChain) {
    self.dependent = dependent
    self.chain = chain
  }

  var needsWillChangeAtLeaf: Bool { true }
  var needsOldValue: Bool { false }

  func willChange(_ change: PendingChange, _ changedKey: PendingChange.ChangedKey, depth: Int, isLeaf: Bool) {
    change.add(dependent)
  }

  func didChange(_ notice: borrowing KVChangeNotice, depth: Int, isLeaf: Bool) {}

  func rootDidDeallocate() {}
}
