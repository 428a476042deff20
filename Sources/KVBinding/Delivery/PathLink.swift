import KVCore

/// The entry of a longer path in the list of one of its keys.
// guard: `isDetached` belongs to the lock of the chain; for the rest see Listener
final class PathLink: Listener, @unchecked Sendable {
  let observer: any PathObserver
  let depth: Int
  let isLeaf: Bool
  /// The rest of the path, where nothing but this key can change it: the link is heard as a leaf is.
  let tail: StructTail?
  /// Whether it stands at the root of the path, which may occur in it again.
  let isAtRoot: Bool
  /// Whether the chain has dropped it, for good.
  @exclusivity(unchecked) var isDetached = false

  init(
    _ observer: any PathObserver, _ key: KVKey, _ registrar: ObserverRegistrar, depth: Int, isLeaf: Bool,
    tail: StructTail? = nil, isAtRoot: Bool
  ) {
    self.observer = observer
    self.depth = depth
    self.isLeaf = isLeaf
    self.tail = tail
    self.isAtRoot = isAtRoot
    super.init(key: key, registrar: registrar)
  }

  override var order: UInt32 { observer.order }
  override var needsWillChange: Bool { !isLeaf && tail == nil || observer.needsWillChangeAtLeaf }
  override var needsOldValue: Bool { (isLeaf || tail != nil) && observer.needsOldValue }

  override func willChange(_ change: PendingChange, _ changedKey: PendingChange.ChangedKey) {
    if !isLeaf, tail == nil { change.add(self, changedKey) }
    observer.willChange(change, changedKey, depth: depth, isLeaf: isLeaf)
  }

  override func didChange(_ notice: borrowing KVChangeNotice) {
    if let tail {
      if tail.translate(notice, { observer.didChange($0, depth: depth, isLeaf: true) }) { return }
    } else if !isLeaf {
      follow(notice.object)
    }
    observer.didChange(notice, depth: depth, isLeaf: isLeaf)
  }

  /// Lets the rest of the path begin at what the key holds now.
  func follow(_ object: AnyObject) { observer.chain?.follow(self, object) }

  override func objectDidDeallocate(_ broken: inout [any PathObserver]) {
    if isAtRoot { observer.rootDidDeallocate() } else { broken.append(observer) }
  }
}

/// What watches a path of several components: an observation, or a key that depends on the path.
protocol PathObserver: AnyObject, Sendable {
  var chain: PathChain? { get }
  /// Where it was registered; nil if by no line of the program.
  var site: Site? { get }
  /// Its place in the order of registration.
  var order: UInt32 { get }
  /// Whether it hears of values that were taken out of the structs of a notice.
  var takesTails: Bool { get }
  /// Whether a change of the last component has to be told before it happens.
  var needsWillChangeAtLeaf: Bool { get }
  /// Whether it wants the old value of a change in place of the last component.
  var needsOldValue: Bool { get }
  func willChange(_ change: PendingChange, _ changedKey: PendingChange.ChangedKey, depth: Int, isLeaf: Bool)
  func didChange(_ notice: borrowing KVChangeNotice, depth: Int, isLeaf: Bool)
  func rootDidDeallocate()
}

extension PathObserver {
  var takesTails: Bool { false }
}
