import KVControllers
import KVCore
import TestModels
import Testing

@Suite("UND random edits of a tree against naive copies")
struct UndoTreeOracleTests {
  private struct Failure: Error {}

  /// A tree of parts and records, and all objects that were ever in it.
  private final class World {
    let root = UndoPart("root")
    let undo = KVUndoManager()
    private var parts: [UndoPart] = []
    private var records: [KVRecord] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var tokens: [KVObservation] = []
    var random: SplitMix64

    init(_ seed: UInt64, answers: Bool) throws {
      random = SplitMix64(seed: seed)
      number(root)
      parts.append(root)
      for _ in 0..<20 {
        let parent = parts[random.below(parts.count)]
        parent.parts.append(part())
      }
      try undo.record(tree: root, relationships: UndoPart.relationships)
      if answers { try addHandlers() }
    }

    private func number(_ object: AnyObject) { numbers[ObjectIdentifier(object)] = numbers.count }

    private func part() -> UndoPart {
      let part = UndoPart("p\(parts.count)")
      number(part)
      parts.append(part)
      return part
    }

    private func record() -> KVRecord {
      let record: KVRecord = ["n": records.count]
      number(record)
      records.append(record)
      return record
    }

    // MARK: The state

    private func text(_ value: Any?) -> String {
      switch value {
      case let list as [Any]: "\(list.map { text($0) })"
      case let object as KVObject: "#\(numbers[ObjectIdentifier(object)] ?? -1)"
      case let value?: "\(value)"
      case nil: "nil"
      }
    }

    private func contents(_ object: KVObject) -> (line: String, next: [Any?]) {
      switch object {
      case let part as UndoPart: contents(of: part)
      case let record as KVRecord: contents(of: record)
      default: ("", [])
      }
    }

    private func contents(of part: UndoPart) -> (line: String, next: [Any?]) {
      let pages = part.pages.keys.sorted()
      let next: [Any?] =
        part.parts + [part.cover, part.layout.header, part.notes] + pages.map { part.pages[$0] as Any? }
      let values = "\(part.name) \(part.layout.margin) \(part.style.color) \(text(part.partner))"
      return ("\(values) \(part.parts.count) \(pages) \(next.map { text($0) })", next)
    }

    private func contents(of record: KVRecord) -> (line: String, next: [Any?]) {
      let values = record.keys.map { ($0, record[$0]) }
      let next = values.flatMap { _, value in value as? [Any] ?? [value as Any] }.filter { $0 is KVRecord }
      return ("\(values.map { "\($0): \(text($1))" })", next)
    }

    /// The values of all objects in the tree, by their numbers.
    var state: [Int: String] {
      var state: [Int: String] = [:]
      var pending: [Any?] = [root]
      while let next = pending.popLast() {
        guard let object = next as? KVObject, let number = numbers[ObjectIdentifier(object)], state[number] == nil
        else { continue }
        let (line, others) = contents(object)
        state[number] = line
        pending += others
      }
      return state
    }

    /// Expects that the objects of the tree are recorded, and no others.
    func checkRecorded() {
      let state = state
      let objects = parts as [any KVObservable] + records
      let wrong = objects.filter { object in
        let number = numbers[ObjectIdentifier(object)] ?? -1
        return (state[number] != nil) == KVDiagnostics.observations(of: object).isEmpty
      }
      #expect(wrong.isEmpty, "\(wrong.map { text($0) }) of \(state.keys.sorted())")
      let count = undo.undoCount
      if let outside = parts.first(where: { numbers[ObjectIdentifier($0)].map { state[$0] == nil } ?? false }) {
        let name = outside.name
        outside.name = "outside"
        outside.name = name
      }
      #expect(undo.undoCount == count)
    }

    // MARK: Edits

    /// A part in the tree, found by a random walk.
    private var inTree: UndoPart {
      get {
        var part = root
        for _ in 0..<random.below(6) {
          let next: [UndoPart?] = part.parts + [part.cover, part.layout.header] + part.pages.values.map { $0 }
          let parts = next.compactMap { $0 }
          if parts.isEmpty { break }
          part = parts[random.below(parts.count)]
        }
        return part
      }
    }

    /// A new part, or one that is or was in the tree: it may be shared, or lead back to its owner.
    private var any: UndoPart {
      switch random.below(4) {
      case 0: inTree
      case 1: parts[random.below(parts.count)]
      default: part()
      }
    }

    func edit() throws {
      let (part, number) = (inTree, random.below(40))
      let (count, list) = (part.parts.count, part.list)
      switch random.below(19) {
      case 0: part.name = "n\(number)"
      case 1: part.layout.margin = number
      case 2: part.style.color = "c\(number)"
      case 3, 4: try list.insert(any, at: random.below(count + 1))
      case 5, 6: if count > 0 { try list.remove(at: random.below(count)) }
      case 7: if count > 1 { try list.remove(at: [0, count - 1]) }
      case 8: if count > 0 { try list.replace(at: random.below(count), with: any) }
      case 9: part.parts = number % 4 == 0 ? [] : Array(part.parts.suffix(2)) + [any]
      case 10: part.cover = number % 3 == 0 ? nil : any
      case 11: part.layout.header = number % 3 == 0 ? nil : any
      case 12: part.pages["\(number % 3)"] = number % 4 == 0 ? nil : any
      case 13: part.partner = any
      case 14: part.notes = number % 4 == 0 ? nil : number % 4 == 1 ? records.randomElement(using: &random) : record()
      case 15, 16: if let notes = part.notes { try edit(notes, number) }
      default: try move(part)
      }
    }

    /// Makes a change that a transaction can roll back.
    private func editByKey() throws {
      let part = inTree
      switch random.below(5) {
      case 0: try part.setValue("t\(random.below(9))", forKey: "name")
      case 1: try part.setValue(random.below(3) == 0 ? nil : any, forKey: "cover")
      case 2: try part.list.insert(any, at: 0)
      case 3: if !part.parts.isEmpty { try part.list.remove(at: part.parts.count - 1) }
      default: if let notes = part.notes { try notes.setValue(record(), forKey: "a") }
      }
    }

    /// Lets handlers answer edits of the root: in some, a key that they set leads to another object.
    private func addHandlers() throws {
      tokens = [
        try root.observe("parts") { [unowned self] _ in
          if parts.count % 3 == 0 { root.cover = root.parts.last } else { root.layout.margin += 1 }
        },
        try root.observe("cover", options: [.new, .coalesced]) { [unowned self] _ in
          root.notes?.covers = record()
          if parts.count % 4 == 0, root.parts.count < 9 { try? root.list.append(part()) }
        },
      ]
    }

    /// Moves a part to another parent.
    private func move(_ parent: UndoPart) throws {
      guard let part = parent.parts.last else { return }
      let other = inTree
      try undo.group("Move") {
        if random.below(2) == 0 {
          try parent.list.remove(at: parent.parts.count - 1)
          part.name += "'"
          try other.list.insert(part, at: 0)
        } else {
          try other.list.append(part)
          if let index = parent.parts.firstIndex(of: part) { try parent.list.remove(at: index) }
        }
      }
    }

    private func edit(_ record: KVRecord, _ number: Int) throws {
      let inner = record.keys.compactMap { record[$0] as? KVRecord }
      if let next = inner.first, number % 3 == 0, next !== record { return try edit(next, number / 3) }
      let key = ["a", "b", "c", "list"][number % 4]
      switch random.below(6) {
      case 0: record[key] = number
      case 1: record[key] = nil
      case 2: record[key] = self.record()
      case 3: record[key] = records[random.below(records.count)]
      case 4: record[key] = [number, self.record(), self.record()] as [Any]
      default:
        if record[key] is [Any] {
          let list = record.mutableArray(forKey: key)
          if number % 2 == 0 || list.isEmpty { try list.append(self.record()) } else { try list.remove(at: 0) }
        }
      }
    }

    func step() throws {
      switch random.below(8) {
      case 0: try undo.group { for _ in 0..<random.below(6) { try edit() } }
      case 1: try KVCoalescing.coalesce { for _ in 0..<random.below(4) { try edit() } }
      case 2:
        do {
          try KVTransaction.run {
            for _ in 0..<random.below(4) { try editByKey() }
            if random.below(2) == 0 { throw Failure() }
          }
        } catch is Failure {}
      default: try edit()
      }
    }

    /// Breaks the cycles, so that nothing remains.
    func clear() {
      undo.stopRecording(root)
      tokens.forEach { $0.cancel() }
      for part in parts {
        (part.parts, part.cover, part.pages, part.layout) = ([], nil, [:], UndoLayout())
        (part.partner, part.notes) = (nil, nil)
      }
      for record in records { for key in record.keys { record[key] = nil } }
    }
  }

  private func expect(_ world: World, _ expected: [Int: String]) {
    let state = world.state
    #expect(
      state == expected,
      "\(state.filter { expected[$0.key] != $0.value }) ≠ \(expected.filter { state[$0.key] != $0.value })")
  }

  @Test("UND.5, UND.16: random edits of a tree, undone and redone step by step", arguments: [1, 2, 3, 4, 5])
  func walk(seed: UInt64) throws {
    let world = try World(seed, answers: seed % 2 == 0)
    defer { world.clear() }
    let undo = world.undo
    var states = [world.state]
    for round in 0..<Extent.rounds(100, of: 2_000) {
      let count = undo.undoCount
      try world.step()
      if undo.undoCount > count { states.append(world.state) } else { expect(world, states[count]) }
      #expect(undo.undoCount == states.count - 1)
      if round % 10 == 0 { world.checkRecorded() }
      if world.random.below(10) > 0 { continue }
      for _ in 0..<world.random.below(8) {
        _ = try world.random.below(3) > 0 ? undo.undo() : undo.redo()
        expect(world, states[undo.undoCount])
      }
      world.checkRecorded()
      // What is not redone is forgotten by the next step.
      while try undo.redo() {}
      expect(world, states[undo.undoCount])
    }
    for state in states.reversed().dropFirst() {
      #expect(try undo.undo())
      expect(world, state)
    }
    world.checkRecorded()
    for state in states.dropFirst() {
      #expect(try undo.redo())
      expect(world, state)
    }
    world.checkRecorded()
  }
}
