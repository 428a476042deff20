import KVControllers

/// Records 1,000 settings of one key in a group, and the bytes of each.
func runW20(_ w20: Workload) throws {
  let node = opaque(Node())
  let undo = KVUndoManager()
  try undo.record(node, keys: ["age"])
  w20.get("1000_settings_in_a_group", per: edits, where: { $0 == 1 }) {
    undo.removeAll()
    undo.group("Count") { for number in 1...edits { node.age = number } }
    return undo.undoCount
  }
  undo.removeAll()
  w20.bytes("setting_in_a_group", 200 * edits) {
    for _ in 0..<200 { undo.group("Count") { for number in 1...edits { node.age = number } } }
  }
  undo.removeAll()
  w20.bytes("single_setting", 200 * edits) { for number in 1...200 * edits { node.age = number } }
  undo.removeAll()
  undo.stopRecording(node)
  w20.get("1000_settings_beside_a_manager", per: edits, where: { $0 == edits }) {
    for number in 1...edits { node.age = number }
    return node.age
  }

  let history = opaque(ClosureHistory())
  w20.native.get("1000_settings_in_a_group", per: edits, where: { $0 == edits }) {
    history.closures.removeAll(keepingCapacity: true)
    for number in 1...edits { history.age = number }
    return history.closures.count
  }
  w20.native.bytes("setting_in_a_group", 200 * edits) { for number in 1...200 * edits { history.age = number } }
}

/// Undoes 1,000 settings in a group, and 1,000 single insertions.
func runW20u(_ w20u: Workload) throws {
  let node = opaque(Node())
  let undo = KVUndoManager()
  try undo.record(node, keys: ["age"])
  undo.group("Count") { for number in 1...edits { node.age = number } }
  try w20u.get("undo_redo_1000_settings", per: 2 * edits, where: { $0 == edits }) {
    try undo.undo()
    try undo.redo()
    return node.age
  }

  let shop = opaque(Shelf())
  shop.numbers = []
  try undo.record(shop, keys: ["numbers"])
  let numbers = shop.mutableArray(forKey: "numbers")
  for number in 0..<edits { try numbers.insert(number, at: number / 2) }
  try w20u.get("undo_redo_1000_single_insertions", per: 2 * edits, where: { $0 == edits }) {
    for _ in 0..<edits { try undo.undo() }
    for _ in 0..<edits { try undo.redo() }
    return shop.numbers.count
  }

  let history = opaque(ClosureHistory())
  for number in 1...edits { history.age = number }
  w20u.native.get("undo_1000_settings", per: edits, where: { $0 == 0 }) {
    for closure in history.closures.reversed() { closure() }
    return history.age
  }
  let array = opaque(ClosureHistory())
  w20u.native.get("insert_undo_1000", per: 2 * edits, where: { $0 == 0 }) {
    array.closures.removeAll(keepingCapacity: true)
    for number in 0..<edits { array.insert(number, at: number / 2) }
    for closure in array.closures.reversed() { closure() }
    return array.numbers.count
  }
}

private let edits = 1_000

private final class Shelf: KVObject {
  @KVProperty var numbers: [Int] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Shelf.self) { key in key("numbers", \.numbers).inPlace { $1(&$0.numbers) } }
  }
}

/// What a program without the library does: each setter appends a closure that restores the value.
private final class ClosureHistory {
  var closures: [() -> Void] = []
  private var storedAge = 0
  private(set) var numbers: [Int] = []

  func insert(_ number: Int, at index: Int) {
    numbers.insert(number, at: index)
    closures.append { [unowned self] in numbers.remove(at: index) }
  }

  var age: Int {
    get { storedAge }
    set {
      let old = storedAge
      closures.append { [unowned self] in storedAge = old }
      storedAge = newValue
    }
  }
}
