/// The lists of an object by key: one in place, those of further keys in an open table that is at most half full.
struct ListenerTable {
  private var first: ListenerList?
  private var rest: Many?

  /// Lists in slots; a key's slot follows from its number.
  private final class Many {
    @exclusivity(unchecked) var slots: ContiguousArray<ListenerList?>
    @exclusivity(unchecked) var count = 0
    /// How many lists have become empty since the table was made or cleared of such.
    @exclusivity(unchecked) var emptied = 0

    init(capacity: Int) { slots = ContiguousArray(repeating: nil, count: capacity) }

    func slot(_ key: KVKey) -> Int {
      let mask = slots.count - 1
      var index = key.number & mask
      while let list = slots[index], list.key != key { index = (index + 1) & mask }
      return index
    }

    /// Makes room; lists without listeners are left behind.
    func grow() {
      let lists = slots.compactMap { $0 }.filter { $0.live > 0 }
      var capacity = 4
      while capacity < (lists.count + 1) * 4 { capacity *= 2 }
      slots = ContiguousArray(repeating: nil, count: capacity)
      for list in lists { slots[slot(list.key)] = list }
      count = lists.count
    }
  }

  @inline(__always)
  func find(_ key: KVKey) -> ListenerList? {
    if first?.key == key { return first }
    return rest.flatMap { $0.slots[$0.slot(key)] }
  }

  /// Changes the list of a key in its place, so that it can be seen whether anybody else holds on to it; nil says that
  /// there is none yet.
  @inline(__always)
  mutating func edit<Result>(_ key: KVKey, _ body: (inout ListenerList?) -> Result) -> Result {
    if first == nil || first.unsafelyUnwrapped.key == key { return body(&first) }
    return editRest(key, body)
  }

  @inline(never)
  private mutating func editRest<Result>(_ key: KVKey, _ body: (inout ListenerList?) -> Result) -> Result {
    let table = rest ?? Many(capacity: 4)
    rest = table
    if (table.count + 1) * 2 > table.slots.count { table.grow() }
    let slot = table.slot(key)
    let isNew = table.slots[slot] == nil
    let result = body(&table.slots[slot])
    if isNew, table.slots[slot] != nil { table.count += 1 }
    return result
  }

  /// Notes that the last listener of a key is gone; returns whether it is time to look through all keys.
  ///
  /// With many keys that is so after half as many have lost theirs, so that cancelling stays O(1).
  func hasEmptied() -> Bool {
    guard let rest else { return true }
    rest.emptied += 1
    guard rest.count <= 8 || rest.emptied * 2 > rest.count else { return false }
    rest.emptied = 0
    return true
  }

  /// All lists, those without listeners too.
  var all: [ListenerList] { (first.map { [$0] } ?? []) + (rest.map { $0.slots.compactMap { $0 } } ?? []) }
}
