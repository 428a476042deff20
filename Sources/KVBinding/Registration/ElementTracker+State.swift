import KVCore

extension ElementTracker {
  /// An observed object: an element, or an object at a component of the path from one.
  struct ElementID: Hashable {
    let object: ObjectIdentifier
    let depth: Int
  }

  /// A registration whose initial record has not been delivered yet.
  struct Fresh: @unchecked Sendable {  // guard: used on the thread of the change only
    let registration: Registration
    let element: any KVObservable
  }

  struct State {
    /// The registrations; nil for an element that cannot be observed.
    var elements = CountedElements<ElementID, Registration?>()
    /// The number of changes that were followed.
    private(set) var changes = 0
    var fresh: [Fresh] = []
    var limit: ObservationLimit?
    /// Whether some element is not observed itself, but objects behind it, so that changes are followed anew.
    var hasIndirect = false

    var registrations: [Registration] { elements.all.compactMap(\.self) }

    /// Counts another occurrence of an element that has a registration; false if it has none.
    mutating func countAgain(_ id: ElementID) -> Bool { elements.addOccurrence(id) { $0?.isEnded != true } }

    /// Begins to follow a change; returns whether it has to be followed anew.
    mutating func beginChange() -> Bool {
      changes += 1
      return hasIndirect
    }

    mutating func restart() {
      elements.restart()
      changes += 1
      hasIndirect = false
    }

    mutating func takeAll() -> [Registration] {
      defer { self = State() }
      return registrations
    }
  }
}
