import KVCore

/// One entry in the list of an observed key.
///
/// There are two kinds. A ``Registration`` of a single key is its own entry. A ``PathLink`` is the entry for one
/// component of a longer path.
// guard: the lock of `registrar` guards `position`; `registrar` and `key` are set once, before the entry is shared
@usableFromInline
class Listener: @unchecked Sendable {
  /// The registrar that has the entry.
  ///
  /// It is retained, unlike the object, so that the entry can be removed.
  final var registrar: ObserverRegistrar?
  final var key: InternedKey
  /// The index in the list; negative if the entry is in no list.
  final var position: Int32 = -1
  /// The position in the order of registration (KVO.6); see ``RegistrationOrder``.
  final let order: UInt32
  private let needs: Needs

  /// The needs of an entry during a change, in one byte: there is an entry for each observer.
  struct Needs: OptionSet {
    let rawValue: UInt8

    static let willChange = Needs(rawValue: 1)
    static let oldValue = Needs(rawValue: 2)
    static let newValue = Needs(rawValue: 4)
    static let wave = Needs(rawValue: 8)
  }

  /// Whether a change is made by a plan, to which ``join(_:_:)`` adds the entry; otherwise only ``didChange(_:)`` is called.
  final var needsWillChange: Bool { needs.contains(.willChange) }
  /// Whether the entry wants the old value of a change.
  final var needsOldValue: Bool { needs.contains(.oldValue) }
  /// Whether the entry wants the new value of a change.
  final var needsNewValue: Bool { needs.contains(.newValue) }
  /// Whether the entry is that of a binding, which has its turn in a ``Wave``.
  final var isOfBinding: Bool { needs.contains(.wave) }

  init(
    key: InternedKey, registrar: ObserverRegistrar? = nil, order: UInt32, needsWillChange: Bool, needsOldValue: Bool,
    needsNewValue: Bool, isOfBinding: Bool
  ) {
    self.key = key
    self.registrar = registrar
    self.order = order
    var needs: Needs = []
    if needsWillChange { needs.insert(.willChange) }
    if needsOldValue { needs.insert(.oldValue) }
    if needsNewValue { needs.insert(.newValue) }
    if isOfBinding { needs.insert(.wave) }
    self.needs = needs
  }

  /// Adds to the plan of a change what it has to follow, read and notify.
  func join(_ builder: PlanBuilder, _ changedKey: PlanBuilder.ChangedKey) {}

  /// Called after a change that needed no plan.
  func didChange(_ notice: borrowing _KVChangeNotice) {}

  /// Called when the object of the key is deallocated.
  ///
  /// If the object is not the root of a path, the entry, which is a link of the path, adds itself.
  func objectDidDeallocate(_ broken: inout [PathLink]) {}
}
