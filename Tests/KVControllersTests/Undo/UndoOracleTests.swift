import KVControllers
import KVCore
import TestModels
import Testing

@Suite("UND random steps against a model of the rules")
struct UndoOracleTests {
  private struct Failure: Error {}
  private typealias Change = (name: String, before: String, after: String)

  /// Shelves that live on, loners that die, and items that are recorded while they are on a shelf.
  private final class World {
    let shelves = (0..<3).map { _ in OracleShelf() }
    let pool = (0..<8).map { _ in OracleItem() }
    var loners: [(number: Int, shelf: OracleShelf)] = []
    let undo = KVUndoManager()
    var oracle = UndoOracle()
    var random: SplitMix64
    private var count = 0
    /// How often an undo or redo was refused.
    private(set) var refusals = 0

    init(_ seed: UInt64) throws {
      random = SplitMix64(seed: seed)
      for shelf in shelves {
        try undo.record(shelf)
        try undo.recordElements(of: "items", in: shelf)
      }
      try shelves[0].bind("note", to: "note", of: shelves[1], options: .twoWay)
    }

    // MARK: The state

    private func name(_ item: OracleItem?) -> String {
      item.map { item in pool.firstIndex { $0 === item }.map { "#\($0)" } ?? "?" } ?? "nil"
    }

    private func add(_ shelf: OracleShelf, _ prefix: String, to state: inout UndoOracle.State) {
      state[prefix + "title"] = shelf.title
      state[prefix + "note"] = shelf.note ?? "nil"
      state[prefix + "names"] = shelf.names.map { "\($0)" } ?? "nil"
      state[prefix + "entries"] = "\(shelf.entries.sorted { $0.key < $1.key })"
      state[prefix + "map"] = shelf.map.map { map in "\(map.keys.sorted().map { "\($0)\(name(map[$0]))" })" } ?? "nil"
      state[prefix + "item"] = name(shelf.item)
      state[prefix + "items"] = shelf.items.map { name($0) }.joined(separator: " ")
      state[prefix + "guarded"] = "\(shelf.guarded)"
    }

    var state: UndoOracle.State {
      var state: UndoOracle.State = [:]
      for (index, shelf) in shelves.enumerated() { add(shelf, "s\(index).", to: &state) }
      for loner in loners { add(loner.shelf, "l\(loner.number).", to: &state) }
      for (index, item) in pool.enumerated() { state["#\(index)"] = item.label }
      return state
    }

    private func isRecorded(_ item: OracleItem) -> Bool { shelves.contains { $0.items.contains { $0 === item } } }

    // MARK: Edits

    /// Makes a change.
    ///
    /// - Parameter isGuarded: Whether the key may be changed whose setter refuses values; once in a step.
    /// - Returns: What was recorded, and the key if it was a setting.
    func edit(isGuarded: Bool = true) throws -> (changes: [Change], setting: String?) {
      let before = state
      let number = random.below(30)
      let item = pool[random.below(pool.count)]
      let all = shelves.enumerated().map { ("s\($0).", $1) } + loners.map { ("l\($0.number).", $0.shelf) }
      let (prefix, shelf) = all[random.below(all.count)]
      let wasRecorded = isRecorded(item)
      var key: String?
      switch random.below(15) {
      case 0: (shelf.title, key) = ("t\(number)", "title")
      case 1: (shelf.note, key) = (number % 3 == 0 ? nil : "n\(number)", "note")
      case 2: (shelf.names, key) = (number % 2 == 0 ? nil : ["a\(number)"], "names")
      case 3: try shelf.mutableArray(forKey: "names").insert("i\(number)", at: 0)
      case 4:
        if let names = shelf.names, !names.isEmpty {
          try shelf.mutableArray(forKey: "names").remove(at: names.count - 1)
        }
      case 5: (shelf.entries["e\(number % 4)"], key) = (number, "entries")
      case 6: (shelf.entries["e\(number % 4)"], key) = (nil, "entries")
      case 7: (shelf.map, key) = (number % 4 == 0 ? nil : ["m\(number % 2)": item], "map")
      case 8: (shelf.item, key) = (number % 4 == 0 ? nil : item, "item")
      case 9: try shelf.mutableArray(forKey: "items").insert(item, at: random.below(shelf.items.count + 1))
      case 10:
        if !shelf.items.isEmpty { try shelf.mutableArray(forKey: "items").remove(at: random.below(shelf.items.count)) }
      case 11: if !shelf.items.isEmpty { try shelf.mutableArray(forKey: "items").replace(at: 0, with: item) }
      case 12: (shelf.items, key) = (Array(shelf.items.suffix(3)), "items")
      case 13: (item.label, key) = ("b\(number)", nil)
      default:
        if isGuarded, number >= shelf.floor {
          try shelf.setValue(number, forKey: "guarded")
          key = "guarded"
        }
      }
      let after = state
      let changes = before.keys.sorted().filter { before[$0] != after[$0] }.map {
        Change(name: $0, before: before[$0] ?? "", after: after[$0] ?? "")
      }
      // The label of an item that is on no shelf is not recorded.
      if changes.first?.name.hasPrefix("#") == true {
        return wasRecorded ? (changes, changes.first?.name) : ([], nil)
      }
      return (changes, key.map { prefix + $0 })
    }

    /// Makes a change that a transaction can roll back.
    private func editByKey() throws {
      let (shelf, number) = (shelves[random.below(3)], random.below(30))
      switch random.below(5) {
      case 0: try shelf.setValue("k\(number)", forKey: "title")
      case 1: try shelf.setValue(number % 2 == 0 ? nil : "k\(number)", forKey: "note")
      case 2: try shelf.setValue(pool[number % 8], forKey: "item")
      case 3: try shelf.mutableArray(forKey: "names").insert("k\(number)", at: 0)
      default: try shelf.mutableArray(forKey: "items").insert(pool[number % 8], at: shelf.items.count)
      }
    }

    /// Makes several changes, as a step.
    private func edits(_ count: Int) throws -> [Change] {
      var changes: [Change] = []
      for number in 0..<count { changes += try edit(isGuarded: number == 0).changes }
      return changes
    }

    /// Makes the next setting a step of its own, in the manager and in the model.
    private func endMerging() {
      undo.markSaved()
      oracle.endMerging()
    }

    func step() throws {
      switch random.below(24) {
      case 0...8:
        let (changes, setting) = try edit()
        oracle.add(changes, setting: setting)
        return check()
      case 9: try undo.group { oracle.add(try edits(1 + random.below(5))) }
      case 10: try KVCoalescing.coalesce { oracle.add(try edits(1 + random.below(4))) }
      case 11: try KVTransaction.run { oracle.add(try edits(1 + random.below(4))) }
      case 12:
        let before = state
        #expect(throws: Failure.self) {
          try KVTransaction.run {
            for _ in 0...random.below(4) { try editByKey() }
            throw Failure()
          }
        }
        #expect(state == before)
      case 13:
        undo.withoutRecording {
          shelves[2].title = "unrecorded \(random.below(9))"
          shelves[2].entries = ["u": random.below(9)]
        }
        return check()
      case 14:
        oracle.isMerging.toggle()
        undo.mergesSettings(within: oracle.isMerging ? .seconds(1_000) : nil)
      case 15:
        oracle.limit = random.below(3) == 0 ? 20 : 0
        oracle.trim()
        undo.levelsOfUndo = oracle.limit
      case 16:
        let shelf = OracleShelf()
        try undo.record(shelf)
        loners.append((count, shelf))
        count += 1
      case 17 where loners.count > 2:
        oracle.remove(prefix: "l\(loners.remove(at: 0).number).")
      case 18: for shelf in shelves { shelf.floor = random.below(12) }
      default: for _ in 0...random.below(4) { try walk(isUndo: random.below(3) > 0) }
      }
      endMerging()
      check()
    }

    private func check() {
      #expect(undo.undoCount == oracle.done.count && undo.redoCount == oracle.undone.count)
    }

    /// Undoes or redoes a step, and compares all values with those of the model.
    func walk(isUndo: Bool) throws {
      let before = state
      guard let restored = oracle.restored(isUndo: isUndo) else {
        #expect(try !(isUndo ? undo.undo() : undo.redo()))
        return
      }
      let isRefused = shelves.enumerated().contains { index, shelf in
        restored["s\(index).guarded"].flatMap { Int($0) }.map { $0 < shelf.floor } ?? false
      }
      if isRefused {
        refusals += 1
        let error = #expect(throws: KVError.self) { try isUndo ? undo.undo() : undo.redo() }
        #expect(error?.code == .invalidValue && state == before)
        return
      }
      #expect(try isUndo ? undo.undo() : undo.redo())
      oracle.move(isUndo: isUndo)
      let expected = before.merging(restored) { $1 }
      #expect(
        state == expected,
        "\(state.filter { expected[$0.key] != $0.value }) ≠ \(expected.filter { state[$0.key] != $0.value })")
    }
  }

  @Test("UND.2–8, UND.11–12: random steps", arguments: [1, 2, 3, 4, 5])
  func walk(seed: UInt64) throws {
    let world = try World(seed)
    for _ in 0..<Extent.rounds(600, of: 2_000) { try world.step() }
    #expect(world.refusals > 0)
    for shelf in world.shelves { shelf.floor = 0 }
    while !world.oracle.done.isEmpty { try world.walk(isUndo: true) }
    while !world.oracle.undone.isEmpty, world.undo.levelsOfUndo == 0 { try world.walk(isUndo: false) }
  }
}
