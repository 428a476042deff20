import KVControllers
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("LST.2: lists of sections")
struct ListDataSourceTests {
  private let screen = ListScreen()

  private func section(_ person: Villager, _ title: String? = nil) throws -> KVObservingListSection<String> {
    let section = KVObservingListSection<String>(title: title, indexTitle: title.map { String($0.prefix(1)) })
    try section.observe("rows", of: person)
    return section
  }

  private func villager(_ name: String, _ rows: [String]) -> Villager {
    let person = Villager(name)
    person.rows = rows
    return person
  }

  @Test("LST.2: sections come, go, move and are replaced while they are live")
  func sections() throws {
    let (ada, bob, cid) = (villager("Ada", ["a"]), villager("Bob", ["b"]), villager("Cid", ["c"]))
    let list = KVListDataSource<String>()
    screen.show(list)
    list.append(try section(ada))
    list.insert(try section(bob), at: 0)
    list.insert(FixedSection(["f"]), at: 1)
    #expect(screen.copy == [["b"], ["f"], ["a"]])
    list.move(from: 0, to: 2)
    list.move(from: 1, to: 1)
    #expect(screen.copy == [["f"], ["a"], ["b"]])
    try bob.mutableArray(forKey: "rows").append("b2")
    let old = list.replace(at: 1, with: try section(cid))
    #expect(old.delegate == nil && rows(of: old) == ["a"])
    ada.rows = ["not heard"]
    list.remove(at: 0)
    #expect(screen.copy == [["c"], ["b", "b2"]])
    list.setSections([old, list.sections[0]])
    #expect(screen.copy == [["not heard"], ["c"]] && screen.copy == contents(of: list))
    bob.rows = []
    list.replace(at: 0, with: old)
    #expect(
      screen.changes == [
        .sectionInsertion(0), .sectionInsertion(0), .sectionInsertion(1), .sectionMove(from: 0, to: 2),
        .rows(.insertion([1]), section: 2), .sectionReplacement(1), .sectionRemoval(0), .reload,
      ])
  }

  @Test("LST.2: titles, footers, and the short texts that lead to sections")
  func titles() throws {
    let ada = villager("Ada", ["a"])
    let list = KVListDataSource([
      try section(ada, "Apples"), FixedSection(["x"]), FixedSection([], title: "Pears", indexTitle: "P"),
      try section(ada, "Quinces"),
    ])
    #expect((0..<4).map { list.sections[$0].title } == ["Apples", nil, "Pears", "Quinces"])
    #expect(list.sectionIndexTitles == ["A", "P", "Q"])
    #expect((-1...3).map { list.section(forSectionIndexTitleAt: $0) } == [nil, 0, 2, 3, nil])
    let last = try #require(list.sections[3] as? KVObservingListSection<String>)
    last.footer = "the end"
    last.indexTitle = nil
    #expect(list.sections[3].footer == "the end" && list.sections[1].footer == nil)
    #expect(list.sectionIndexTitles == ["A", "P"])
    list.remove(at: 0)
    #expect(list.section(forSectionIndexTitleAt: 0) == 1)
    #expect(list.sections.count == 3 && list.sections[2].rowCount == 1)
    #expect(!list.sections[0].canEdit(at: 0) && !list.sections[0].canMove(at: 0))
  }

  @Test("LST.2: changes say what has happened")
  func descriptions() {
    let changes: [KVListChange] = [
      .rows(.insertion([0, 1]), section: 0), .rows(.removal([2]), section: 1), .rows(.replacement([3]), section: 0),
      .rows(.reload, section: 2), .sectionInsertion(0), .sectionRemoval(1), .sectionReplacement(2),
      .sectionMove(from: 0, to: 3), .reload,
    ]
    #expect(
      changes.map(\.description) == [
        "rows insertion [0, 1] of section 0", "rows removal [2] of section 1", "rows replacement [3] of section 0",
        "rows reload of section 2", "section insertion 0", "section removal 1", "section replacement 2",
        "section move from 0 to 3", "reload",
      ])
    #expect("\(KVListRowChange.insertion([4]))" == "insertion [4]")
  }

  @Test("LST.2: the source of a section is deallocated: its rows go, the section stays")
  func deallocation() throws {
    var ada: Villager? = villager("Ada", ["a"])
    let list = KVListDataSource([FixedSection(["x"]), try section(#require(ada))])
    screen.show(list)
    ada = nil
    #expect(screen.take() == [.rows(.reload, section: 1)])
    #expect(screen.copy == [["x"], []])
  }

  @Test("LST.2: a list that goes releases its sections; none is kept")
  func lifetimes() throws {
    let ada = villager("Ada", ["a"])
    let section = try section(ada)
    var list: KVListDataSource? = KVListDataSource([section])
    do {
      let screen = ListScreen()
      screen.show(try #require(list))
      ada.rows = ["b"]
      #expect(screen.copy == [["b"]])
    }
    #expect(list?.delegate == nil)
    ada.rows = ["c"]
    expectReleased(&list)
    #expect(section.delegate == nil)
    let next = KVListDataSource([section])
    #expect(contents(of: next) == [["c"]])
  }
}
