import KVCore

/// A key of an object that depends on others, while somebody observes it (DEP).
///
/// It watches each affecting path as an observation does. What it hears it delivers to nobody: it adds those who listen
/// to its key to the change that is under way.
final class DependentKey: @unchecked Sendable {  // guard: immutable but for `watches`, set once before it is shared
  let key: KVKey
  unowned(unsafe) let registrar: ObserverRegistrar
  @exclusivity(unchecked) private(set) weak var object: AnyObject?
  private var watches: [DependencyWatch] = []

  init(_ key: KVKey, of object: any KVObservable, _ registrar: ObserverRegistrar) {
    self.key = key
    self.object = object
    self.registrar = registrar
  }

  /// Begins to watch; a path that cannot be watched is reported, and the others are watched all the same.
  func begin(_ paths: [KVKeyPath], of object: any KVObservable) {
    for path in paths { watches.append(DependencyWatch(self, path, object)) }
    for (watch, path) in zip(watches, paths) {
      do throws(KVError) { try watch.chain?.attach(object: object, from: 0, watch) } catch {
        KVDiagnostics.report(.error, .faultyPath, path, object) { "what \"\(self.key)\" depends on: \(error)" }
      }
    }
  }

  func end() { watches.forEach { $0.chain?.end() } }
}

/// One path that a key depends on.
final class DependencyWatch: PathObserver, @unchecked Sendable {  // guard: immutable
  let dependent: DependentKey
  let chain: PathChain?
  var site: Site? { nil }
  let order = RegistrationOrder.next()

  init(_ dependent: DependentKey, _ path: KVKeyPath, _ object: AnyObject) {
    self.dependent = dependent
    chain = PathChain(path, root: object)
  }

  var isAskedAtLeaf: Bool { true }

  func prepare(_ change: PendingChange, _ origin: PendingChange.Origin, depth: Int, isLeaf: Bool) {
    change.add(dependent)
  }

  func did(_ notice: borrowing KVChangeNotice, depth: Int, isLeaf: Bool) {}

  func rootDied() {}

  func middleDied() {
    guard let object = dependent.object else { return }
    chain?.restart(self)
    let notice = KVChangeNotice(object: object, key: dependent.key)
    guard let list = dependent.registrar.listeners(of: dependent.key) else { return }
    PendingChange(notice, list).finish(notice)
  }
}
