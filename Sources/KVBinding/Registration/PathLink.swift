import KVCore

/// The entry of a longer path for one of its components, in the list of the component's key.
// guard: the lock of the chain guards `isDetached`; for the rest see Listener
final class PathLink: Listener, @unchecked Sendable {
  let registration: Registration
  let depth: Int
  let isLeaf: Bool
  /// The rest of the path, if only this key can change its value.
  ///
  /// The link is then notified like the last one.
  let tail: StructTail?
  /// Whether the object of the key is the root of the path, which may occur in the path again.
  let isAtRoot: Bool
  /// Whether the key stands for the rest of the path, which the object resolves.
  let isOfResolver: Bool
  /// Whether the rest of the path is evaluated as a whole, so that there is nothing to resolve behind the key.
  let endsResolution: Bool
  /// Whether the chain has removed the link; it is never added again.
  var isDetached = false
  /// The number of changes of the key that have begun, and behind which the path has not been resolved again yet.
  let changes = ChangeCount()

  init(
    _ registration: Registration, _ key: InternedKey, _ registrar: ObserverRegistrar, depth: Int, isLeaf: Bool,
    tail: StructTail? = nil, isOfResolver: Bool = false, endsResolution: Bool = false, isAtRoot: Bool
  ) {
    self.registration = registration
    self.depth = depth
    // The notices of a resolver carry values that a policy may refuse: they are read by the path (SEC.2).
    let isLeaf = isOfResolver ? !registration.path.isLimited : isLeaf
    self.isLeaf = isLeaf
    self.tail = tail
    self.isOfResolver = isOfResolver
    self.endsResolution = endsResolution
    self.isAtRoot = isAtRoot
    let isLast = isLeaf || tail != nil
    // A tail reads both values from the structs in the notice.
    let needsBoth = tail != nil && (registration.needsOldValue || registration.needsNewValue)
    super.init(
      key: key, registrar: registrar, order: registration.order,
      needsWillChange: !isLast || registration.needsWillChange,
      needsOldValue: isLast && registration.needsOldValue || needsBoth,
      needsNewValue: isLast && registration.needsNewValue || needsBoth, isOfBinding: registration.isOfBinding)
  }

  override func join(_ builder: PlanBuilder, _ changedKey: PlanBuilder.ChangedKey) {
    guard builder.takes(registration, after: self, before: depth) else { return }
    if !isLeaf, tail == nil, !endsResolution { builder.add(self, changedKey) }
    registration.join(builder, changedKey, depth: depth, isLeaf: isLeaf)
  }

  override func didChange(_ notice: borrowing _KVChangeNotice) {
    if let tail {
      if tail.translate(notice, { registration.didChange($0, depth: depth, isLeaf: true) }) { return }
    } else if !isLeaf, !endsResolution {
      follow(notice.object)
    }
    registration.didChange(notice, depth: depth, isLeaf: isLeaf)
  }

  /// Resolves the rest of the path from the present value of the key.
  func follow(_ object: AnyObject) { withUnretained(registration.chain) { $0.follow(self, object) } }

  /// Removes the link from its list.
  func removeEntry() { withUnretained(registrar) { $0.removeEntry(self) } }

  override func objectDidDeallocate(_ broken: inout [PathLink]) {
    if isAtRoot { registration.cancel() } else { broken.append(self) }
  }
}
