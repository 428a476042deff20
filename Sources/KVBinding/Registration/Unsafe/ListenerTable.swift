/// The lists of an object by key: the first in place, the others in a hash table that is at most half full.
///
/// It retains the lists manually, so that finding a list counts no reference.
struct ListenerTable {
  typealias List = _KVReference<ListenerList>

  private var first: List?
  private var others: HashTable?

  /// The hash table; the number of a key determines its slot.
  private final class HashTable {
    #if compiler(>=6.2)
      @safe
    #endif
    @exclusivity(unchecked) var slots: ContiguousArray<List?>
    var count = 0
    /// The number of lists that have become empty since the masks were last computed from all lists.
    var emptiedCount = 0

    init(capacity: Int) { slots = ContiguousArray(repeating: nil, count: capacity) }

    func slot(_ key: InternedKey) -> Int {
      let mask = slots.count - 1
      var index = key.number & mask
      while let list = slots[index], list.key != key { index = (index + 1) & mask }
      return index
    }

    /// Enlarges the table, and retires lists without entries.
    func grow() {
      let lists = slots.compactMap { $0 }
      let needed = lists.filter { $0.live > 0 }
      var capacity = 4
      while capacity < (needed.count + 1) * 4 { capacity *= 2 }
      slots = ContiguousArray(repeating: nil, count: capacity)
      for list in needed { slots[slot(list.key)] = list }
      count = needed.count
      for list in lists where list.live == 0 { ListenerList.retire(list) }
    }
  }

  @inline(__always)
  func find(_ key: InternedKey) -> List? {
    if let first, first.key == key { return first }
    return others.flatMap { $0.slots[$0.slot(key)] }
  }

  /// Returns the position of the list of a key; nil if there is none.
  @inline(__always)
  func existingPosition(of key: InternedKey) -> Position? {
    if let first, first.key == key { return Position(slot: nil) }
    guard let others, case let slot = others.slot(key), others.slots[slot] != nil else { return nil }
    return Position(slot: slot)
  }

  /// Returns the position of the list of a key, with room for one if there is none.
  @inline(__always)
  mutating func position(of key: InternedKey) -> Position {
    first.map { $0.key == key } ?? true ? Position(slot: nil) : positionInOverflow(of: key)
  }

  /// Where a list is, until the next call of ``position(of:)`` or
  /// ``existingPosition(of:)``.
  struct Position {
    /// The slot in the hash table; nil for the first list.
    fileprivate let slot: Int?
  }

  @inline(never)
  private mutating func positionInOverflow(of key: InternedKey) -> Position {
    let table = others ?? HashTable(capacity: 4)
    others = table
    if (table.count + 1) * 2 > table.slots.count { table.grow() }
    return Position(slot: table.slot(key))
  }

  /// The list at a position; nil at first.
  ///
  /// The code that replaces a list retires it.
  @inline(__always)
  subscript(position: Position) -> List? {
    get {
      guard let slot = position.slot else { return first }
      return others.flatMap { $0.slots[slot] }
    }
    set {
      guard let slot = position.slot else { return first = newValue }
      guard let others else { return }
      if others.slots[slot] == nil, newValue != nil { others.count += 1 }
      others.slots[slot] = newValue
    }
  }

  /// Returns whether there are more entries, or more lists, than a number.
  ///
  /// - Complexity: O(*n*) in the number.
  func hasMoreEntries(than limit: Int) -> Bool {
    if others?.count ?? 0 > limit { return true }
    var count = 0
    forEach { count += Int($0.live) }
    return count > limit
  }

  /// Records that the last entry of a key was removed; returns whether the masks are to be computed from all lists.
  ///
  /// With many keys this is so after half of the keys have lost their entries, so that cancelling costs O(1).
  func recordEmptiedList() -> Bool {
    guard let others else { return true }
    others.emptiedCount += 1
    guard others.count <= 8 || others.emptiedCount * 2 > others.count else { return false }
    others.emptiedCount = 0
    return true
  }

  /// Calls a function with all lists, including those without entries.
  @inline(__always)
  func forEach(_ body: (List) -> Void) {
    if let first { body(first) }
    if let others { for case let list? in others.slots { body(list) } }
  }
}

extension _KVReference<ListenerList> {
  fileprivate var key: InternedKey { self.borrow { $0.key } }
  fileprivate var live: Int32 { self.borrow { $0.live } }
}
