import KVCore

/// What changes inside the elements of an object, as a controller, while several changes of the object are one update: it is
/// part of the update (CTR.8).
///
/// An observer of a path with an operator through the elements, such as `arrangedObjects.@sum.price`, joins the change
/// with the first element that changes. Nothing that the operator reads has changed until then but the array. Its old
/// value is therefore read while the object shows its state before the update.
final class ChangeOfElements {
  private let object: ObjectIdentifier
  private let showingFormerState: (() -> Void) -> Void
  private var pending: PendingChange?
  private var joined: Set<ObjectIdentifier> = []

  /// Begins the update of an object on this thread, which ``end()`` ends.
  ///
  /// - Parameters:
  ///   - object: The object, which is not retained.
  ///   - showingFormerState: Calls a function while the getters of the object show the state before the update.
  init(of object: AnyObject, _ showingFormerState: @escaping (() -> Void) -> Void) {
    self.object = ObjectIdentifier(object)
    self.showingFormerState = showingFormerState
    ThreadDeliveries.current.borrow { $0.changesOfElements.append(self) }
  }

  /// Returns the innermost update of this thread whose object has the elements that an operator of a path reads.
  static func running(for chain: PathChain) -> ChangeOfElements? {
    ThreadDeliveries.current.borrow { deliveries in
      deliveries.changesOfElements.last { chain.endsAtOperator(of: $0.object) }
    }
  }

  /// Lets a registration join the change, once, or something else; called before the element changes.
  func join(_ registration: Registration? = nil, _ join: (PendingChange) -> Void) {
    if let registration, !joined.insert(ObjectIdentifier(registration)).inserted { return }
    let pending = pending ?? PendingChange()
    self.pending = pending
    showingFormerState {
      join(pending)
      pending.joinDependents()
    }
  }

  /// Ends the update, and returns what has changed; nil if nobody observes it.
  func end() -> PendingChange? {
    ThreadDeliveries.current.borrow { _ = $0.changesOfElements.popLast() }
    return pending?.notifications.isEmpty == false ? pending : nil
  }
}
