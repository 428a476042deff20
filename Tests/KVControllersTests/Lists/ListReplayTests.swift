import KVControllers
import KVCore
import TestModels
import Testing

/// What a list tells, applied to a copy of it, gives the list; and the list is what its sources are.
@Suite("LST.2: replaying what a list reports")
struct ListReplayTests {
  @Test("LST.2: ten thousand edits of sources, paths and sections", arguments: [1, 2, 3] as [UInt64])
  func replay(_ seed: UInt64) throws {
    var world = World(seed: seed)
    for step in 0..<10_000 {
      try world.edit(step)
      let expected = world.expected
      #expect(contents(of: world.list) == expected && world.screen.copy == expected, "edit \(step), seed \(seed)")
      if contents(of: world.list) != expected || world.screen.copy != expected { break }
    }
    for person in world.people { person.next = nil }
    let partial = world.screen.changes.filter { if case .rows(.reload, _) = $0 { false } else { true } }
    #expect(partial.count > 2_000)
  }

  /// Two sections of one person, one of them behind another person, and more that come and go.
  private struct World {
    typealias Section = KVObservingListSection<String>

    var random: SplitMix64
    let list = KVListDataSource<String>()
    let screen = ListScreen()
    /// Those who hold rows; a section's source is one of them, or dead.
    var people: [Villager]
    var created = 0

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
      people = (0..<3).map { Villager("\($0)") }
      screen.show(list)
    }

    /// The rows as they should be, by the sources alone.
    var expected: [[String]] {
      list.sections.map { section in
        guard let section = section as? Section, let source = section.source as? Villager else { return [] }
        let rows = section.keyPath == "rows" ? source.rows : source.next?.rows ?? []
        return rows.map { "<\($0)>" }
      }
    }

    mutating func edit(_ step: Int) throws {
      let person = people[random.below(people.count)]
      let rows = person.mutableArray(forKey: "rows")
      let count = person.rows.count
      switch random.below(count > 30 ? 4 : 16) {
      case 0, 1: try rows.remove(at: indexes(below: count))
      case 2: person.rows = (0..<random.below(6)).map { _ in text() }
      case 3: try person.setValue([text()], forKey: "rows")
      case 4, 5:
        let indexes = indexes(below: count + 3).enumerated().filter { $0.element <= count + $0.offset }
        try rows.insert(indexes.map { _ in text() as Any }, at: indexes.map(\.element))
      case 6, 7:
        let indexes = indexes(below: count)
        try rows.replace(at: indexes, with: indexes.map { _ in text() as Any })
      case 8: try rows.append(text())
      case 9: person.next = random.below(4) == 0 ? nil : people[random.below(people.count)]
      case 10 where person.next != nil: try person.mutableArray(forKeyPath: "next.rows").insert(text(), at: 0)
      case 11, 12: try editRow()
      case 13: renew()
      default: try editSections(person)
      }
    }

    /// Moves or removes a row through a section of the list.
    private mutating func editRow() throws {
      guard !list.sections.isEmpty else { return }
      let section = list.sections[random.below(list.sections.count)]
      let count = section.rowCount
      guard count > 0 else { return }
      let index = random.below(count)
      if random.below(3) == 0 { return try section.removeRow(at: index) }
      try section.moveRow(at: index, to: random.below(count))
    }

    /// Lets somebody die and somebody be born.
    private mutating func renew() {
      let index = random.below(people.count)
      let old = people[index]
      for person in people where person.next === old { person.next = nil }
      old.next = nil
      created += 1
      people[index] = Villager("new \(created)")
    }

    private mutating func editSections(_ person: Villager) throws {
      let count = list.sections.count
      let index = count == 0 ? 0 : random.below(count)
      switch random.below(7) {
      case 0 where count < 5: list.insert(try section(person), at: index)
      case 1 where count > 0: list.remove(at: index)
      case 2 where count > 0: list.move(from: index, to: random.below(count))
      case 3 where count > 0: list.replace(at: index, with: try section(person))
      case 4 where count > 0: try (list.sections[index] as? Section)?.observe(path(), of: person)
      case 5 where count > 0 && random.below(4) == 0: (list.sections[index] as? Section)?.cancel()
      case 6 where random.below(4) == 0: list.setSections(list.sections.shuffled(using: &random))
      default: if count < 3 { list.append(try section(person)) }
      }
    }

    private mutating func section(_ person: Villager) throws -> Section {
      let section = Section { (text: String) in "<\(text)>" }
      section.isEditable = true
      section.isMovable = true
      try section.observe(path(), of: person)
      return section
    }

    private mutating func path() -> KVKeyPath { random.below(2) == 0 ? "rows" : "next.rows" }

    private mutating func text() -> String { "\(random.below(100))" }

    private mutating func indexes(below bound: Int) -> [Int] { (0..<bound).filter { _ in random.below(5) == 0 } }
  }
}
