import KVCore

/// A registration that ends with its owner.
protocol OwnedRegistration: AnyObject, Sendable {
  var owner: AnyObject? { get }
  /// Nil if the registration has no owner.
  var ownerID: ObjectIdentifier? { get }
  func cancel()
}

/// The registrations that end with their owners.
///
/// An observable owner cancels its registrations when it is deallocated. The deallocation of another owner is detected
/// at the next record, listing or registration, because Swift has no notification of it.
enum Owners {
  /// The registrations of one owner.
  private struct Possessions {
    /// A separate object, so that the search for deallocated owners retains no registration of a living one.
    let owner: WeakOwner
    var registrations: [ObjectIdentifier: any OwnedRegistration] = [:]
  }

  private final class WeakOwner: Sendable {
    private let reference: WeakReference<AnyObject>
    var object: AnyObject? { reference.object }

    init(_ object: AnyObject) { reference = WeakReference(object) }
  }

  private struct State {
    var owned: [ObjectIdentifier: Possessions] = [:]
    var count = 0
    /// The number of registrations beyond which those of deallocated owners are searched for.
    var limit = 64

    /// Removes and returns the registrations of an owner.
    mutating func take(_ id: ObjectIdentifier) -> [any OwnedRegistration] {
      let removed = owned.removeValue(forKey: id).map { Array($0.registrations.values) } ?? []
      count -= removed.count
      return removed
    }
  }

  private static let state = Locked(State())

  /// Adds a registration to its owner, or cancels it if the owner has been deallocated.
  static func adopt(_ registration: Registration) {
    guard let owner = registration.owner else { return registration.cancel() }
    add(registration, to: owner)
    // Another thread may have cancelled it meanwhile.
    if registration.isEnded { forget(registration) }
  }

  static func add(_ registration: some OwnedRegistration, to owner: AnyObject) {
    if let owner = owner as? any KVObservable {
      ObserverRegistrar.of(owner).withRareState { $0.owned[ObjectIdentifier(registration)] = registration }
      return
    }
    guard let ownerID = registration.ownerID else { return }
    let (orphans, isFull) = state.withLock { state -> ([any OwnedRegistration], Bool) in
      // The caller retains the owner, so that nothing is released under the lock: the entry is of the same object, or
      // of a deallocated one that had the same address.
      let isNew = state.owned[ownerID].map { $0.owner.object == nil } ?? true
      let orphans = isNew ? state.take(ownerID) : []
      let id = ObjectIdentifier(registration)
      state.owned[ownerID, default: Possessions(owner: WeakOwner(owner))].registrations[id] = registration
      state.count += 1
      return (orphans, state.count > state.limit)
    }
    for orphan in orphans { orphan.cancel() }
    if isFull { sweep() }
  }

  static func forget(_ registration: some OwnedRegistration) {
    if let owner = registration.owner as? any KVObservable {
      _ = ObserverRegistrar.existing(of: owner)?.withExistingRareState {
        $0.owned.removeValue(forKey: ObjectIdentifier(registration))
      }
      return
    }
    guard let owner = registration.ownerID else { return }
    let removed = state.withLock { state in
      let id = ObjectIdentifier(registration)
      guard let removed = state.owned[owner]?.registrations.removeValue(forKey: id)
      else { return nil as (any OwnedRegistration)? }
      if state.owned[owner]?.registrations.isEmpty == true { state.owned[owner] = nil }
      state.count -= 1
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// Returns the registrations of an owner.
  static func owned(by owner: AnyObject) -> [any OwnedRegistration] {
    if let owner = owner as? any KVObservable {
      return ObserverRegistrar.existing(of: owner)?.withExistingRareState { Array($0.owned.values) } ?? []
    }
    // The object may have the address of a deallocated one.
    return state.withLock { state in
      state.owned[ObjectIdentifier(owner)].map { Array($0.registrations.values) } ?? []
    }.filter { $0.owner === owner }
  }

  /// The number of registrations of an owner.
  static func count(ownedBy owner: AnyObject) -> Int {
    if let owner = owner as? any KVObservable {
      return ObserverRegistrar.existing(of: owner)?.withExistingRareState { $0.owned.count } ?? 0
    }
    return state.withLock { $0.owned[ObjectIdentifier(owner)]?.registrations.count ?? 0 }
  }

  /// The observations of an object that end with an owner, in the order of registration.
  static func registrations(ownedBy owner: AnyObject, at root: AnyObject) -> [Registration] {
    owned(by: owner).compactMap { $0 as? Registration }.filter { $0.isRooted(in: root) }.ordered { $0.order }
  }

  /// Cancels the registrations of deallocated owners.
  ///
  /// The weak references are loaded outside of the lock, because a load can be the last reference to an owner. Only the
  /// owners are retained meanwhile, so that a registration that another thread cancels releases its closures at once.
  static func sweep() {
    let owners = state.withLock { state in state.owned.map { (id: $0.key, owner: $0.value.owner) } }
    for (id, owner) in owners where owner.object == nil {
      let orphans = state.withLock { state in
        state.owned[id]?.owner === owner ? state.take(id) : []
      }
      for orphan in orphans { orphan.cancel() }
    }
    state.withLock { state in state.limit = max(64, state.count * 2) }
  }
}
