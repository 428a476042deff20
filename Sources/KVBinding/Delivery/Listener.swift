/// One entry in the list of an observed key.
///
/// There are two: an ``Observation`` of a single key is its own entry; a ``PathLink`` stands for one component of a longer
/// path.
class Listener: @unchecked Sendable {  // guard: `position` belongs to the registrar's lock; `registrar`, `key` are set once
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

  /// Whether the entry has to be asked before a change; else ``did(_:)`` is all that it hears.
  var isAsked: Bool { true }

  /// Notes before a change what has to be known after it.
  func prepare(_ change: PendingChange, _ origin: PendingChange.Origin) {}

  /// Hears of a change that nobody had to be asked about before.
  func did(_ notice: borrowing KVChangeNotice) {}

  /// Hears that the object of the key has died.
  func objectDied() {}
}
