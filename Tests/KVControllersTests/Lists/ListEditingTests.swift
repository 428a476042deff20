import KVControllers
import KVCore
import TestModels
import Testing

@Suite("LST.2: editing rows")
struct ListEditingTests {
  private let person = Villager("Ada")
  private let screen = ListScreen()
  private let section = KVObservingListSection(title: "Rows") { (text: String) in "<\(text)>" }
  private let list: KVListDataSource<String>

  init() throws {
    list = KVListDataSource([section])
    person.rows = ["a", "b", "c"]
    try section.observe("rows", of: person)
    screen.show(list)
  }

  @Test("LST.2: rows are removed and moved in the source, if that is permitted")
  func permitted() throws {
    section.isEditable = true
    section.isMovable = true
    #expect(section.canEdit(at: 0) && section.canMove(at: 0))
    try section.moveRow(at: 0, to: 2)
    #expect(person.rows == ["b", "c", "a"] && screen.copy == [["<b>", "<c>", "<a>"]])
    try section.moveRow(at: 2, to: 1)
    try section.moveRow(at: 1, to: 1)
    #expect(person.rows == ["b", "a", "c"])
    try section.removeRow(at: 1)
    #expect(person.rows == ["b", "c"] && screen.copy == [["<b>", "<c>"]])
    #expect(
      screen.changes == [
        .rows(.removal([0]), section: 0), .rows(.insertion([2]), section: 0), .rows(.removal([2]), section: 0),
        .rows(.insertion([1]), section: 0), .rows(.removal([1]), section: 0),
      ])
  }

  @Test("LST.2: permission row by row")
  func overriding() throws {
    final class Pinned: KVObservingListSection<String> {
      override func canEdit(at index: Int) -> Bool { index > 0 }
      override func canMove(at index: Int) -> Bool { index > 0 }
    }
    let pinned = Pinned()
    try pinned.observe("rows", of: person)
    #expect(!pinned.canEdit(at: 0) && pinned.canEdit(at: 1))
    try pinned.removeRow(at: 1)
    #expect(throws: KVError.self) { try pinned.moveRow(at: 0, to: 1) }
    #expect(person.rows == ["a", "c"])
  }

  @Test("LST.2: whole sentences of refusals, which change nothing")
  func refusals() throws {
    let idle = KVObservingListSection<String>()
    idle.isEditable = true
    list.append(idle)
    list.append(FixedSection(["x"], title: "Fixed"))
    func refuses(_ sentence: String, _ code: KVError.Code = .unsupported, _ body: () throws -> Void) {
      let error = #expect(throws: KVError.self, performing: body)
      #expect(error?.message == sentence && error?.code == code)
    }
    refuses(
      "row 1 of the section \"Rows\" may not be removed. Set isEditable of the section, or override canEdit(at:)."
    ) { try section.removeRow(at: 1) }
    refuses("row 1 of the section \"Rows\" may not be moved. Set isMovable of the section, or override canMove(at:).") {
      try section.moveRow(at: 1, to: 0)
    }
    refuses("a section observes nothing, or what it observed is gone; call observe(_:of:).") {
      try list.sections[1].removeRow(at: 0)
    }
    refuses(
      "row 0 of the section \"Fixed\" may not be removed. Implement canEdit(at:) and removeRow(at:)."
    ) { try list.sections[2].removeRow(at: 0) }
    refuses("row 0 of the section \"Fixed\" may not be moved. Implement canMove(at:) and moveRow(at:to:).") {
      try list.sections[2].moveRow(at: 0, to: 0)
    }
    section.isMovable = true
    section.isEditable = true
    refuses("index 7 is out of range: valid indexes are 0 to 2.", .indexOutOfRange) {
      try section.moveRow(at: 0, to: 7)
    }
    refuses("index 3 is out of range: valid indexes are 0 to 2.", .indexOutOfRange) {
      try section.removeRow(at: 3)
    }
    #expect(person.rows == ["a", "b", "c"])
  }

  @Test("LST.2: a delegate may edit the source in its turn")
  func reentrant() throws {
    screen.onChange = { [person] list, change in
      if person.rows.count < 6 { try? person.mutableArray(forKey: "rows").insert("n\(person.rows.count)", at: 1) }
    }
    try person.mutableArray(forKey: "rows").remove(at: 0)
    #expect(person.rows == ["b", "n5", "n4", "n3", "n2", "c"])
    #expect(screen.copy == [person.rows.map { "<\($0)>" }])
    screen.onChange = nil
    section.isMovable = true
    screen.onChange = { [person] _, change in
      if case .rows(.removal, _) = change { person.rows = ["z"] }
    }
    try section.moveRow(at: 0, to: 5)
    #expect(person.rows == ["z", "b"] && screen.copy == [["<z>", "<b>"]])
  }

  @Test("LST.2: a delegate may end the section, take it out, or let it follow something else")
  func ending() throws {
    let other = Villager("Bob")
    other.rows = ["o"]
    screen.onChange = { [section, screen] _, _ in
      screen.onChange = nil
      try? section.observe("rows", of: other)
    }
    try person.mutableArray(forKey: "rows").append("d")
    #expect(screen.copy == [["<o>"]])
    screen.onChange = { list, change in if case .rows = change { list.remove(at: 0) } }
    other.rows = ["p"]
    #expect(screen.copy == [] && section.delegate == nil)
    #expect(rows(of: section) == ["<p>"])
  }

  @Test("LST.2: an earlier observer that edits the collection in its handler leaves the rows right")
  func overtaking() throws {
    let fresh = Villager("Cid")
    fresh.rows = ["x", "b"]
    var rounds = 0
    let token = try fresh.observe("rows") { _ in
      rounds += 1
      if rounds == 1 { try? fresh.mutableArray(forKey: "rows").insert("y", at: 1) }
      if rounds == 3 { try? fresh.mutableArray(forKey: "rows").replace(at: 0, with: "q") }
      if rounds == 4 { fresh.rows.append("r") }
    }
    try section.observe("rows", of: fresh)
    // Told first is the insertion at 1, then the replacement at 1 that came before it.
    try fresh.mutableArray(forKey: "rows").replace(at: 1, with: "y")
    #expect(fresh.rows == ["x", "y", "y"] && screen.copy == [["<x>", "<y>", "<y>"]])
    try fresh.mutableArray(forKey: "rows").remove(at: 1)
    #expect(screen.copy == [fresh.rows.map { "<\($0)>" }])
    _ = screen.take()
    try fresh.mutableArray(forKey: "rows").append("s")
    #expect(screen.take() == [.rows(.insertion([fresh.rows.count - 1]), section: 0)])
    token.cancel()
  }

  @Test("LST.2: an observer that edits before the change leaves the rows right")
  func editsBefore() throws {
    for isEarlier in [true, false] {
      let fresh = Villager("Cid")
      fresh.rows = ["a", "b", "c"]
      var isDone = false
      func watch() throws -> KVObservation {
        try fresh.observe("rows", options: [.prior]) { change in
          guard change.isPrior, !isDone else { return }
          isDone = true
          try? fresh.mutableArray(forKey: "rows").remove(at: [0, 1])
        }
      }
      let early = isEarlier ? try watch() : nil
      try section.observe("rows", of: fresh)
      let late = isEarlier ? nil : try watch()
      // The index is none any more when it is the insertion's turn.
      #expect(throws: KVError.self) { try fresh.mutableArray(forKey: "rows").insert("x", at: 3) }
      #expect(fresh.rows == ["c"])
      #expect(screen.copy == [fresh.rows.map { "<\($0)>" }])
      early?.cancel()
      late?.cancel()
    }
  }
}
