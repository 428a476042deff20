import KVCore

/// The entry of a longer path in the list of one of its keys.
final class PathLink: Listener, @unchecked Sendable {  // guard: immutable but for what Listener guards
  let observer: any PathObserver
  let depth: Int
  let isLeaf: Bool

  init(_ observer: any PathObserver, _ key: KVKey, depth: Int, isLeaf: Bool) {
    self.observer = observer
    self.depth = depth
    self.isLeaf = isLeaf
    super.init(key: key)
  }

  override var order: UInt32 { observer.order }
  override var isAsked: Bool { !isLeaf || observer.isAskedAtLeaf }

  override func prepare(_ change: PendingChange, _ origin: PendingChange.Origin) {
    if !isLeaf { change.add(self, origin) }
    observer.prepare(change, origin, depth: depth, isLeaf: isLeaf)
  }

  override func did(_ notice: borrowing KVChangeNotice) {
    if !isLeaf { follow(notice.object) }
    observer.did(notice, depth: depth, isLeaf: isLeaf)
  }

  /// Lets the rest of the path begin at what the key holds now.
  func follow(_ object: AnyObject) {
    guard position >= 0 else { return }
    observer.chain?.follow(object, from: depth, observer)
  }

  override func objectDied() {
    if depth == 0 { observer.rootDied() } else { observer.middleDied() }
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
  func prepare(_ change: PendingChange, _ origin: PendingChange.Origin, depth: Int, isLeaf: Bool)
  func did(_ notice: borrowing KVChangeNotice, depth: Int, isLeaf: Bool)
  func rootDied()
  func middleDied()
}
