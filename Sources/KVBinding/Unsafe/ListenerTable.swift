/// The lists of an object by key: the first in place, the others in a hash table that is at most half full.
///
/// It retains the lists manually, so that finding a list counts no reference.
struct ListenerTable {
  typealias List = Unmanaged<ListenerList>

  private var first: List?
  private var others: HashTable?

  /// The hash table; the number of a key determines its slot.
  private final class HashTable {
    @exclusivity(unchecked) var slots: ContiguousArray<List?>
    var count = 0
    /// The number of lists that have become empty since the masks were last computed from all lists.
    var emptiedCount = 0

    init(capacity: Int) { slots = ContiguousArray(repeating: nil, count: capacity) }

    func slot(_ key: KVKey) -> Int {
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
  func find(_ key: KVKey) -> List? {
    if let first, first.key == key { return first }
    return others.flatMap { $0.slots[$0.slot(key)] }
  }

  /// Calls a function that can replace the list of a key, which is nil at first.
  ///
  /// The function retires a list that it replaces.
  @inline(__always)
  mutating func edit<Result>(_ key: KVKey, _ body: (inout List?) -> Result) -> Result {
    if first.map({ $0.key == key }) ?? true { return body(&first) }
    return editRest(key, body)
  }

  @inline(never)
  private mutating func editRest<Result>(_ key: KVKey, _ body: (inout List?) -> Result) -> Result {
    let table = others ?? HashTable(capacity: 4)
    others = table
    if (table.count + 1) * 2 > table.slots.count { table.grow() }
    let slot = table.slot(key)
    let isNew = table.slots[slot] == nil
    let result = body(&table.slots[slot])
    if isNew, table.slots[slot] != nil { table.count += 1 }
    return result
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

extension Unmanaged<ListenerList> {
  fileprivate var key: KVKey { _withUnsafeGuaranteedRef { $0.key } }
  fileprivate var live: Int32 { _withUnsafeGuaranteedRef { $0.live } }
}
