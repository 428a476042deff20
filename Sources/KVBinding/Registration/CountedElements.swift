/// The payloads that a tracked collection stores for its elements, each of which is counted as often as it occurs.
///
/// Elements are added and removed as a change names them. If their number shows that a change has not named all, they are
/// counted anew: what is kept of those that stay remains.
package struct CountedElements<ID: Hashable, Payload> {
  private struct Entry {
    var kept: Payload
    var count: Int
    /// How often the elements had been counted anew when it was counted.
    var round: Int
  }

  private var entries: [ID: Entry] = [:]
  private var round = 0
  /// The number of all elements, also of those of which nothing is kept.
  package private(set) var count = 0

  package init() {}

  /// The payloads of all elements, in an unspecified order.
  package var all: [Payload] { entries.values.map(\.kept) }

  /// The payload of an element; nil if it has none.
  subscript(id: ID) -> Payload? { entries[id]?.kept }

  /// Counts one more element, of which something may be kept.
  package mutating func countOne() { count += 1 }

  /// Adds an occurrence of an element of which something is kept; false if nothing is, or nothing that is valid.
  package mutating func addOccurrence(_ id: ID, where isValid: (Payload) -> Bool = { _ in true }) -> Bool {
    guard let entry = entries[id], isValid(entry.kept) else { return false }
    entries[id]?.count = entry.round == round ? entry.count + 1 : 1
    entries[id]?.round = round
    return true
  }

  /// Keeps something of an element that occurs a number of times; returns what was kept before.
  @discardableResult
  package mutating func keep(_ kept: Payload, of id: ID, count: Int = 1) -> Payload? {
    entries.updateValue(Entry(kept: kept, count: count, round: round), forKey: id)?.kept
  }

  /// Keeps something else of an element.
  mutating func replace(_ id: ID, by kept: Payload) { entries[id]?.kept = kept }

  /// Forgets an element, whose occurrences remain counted.
  mutating func forget(_ id: ID) { entries[id] = nil }

  /// Removes an occurrence of an element; returns what was kept of it if that was the last one.
  ///
  /// An element that was never added is not counted, so that the number of elements shows it.
  package mutating func remove(_ id: ID?) -> Payload? {
    guard let id else {
      count -= 1
      return nil
    }
    guard let entry = entries[id] else { return nil }
    count -= 1
    entries[id]?.count -= 1
    if entry.count > 1 { return nil }
    return entries.removeValue(forKey: id)?.kept
  }

  /// Begins to count all elements anew.
  package mutating func restart() {
    count = 0
    round += 1
  }

  /// Removes and returns what is kept of elements that were not counted since the count began anew.
  package mutating func removeUncounted() -> [Payload] {
    var gone: [(id: ID, kept: Payload)] = []
    for (id, entry) in entries where entry.round != round { gone.append((id, entry.kept)) }
    for (id, _) in gone { entries[id] = nil }
    return gone.map(\.kept)
  }

  /// Removes and returns all.
  package mutating func takeAll() -> [Payload] {
    defer { self = CountedElements() }
    return all
  }
}
