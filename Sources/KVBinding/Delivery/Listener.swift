import Synchronization

/// One entry in the list of an observed key.
///
/// There are two: an ``Observation`` of a single key is its own entry; a ``PathLink`` stands for one component of a longer
/// path.
// guard: `position` belongs to the lock of the registrar; `registrar` and `key` are set once, before it is shared
class Listener: @unchecked Sendable {
  /// Where the entry stands; kept alive, unlike the object, so that the entry can be taken out.
  @exclusivity(unchecked) final var registrar: ObserverRegistrar?
  @exclusivity(unchecked) final var key: KVKey
  /// The index in the list; negative where it is in none.
  @exclusivity(unchecked) final var position: Int32 = -1
  /// The line of the source that registered an observation; here because there is room.
  final let line: UInt32

  init(key: KVKey, line: UInt32 = 0) {
    self.key = key
    self.line = line
  }

  /// Its place among others in the order of registration (KVO.6): whoever came earlier has a smaller number.
  var order: UInt32 { 0 }

  /// Whether the entry has to be asked before a change; else ``did(_:)`` is all that it hears.
  var isAsked: Bool { true }

  /// Notes before a change what has to be known after it.
  func prepare(_ change: PendingChange, _ origin: PendingChange.Origin) {}

  /// Hears of a change that nobody had to be asked about before.
  func did(_ notice: borrowing KVChangeNotice) {}

  /// Hears that the object of the key has died.
  func objectDied() {}
}

/// Numbers registrations in the order in which they come.
enum RegistrationOrder {
  private static let last = Atomic<UInt32>(0)

  static func next() -> UInt32 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
