import KVCore

/// An observation of elements that ends with its owner, a weak reference (LIF.2).
// guard: immutable but for the weak reference
final class OwnedElementsObservation: ElementsObservation, OwnedRegistration, @unchecked Sendable {
  @exclusivity(unchecked) private(set) weak var owner: AnyObject?
  let ownerID: ObjectIdentifier

  init(
    _ path: KVKeyPath, elements elementPath: KVKeyPath, _ site: Site, owner: AnyObject, _ make: @escaping Making
  ) {
    self.owner = owner
    ownerID = ObjectIdentifier(owner)
    super.init(path, elements: elementPath, site, make)
  }

  override func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    if owner == nil { cancel() } else { super.deliver(notice, phase) }
  }

  override func didBegin() {
    super.didBegin()
    Owners.adopt(self)
  }

  override func didEnd() {
    super.didEnd()
    Owners.forget(self)
  }

  override func belongs(to object: AnyObject) -> Bool { owner === object }
  override var isOrphaned: Bool { owner == nil }
  override var ownerDescription: String? { Owners.description(of: owner) }
}
