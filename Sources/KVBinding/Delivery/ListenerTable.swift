/// The lists of an object by key: none, one, or an open table that is at most half full.
struct ListenerTable {
  private enum Content {
    case none
    case one(ListenerList)
    case many(Many)
  }

  /// Lists in slots; a key's slot follows from its number.
  private final class Many {
    var slots: ContiguousArray<ListenerList?>
    var count = 0
    /// How many lists have become empty since the table was made or cleared of such.
    var emptied = 0

    init(capacity: Int) { slots = ContiguousArray(repeating: nil, count: capacity) }

    func slot(_ key: KVKey) -> Int {
      let mask = slots.count - 1
      var index = key.number & mask
      while let list = slots[index], list.key != key { index = (index + 1) & mask }
      return index
    }
  }

  private var content = Content.none

  func find(_ key: KVKey) -> ListenerList? {
    switch content {
    case .none: nil
    case .one(let list): list.key == key ? list : nil
    case .many(let table): table.slots[table.slot(key)]
    }
  }

  /// Changes the list of a key; nil says that there is none yet, and nil left behind that there shall be none.
  ///
  /// The list is moved out for the call, so that it can be seen whether anybody else holds on to it.
  mutating func edit<Result>(_ key: KVKey, _ body: (inout ListenerList?) -> Result) -> Result {
    switch content {
    case .none:
      var list: ListenerList?
      let result = body(&list)
      if let list { content = .one(list) }
      return result
    case .one(let only) where only.key == key:
      content = .none
      var list: ListenerList? = consume only
      let result = body(&list)
      if let list { content = .one(list) }
      return result
    case .one(let only):
      let table = Many(capacity: 4)
      table.slots[table.slot(only.key)] = only
      table.count = 1
      content = .many(table)
      return edit(key, body)
    case .many(let table):
      if (table.count + 1) * 2 > table.slots.count { grow(table) }
      let slot = table.slot(key)
      var list: ListenerList?
      swap(&list, &table.slots[slot])
      let isNew = list == nil
      let result = body(&list)
      swap(&list, &table.slots[slot])
      if isNew, table.slots[slot] != nil { table.count += 1 }
      return result
    }
  }

  /// Notes that the last listener of a key is gone; returns whether it is time to look through all keys.
  ///
  /// With many keys that is so after half as many have lost theirs, so that cancelling stays O(1).
  func hasEmptied() -> Bool {
    guard case .many(let table) = content else { return true }
    table.emptied += 1
    guard table.count <= 8 || table.emptied * 2 > table.count else { return false }
    table.emptied = 0
    return true
  }

  /// Makes room; lists without listeners are left behind.
  private func grow(_ table: Many) {
    let lists = table.slots.compactMap { $0 }.filter { $0.live > 0 }
    var capacity = 4
    while capacity < (lists.count + 1) * 4 { capacity *= 2 }
    table.slots = ContiguousArray(repeating: nil, count: capacity)
    for list in lists { table.slots[table.slot(list.key)] = list }
    table.count = lists.count
  }

  /// All lists, those without listeners too.
  var all: [ListenerList] {
    switch content {
    case .none: []
    case .one(let list): [list]
    case .many(let table): table.slots.compactMap { $0 }
    }
  }
}
