import Synchronization

/// One entry in the list of an observed key.
///
/// There are two: an ``Observation`` of a single key is its own entry; a ``PathLink`` stands for one component of a longer
/// path.
// guard: `position` belongs to the lock of `registrar`; `registrar` and `key` are set once, before it is shared
class Listener: @unchecked Sendable {
  /// Where the entry stands; kept alive, unlike the object, so that the entry can be taken out.
  @exclusivity(unchecked) final var registrar: ObserverRegistrar?
  @exclusivity(unchecked) final var key: KVKey
  /// The index in the list; negative where it is in none.
  @exclusivity(unchecked) final var position: Int32 = -1
  /// The line of the source that registered an observation; here because there is room.
  final let line: UInt32

  init(key: KVKey, registrar: ObserverRegistrar? = nil, line: UInt32 = 0) {
    self.key = key
    self.registrar = registrar
    self.line = line
  }

  /// Its place among others in the order of registration (KVO.6); see ``RegistrationOrder``.
  var order: UInt32 { 0 }

  /// Whether the entry has to be asked before a change; else ``didChange(_:)`` is all that it hears.
  var needsWillChange: Bool { true }

  /// Whether a change in place has to keep the old value for it.
  var needsOldValue: Bool { false }

  /// Notes before a change what has to be known after it.
  func willChange(_ change: PendingChange, _ changedKey: PendingChange.ChangedKey) {}

  /// Hears of a change that nobody had to be asked about before.
  func didChange(_ notice: borrowing KVChangeNotice) {}

  /// Hears that the object of the key has died; if it is one of several on a path that goes on, adds the path's observer.
  func objectDidDeallocate(_ broken: inout [any PathObserver]) {}
}

/// Numbers registrations in the order in which they come.
///
/// The numbers begin anew after 2³² registrations, so they are compared by their distance: that is right as long as less
/// than half as many lie between two that are alive.
package enum RegistrationOrder {
  private static let last = Atomic<UInt32>(0)

  static func next() -> UInt32 { last.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Whether a registration came before another one.
  @inline(__always)
  package static func isEarlier(_ number: UInt32, than other: UInt32) -> Bool {
    Int32(bitPattern: number &- other) < 0
  }
}
