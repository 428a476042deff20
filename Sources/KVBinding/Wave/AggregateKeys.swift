import KVCore

/// Keys of objects that stand for keys of several others, as those of a selection do (CTR.36, UND.3).
package struct AggregateKeys {
  private var objects: [(reference: WeakReference<AnyObject>, keys: [InternedKey])] = []

  package init() {}

  /// Adds keys of an object, each once; the object is not retained.
  package mutating func insert(_ keys: [InternedKey], of reference: WeakReference<AnyObject>) {
    guard let index = objects.lastIndex(where: { $0.reference.id == reference.id }) else {
      return objects.append((reference, keys))
    }
    for key in keys where !objects[index].keys.contains(key) { objects[index].keys.append(key) }
  }

  /// Whether some object, such as a selection, has resolved an observed path.
  package static var canFollow: Bool { DependentKey.hasResolved }

  /// Adds the keys of objects such as selections that observers follow to a key of an object; it reads no values.
  ///
  /// - Complexity: As that of a change of the key without its readings.
  package mutating func insertKeys(following key: InternedKey, of object: some KVObservable) {
    guard let plan = ObserverRegistrar.existing(of: object)?.currentPlan(key, of: object)
    else { return }
    for dependent in plan.dependents where dependent.isResolved {
      if let object = dependent.object, object is any UpdateJoining {
        insert([dependent.key], of: WeakReference(object))
      }
    }
  }

  package mutating func formUnion(_ other: AggregateKeys) {
    for object in other.objects { insert(object.keys, of: object.reference) }
  }

  /// Notifies each observer of the keys once, at the end, of all that a function changes in the other objects.
  ///
  /// Observers that nothing of it concerns are not notified, but for those of `prior` records.
  package func notifyingOnce(_ body: () throws(KVError) -> Void) throws(KVError) {
    if objects.isEmpty { return try body() }
    let changes = objects.compactMap { reference, keys in
      (reference.object as? any KVObservable).flatMap { object in
        (object as? any UpdateJoining)?.joinUpdate(keys) == true ? nil : ChangeRun.beginAggregate(keys, of: object)
      }
    }
    defer { for change in changes.reversed() { change.finishAggregate { change.isNeeded($0) } } }
    try body()
  }
}

/// An object whose keys are notified of at the end of an update, while one runs (CTR.6).
package protocol UpdateJoining: AnyObject {
  /// Lets keys join the update that runs; returns false if none does.
  func joinUpdate(_ keys: [InternedKey]) -> Bool
  /// Called before observers of keys are notified of a change of another object, which is not part of an update.
  func willNotify()
}

extension DependentKey {
  /// Called before observers of the key are notified of a change of another object, which is not part of an update.
  func willNotify() { (object as? any UpdateJoining)?.willNotify() }
}

extension ChangeRun {
  /// Begins a change of keys that consists of changes of other objects, and encloses them; nil if nobody observes the
  /// keys.
  static func beginAggregate(_ keys: [InternedKey], of object: any KVObservable) -> ChangeRun? {
    guard let registrar = ObserverRegistrar.existing(of: object) else { return nil }
    let keys = keys.filter { registrar.hasEntries(of: $0) }
    guard let open = OpenChange.of(keys, in: registrar) else { return nil }
    let run = make(registrar.plan(keys, of: object), open)
    // It may be part of another one.
    run.begin(keys.map { KeyChange($0) }, of: object, checksEnclosing: true)
    for index in run.plan.steps.indices where run.isActive(index) && run.plan.steps[index].wantsPrior {
      run.deliver(index, ofUpdate: .prior)
    }
    run.enclose(always: true)
    return run
  }

  /// Ends such a change, and notifies the observers that were notified before it, and those that pass a test, unless
  /// their paths lead elsewhere now, of which they were notified.
  func finishAggregate(where isNotified: (Int) -> Bool) {
    skip { !plan.steps[$0].wantsPrior && !(isNotified($0) && isAttached($0)) }
    finish()
    Wave.deliver(isWriteOfBinding: false, hasBindings: plan.hasBindings, order: { WaveGraph.order(of: [plan], by: $0) })
    { _ in
      Self.deliver([self])
    }
    close()
  }

  /// Whether the path of a registration still leads to the object, if that is the one whose key is being set.
  private func isAttached(_ index: Int) -> Bool {
    let step = plan.steps[index]
    guard step.isOfChangedKey, let object else { return true }
    let depth = plan.readings[step.reading].depth
    return step.registration.chain?.leads(to: object.identity, at: depth) ?? true
  }
}
