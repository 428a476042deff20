import KVCore

/// The entry of a longer path for one of its components, in the list of the component's key.
// guard: the lock of the chain guards `isDetached`; for the rest see Listener
final class PathLink: Listener, @unchecked Sendable {
  let observer: any PathObserver
  let depth: Int
  let isLeaf: Bool
  /// The rest of the path, if only this key can change its value.
  ///
  /// The link is then notified like the last one.
  let tail: StructTail?
  /// Whether the object of the key is the root of the path, which may occur in the path again.
  let isAtRoot: Bool
  /// Whether the chain has removed the link; it is never added again.
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

  /// Resolves the rest of the path from the present value of the key.
  func follow(_ object: AnyObject) { observer.chain?.follow(self, object) }

  override func objectDidDeallocate(_ broken: inout [any PathObserver]) {
    if isAtRoot { observer.rootDidDeallocate() } else { broken.append(observer) }
  }
}

/// The observer of a path of several components: an observation, a dependent key or an operator's operand.
protocol PathObserver: AnyObject, Sendable {
  var chain: PathChain? { get }
  /// The source line of the registration; nil if no line of the program registered the observer.
  var site: Site? { get }
  /// The position in the order of registration.
  var order: UInt32 { get }
  /// Whether it accepts notices whose values were read from structs; see ``StructTail``.
  var takesTails: Bool { get }
  /// Whether it needs to run before a change of the last component.
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
