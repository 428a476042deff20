import KVCore

/// The changes inside the elements of an object, as a controller, while several changes of the object are one update:
/// they are part of the update (CTR.8).
///
/// An observer of a path with an operator through the elements, such as `arrangedObjects.@sum.price`, joins the change
/// with the first element that changes. Nothing that the operator reads has changed until then but the array. Its old
/// value is therefore read while the object shows its state before the update.
package final class ChangeOfElements {
  private let object: _KVReference<AnyObject>
  private let showingPreviousState: (() -> Void) -> Void
  private var joined: Set<ObjectIdentifier> = []
  /// Makes the plan of each part, and knows what they have added.
  let builder: PlanBuilder
  /// The changes, from their begin.
  private(set) var runs: [ChangeRun] = []

  /// Begins the update of an object on this thread, which ``end()`` ends.
  ///
  /// - Parameters:
  ///   - object: The object, which is not retained.
  ///   - showingPreviousState: Calls a function while the getters of the object show the state before the update.
  package init(of object: AnyObject, _ showingPreviousState: @escaping (() -> Void) -> Void) {
    self.object = _KVReference(object)
    self.showingPreviousState = showingPreviousState
    builder = PlanBuilder(object)
    ThreadDeliveries.current.borrow { $0.changesOfElements.append(self) }
  }

  /// Returns the innermost update of this thread whose object has the elements that an operator of a path reads.
  static func running(for chain: PathChain) -> ChangeOfElements? {
    ThreadDeliveries.current.borrow { deliveries in
      deliveries.changesOfElements.last { chain.endsAtOperator(of: ObjectIdentifier($0.object.object)) }
    }
  }

  /// Lets a registration join the change, once, or something else; called before the element changes.
  func join(_ registration: Registration? = nil, _ join: (PlanBuilder) -> Void) {
    if let registration, !joined.insert(ObjectIdentifier(registration)).inserted { return }
    showingPreviousState {
      join(builder)
      let run = ChangeRun.make(builder.finishPart())
      run.begin([], of: object.object, checksEnclosing: true)
      runs.append(run)
    }
  }

  /// Lets a key of another object join the change, which stands for keys of elements; called before these change.
  package func join(_ key: InternedKey, of object: any KVObservable) {
    if let registrar = ObserverRegistrar.existing(of: object) { join { $0.add(key, of: object, registrar) } }
  }

  /// The key of the first change; nil if nobody observes what has changed.
  var key: InternedKey? { runs.lazy.compactMap { $0.plan.readings.first?.key }.first }

  /// Ends the update; returns false if nobody observes what has changed.
  package func end() -> Bool {
    ThreadDeliveries.current.borrow { _ = $0.changesOfElements.popLast() }
    if key != nil { return true }
    close()
    return false
  }

  /// Ends the changes without a delivery.
  func close() { for run in runs { run.close() } }
}
