import Synchronization

/// One entry in the list of an observed key.
///
/// There are two kinds. An ``Observation`` of a single key is its own entry. A ``PathLink`` is the entry for one
/// component of a longer path.
// guard: the lock of `registrar` guards `position`; `registrar` and `key` are set once, before the entry is shared
class Listener: @unchecked Sendable {
  /// The registrar that has the entry.
  ///
  /// It is retained, unlike the object, so that the entry can be removed.
  @exclusivity(unchecked) final var registrar: ObserverRegistrar?
  @exclusivity(unchecked) final var key: KVKey
  /// The index in the list; negative if the entry is in no list.
  @exclusivity(unchecked) final var position: Int32 = -1
  /// The source line that registered an observation.
  ///
  /// It is stored here because the layout has room for it.
  final let line: UInt32

  init(key: KVKey, registrar: ObserverRegistrar? = nil, line: UInt32 = 0) {
    self.key = key
    self.registrar = registrar
    self.line = line
  }

  /// The position in the order of registration (KVO.6); see ``RegistrationOrder``.
  var order: UInt32 { 0 }

  /// Whether ``willChange(_:_:)`` has to be called before a change; otherwise only ``didChange(_:)`` is called.
  var needsWillChange: Bool { true }

  /// Whether a change in place has to copy the old value for the entry.
  var needsOldValue: Bool { false }

  /// Called before a change; adds to the pending change what it has to follow, read and notify.
  func willChange(_ change: PendingChange, _ changedKey: PendingChange.ChangedKey) {}

  /// Called after a change that needed no `willChange`.
  func didChange(_ notice: borrowing KVChangeNotice) {}

  /// Called when the object of the key is deallocated.
  ///
  /// If the object is not the root of a path, the entry adds the observer of the path.
  func objectDidDeallocate(_ broken: inout [any PathObserver]) {}
}

/// Numbers registrations in the order in which they are made.
///
/// The numbers start again after 2³² registrations, and are therefore compared by their distance. This is correct if
/// fewer than 2³¹ registrations were made between two that exist at the same time.
package enum RegistrationOrder {
  private static let last = Atomic<UInt32>(0)

  static func next() -> UInt32 { last.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Returns whether a registration was made before another one.
  @inline(__always)
  package static func isEarlier(_ number: UInt32, than other: UInt32) -> Bool {
    Int32(bitPattern: number &- other) < 0
  }
}
