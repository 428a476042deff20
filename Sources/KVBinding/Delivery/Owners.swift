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
  private struct State {
    var owned: [ObjectIdentifier: [ObjectIdentifier: any OwnedRegistration]] = [:]
    var count = 0
    /// How many registrations there may be before those of dead owners are looked for.
    var limit = 64
  }

  private static let state = Locked(State())

  static func add(_ registration: some OwnedRegistration, to owner: AnyObject) {
    if let owner = owner as? any KVObservable {
      ObserverRegistrar.of(owner).withExtras { $0.owned[ObjectIdentifier(registration)] = registration }
      return
    }
    let isFull = state.withLock { state in
      state.owned[registration.ownerID, default: [:]][ObjectIdentifier(registration)] = registration
      state.count += 1
      return state.count > state.limit
    }
    if isFull { sweep() }
  }

  static func forget(_ registration: some OwnedRegistration) {
    if let owner = registration.owner as? any KVObservable {
      _ = ObserverRegistrar.existing(of: owner)?.withExistingExtras {
        $0.owned.removeValue(forKey: ObjectIdentifier(registration))
      }
      return
    }
    let removed = state.withLock { state in
      guard let removed = state.owned[registration.ownerID]?.removeValue(forKey: ObjectIdentifier(registration))
      else { return Box<(any OwnedRegistration)?>(nil) }
      if state.owned[registration.ownerID]?.isEmpty == true { state.owned[registration.ownerID] = nil }
      state.count -= 1
      return Box(removed)
    }
    withExtendedLifetime(removed) {}
  }

  /// Returns what an object owns.
  static func owned(by owner: AnyObject) -> [any OwnedRegistration] {
    if let owner = owner as? any KVObservable {
      return ObserverRegistrar.existing(of: owner)?.withExistingExtras { Array($0.owned.values) } ?? []
    }
    // An object may stand where a dead one stood.
    return state.withLock { state in
      Box(state.owned[ObjectIdentifier(owner)].map { Array($0.values) } ?? [])
    }.value.filter { $0.owner === owner }
  }

  /// Ends what belonged to owners that are gone.
  static func sweep() {
    let all = state.withLock { state in Box(state.owned.values.flatMap { Array($0.values) }) }.value
    for registration in all where registration.owner == nil { registration.cancel() }
    state.withLock { state in state.limit = max(64, state.count * 2) }
  }

  private struct Box<Value>: @unchecked Sendable {  // guard: registrations are thread-safe
    let value: Value
    init(_ value: Value) { self.value = value }
  }
}
