import KVCore

/// Something that ends with an object it belongs to.
protocol OwnedRegistration: AnyObject, Sendable {
  var owner: AnyObject? { get }
  var ownerID: ObjectIdentifier { get }
  func cancel()
}

/// Who owns what.
///
/// An owner that is observable itself ends its registrations as it dies; of others it is found out at the
/// next record, listing or registration, since Swift tells nobody of the death of an object.
enum Owners {
  /// What one owner owns.
  private struct Possessions {
    /// By itself, so that looking for dead owners holds on to no registration of a living one.
    let owner: WeakOwner
    var registrations: [ObjectIdentifier: any OwnedRegistration] = [:]
  }

  private final class WeakOwner: @unchecked Sendable {  // guard: set once
    @exclusivity(unchecked) private(set) weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }
  }

  private struct State {
    var owned: [ObjectIdentifier: Possessions] = [:]
    var count = 0
    /// How many registrations there may be before those of dead owners are looked for.
    var limit = 64

    /// Takes out what an owner owns.
    mutating func take(_ id: ObjectIdentifier) -> [any OwnedRegistration] {
      let removed = owned.removeValue(forKey: id).map { Array($0.registrations.values) } ?? []
      count -= removed.count
      return removed
    }
  }

  private static let state = Locked(State())

  /// Adds an observation to its owner, or ends it if that is gone.
  static func adopt(_ observation: some Observation & OwnedRegistration) {
    guard let owner = observation.owner else { return observation.cancel() }
    add(observation, to: owner)
    // Ended meanwhile, by another thread.
    if observation.isEnded { forget(observation) }
  }

  /// What an owner is, for listings.
  static func description(of owner: AnyObject?) -> String {
    owner.map { "\(type(of: $0))" } ?? "an owner that is gone"
  }

  static func add(_ registration: some OwnedRegistration, to owner: AnyObject) {
    if let owner = owner as? any KVObservable {
      ObserverRegistrar.of(owner).withRareState { $0.owned[ObjectIdentifier(registration)] = registration }
      return
    }
    let (orphans, isFull) = state.withLock { state -> (Unlocked<[any OwnedRegistration]>, Bool) in
      // The caller holds the owner, so this lets go of nothing under the lock: it is the same object, or a dead one
      // stood at its address.
      let isNew = state.owned[registration.ownerID].map { $0.owner.object == nil } ?? true
      let orphans = isNew ? state.take(registration.ownerID) : []
      state.owned[registration.ownerID, default: Possessions(owner: WeakOwner(owner))]
        .registrations[ObjectIdentifier(registration)] = registration
      state.count += 1
      return (Unlocked(orphans), state.count > state.limit)
    }
    for orphan in orphans.value { orphan.cancel() }
    if isFull { sweep() }
  }

  static func forget(_ registration: some OwnedRegistration) {
    if let owner = registration.owner as? any KVObservable {
      _ = ObserverRegistrar.existing(of: owner)?.withExistingRareState {
        $0.owned.removeValue(forKey: ObjectIdentifier(registration))
      }
      return
    }
    let removed = state.withLock { state in
      let (owner, id) = (registration.ownerID, ObjectIdentifier(registration))
      guard let removed = state.owned[owner]?.registrations.removeValue(forKey: id)
      else { return Unlocked<(any OwnedRegistration)?>(nil) }
      if state.owned[owner]?.registrations.isEmpty == true { state.owned[owner] = nil }
      state.count -= 1
      return Unlocked(removed)
    }
    withExtendedLifetime(removed) {}
  }

  /// Returns what an object owns.
  static func owned(by owner: AnyObject) -> [any OwnedRegistration] {
    if let owner = owner as? any KVObservable {
      return ObserverRegistrar.existing(of: owner)?.withExistingRareState { Array($0.owned.values) } ?? []
    }
    // An object may stand where a dead one stood.
    return state.withLock { state in
      Unlocked(state.owned[ObjectIdentifier(owner)].map { Array($0.registrations.values) } ?? [])
    }.value.filter { $0.owner === owner }
  }

  /// Ends what belonged to owners that are gone.
  ///
  /// Whether an owner is gone is asked outside of the lock, since asking may be what keeps it alive last; and of the owner
  /// alone, so that what another thread cancels meanwhile lets go of its closures there and then.
  static func sweep() {
    let owners = state.withLock { state in Unlocked(state.owned.map { (id: $0.key, owner: $0.value.owner) }) }.value
    for (id, owner) in owners where owner.object == nil {
      let orphans = state.withLock { state in
        Unlocked(state.owned[id]?.owner === owner ? state.take(id) : [])
      }
      for orphan in orphans.value { orphan.cancel() }
    }
    state.withLock { state in state.limit = max(64, state.count * 2) }
  }
}
