import KVCore

/// The entry of a longer path in the list of one of its keys.
// guard: `isTaken` belongs to the lock of the chain; for the rest see Listener
final class PathLink: Listener, @unchecked Sendable {
  let observer: any PathObserver
  let depth: Int
  let isLeaf: Bool
  /// Whether it stands at the root of the path, which may occur in it again.
  let isAtRoot: Bool
  /// Whether the chain has dropped it, for good.
  @exclusivity(unchecked) var isTaken = false

  init(
    _ observer: any PathObserver, _ key: KVKey, _ registrar: ObserverRegistrar, depth: Int, isLeaf: Bool, isAtRoot: Bool
  ) {
    self.observer = observer
    self.depth = depth
    self.isLeaf = isLeaf
    self.isAtRoot = isAtRoot
    super.init(key: key, registrar: registrar)
  }

  override var order: UInt32 { observer.order }
  override var isAsked: Bool { !isLeaf || observer.isAskedAtLeaf }
  override var needsOldValue: Bool { isLeaf && observer.needsOldValue }

  override func prepare(_ change: PendingChange, _ origin: PendingChange.Origin) {
    if !isLeaf { change.add(self, origin) }
    observer.prepare(change, origin, depth: depth, isLeaf: isLeaf)
  }

  override func did(_ notice: borrowing KVChangeNotice) {
    if !isLeaf { follow(notice.object) }
    observer.did(notice, depth: depth, isLeaf: isLeaf)
  }

  /// Lets the rest of the path begin at what the key holds now.
  func follow(_ object: AnyObject) { observer.chain?.follow(self, object) }

  override func objectDied(_ broken: inout [any PathObserver]) {
    if isAtRoot { observer.rootDied() } else { broken.append(observer) }
  }
}

/// What watches a path of several components: an observation, or a key that depends on the path.
protocol PathObserver: AnyObject, Sendable {
  var chain: PathChain? { get }
  /// Where it was registered; nil if by no line of the program.
  var site: Site? { get }
  /// Its place in the order of registration.
  var order: UInt32 { get }
  /// Whether a change of the last component has to be told before it happens.
  var isAskedAtLeaf: Bool { get }
  /// Whether it wants the old value of a change in place of the last component.
  var needsOldValue: Bool { get }
  func prepare(_ change: PendingChange, _ origin: PendingChange.Origin, depth: Int, isLeaf: Bool)
  func did(_ notice: borrowing KVChangeNotice, depth: Int, isLeaf: Bool)
  func rootDied()
}
