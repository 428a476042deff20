import KVCore

extension ElementTracker {
  /// An observed object: an element, or an object at a component of the path from one.
  struct ElementID: Hashable {
    let object: ObjectIdentifier
    let depth: Int
  }

  struct Entry {
    /// Nil if the element cannot be observed.
    var registration: Registration?
    var count: Int
    /// The round in which it was counted.
    var round: Int
  }

  /// A registration whose initial record has not been delivered yet.
  struct Fresh: @unchecked Sendable {  // guard: used on the thread of the change only
    let registration: Registration
    let element: any KVObservable
  }

  struct State {
    var entries: [ElementID: Entry] = [:]
    /// The number of elements, observable or not.
    var count = 0
    /// How often the elements were counted anew.
    private(set) var round = 0
    /// The number of changes that were followed.
    private(set) var changes = 0
    var fresh: [Fresh] = []
    var limit: KVRateLimit?
    /// Whether some element is not observed itself, but objects behind it, so that changes are followed anew.
    var hasIndirect = false

    /// Counts another occurrence of an element that has a registration; false if it has none.
    mutating func countAgain(_ id: ElementID) -> Bool {
      guard let entry = entries[id], entry.registration?.isEnded != true else { return false }
      entries[id]?.count = entry.round == round ? entry.count + 1 : 1
      entries[id]?.round = round
      return true
    }

    /// Removes an occurrence of an element; returns its registration if that has to be cancelled.
    ///
    /// An element that was never added is not counted. The numbers then differ, and all elements are counted again.
    mutating func remove(_ id: ElementID?) -> Registration? {
      guard let id else {
        count -= 1
        return nil
      }
      guard let entry = entries[id] else { return nil }
      count -= 1
      entries[id]?.count -= 1
      if entry.count > 1 { return nil }
      return entries.removeValue(forKey: id)?.registration
    }

    /// Begins to follow a change; returns whether it has to be followed anew.
    mutating func beginChange() -> Bool {
      changes += 1
      return hasIndirect
    }

    mutating func beginAnew() {
      count = 0
      round += 1
      changes += 1
      hasIndirect = false
    }

    /// Removes and returns the registrations of elements that were not counted since the count began again.
    mutating func takeUncounted() -> [Registration] {
      var gone: [(id: ElementID, registration: Registration?)] = []
      for (id, entry) in entries where entry.round != round { gone.append((id, entry.registration)) }
      for (id, _) in gone { entries[id] = nil }
      return gone.compactMap(\.registration)
    }

    mutating func takeAll() -> [Registration] {
      defer { self = State() }
      return entries.values.compactMap(\.registration)
    }
  }
}
