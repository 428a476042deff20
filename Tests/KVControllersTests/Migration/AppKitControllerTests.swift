import KVControllers
import KVCore
import Testing

// The controllers of Docs/Migrating/FromAppKit.md: the window of RaiseMan, without a window.

extension AppKitControllerTests {
  @KVModel fileprivate final class Person: KVObject {
    @KVKey(.metadata("displayName", "Name")) var personName = "New Person"
    @KVKey(.metadata("displayName", "Raise")) var expectedRaise: Float? = 0.05
  }

  @KVModel fileprivate final class RaiseDocument: KVObject {
    @KVKey(.metadata("elementName", "Person")) var employees: [Person] = []
    @KVIgnored let undo = KVUndoManager()

    func open() throws { try undo.recordElements(of: "employees", in: self) }
  }

  @KVModel fileprivate final class Control: KVObject {
    var text = ""
    var isEnabled = true
  }

  /// What a table view keeps: the rows, changed by index only.
  fileprivate final class Table {
    private(set) var rows: [Person] = []
    private var token: KVObservation?

    init(_ list: KVArrayController<Person>) throws {
      token = try list.observe("arrangedObjects", options: [.initial, .old, .new]) { [unowned self] in apply($0) }
    }

    private func apply(_ change: KVChange) {
      let new = change.new as? [Person] ?? []
      switch change.kind {
      case .setting: rows = new
      case .insertion: for (index, person) in zip(change.indexes ?? [], new) { rows.insert(person, at: index) }
      case .removal: for index in (change.indexes ?? []).reversed() { rows.remove(at: index) }
      case .replacement: for (index, person) in zip(change.indexes ?? [], new) { rows[index] = person }
      }
    }
  }
}

@Suite("Migrating from AppKit: controllers")
struct AppKitControllerTests {
  private let document = RaiseDocument()
  private let list = KVArrayController { Person() }
  private let nameField = Control()
  private let removeButton = Control()
  private let menuItem = Control()
  private let table: Table

  init() throws {
    try document.open()
    table = try Table(list)
    try list.bindContent(to: "employees", of: document)
    list.sortDescriptors = ["personName"]
    list.automaticallyRearrangesObjects = true
    try nameField.bind(
      "text", to: "selection.personName", of: list, options: .init(.twoWay, noSelection: "", multipleValues: "several"))
    try removeButton.bind("isEnabled", to: "canRemove", of: list)
    try menuItem.bind("text", to: "undoMenuTitle", of: document.undo)
  }

  private var names: [String] { table.rows.map(\.personName) }

  @Test(
    "CTR.14, CTR.18, CTR.29, UND.3: an employee is added at its sorted place, selected, renamed, removed and undone")
  func raiseMan() throws {
    #expect(!removeButton.isEnabled && nameField.text.isEmpty)
    for name in ["Mia", "Zoe", "Ada"] {
      try document.undo.group("Add Person") { try list.add() }
      let row = try #require(list.selectionIndex)
      #expect(nameField.text == "New Person" && table.rows[row] === list.selectedObjects[0])
      nameField.text = name
      #expect(list.selectedObjects.map(\.personName) == [name] && menuItem.text == "Undo Change Name")
      #expect(names == names.sorted())
    }
    #expect(names == ["Ada", "Mia", "Zoe"] && document.employees.map(\.personName) == ["Mia", "Zoe", "Ada"])

    list.selectionIndexes = [0, 2]
    #expect(nameField.text == "several" && removeButton.isEnabled)
    if case .marker(let marker) = list.selection["personName"] {
      #expect(marker == .multipleValues)
    } else {
      Issue.record("two names are no single value")
    }
    try document.undo.group("Remove 2 People") { try list.remove() }
    #expect(names == ["Mia"] && menuItem.text == "Undo Remove 2 People")
    try document.undo.undo()
    #expect(names == ["Ada", "Mia", "Zoe"] && document.employees.map(\.personName) == ["Mia", "Zoe", "Ada"])

    while try document.undo.undo() {}
    #expect(names.isEmpty && nameField.text.isEmpty && !removeButton.isEnabled)
    while try document.undo.redo() {}
    #expect(names == ["Mia"] && document.employees.count == 1)
  }

  @Test("CTR.17, CTR.30: the headers and the search field of the table")
  func arranging() throws {
    let people = ["Mia", "Zoe", "Ada", "Leo"].map { name in
      let person = Person()
      person.personName = name
      return person
    }
    document.undo.withoutRecording { document.employees = people }
    list.sortDescriptors = [list.sortDescriptors[0].reversed]
    #expect(names == ["Zoe", "Mia", "Leo", "Ada"])
    list.selectedObjects = [people[0]]
    list.filterPredicate = "personName CONTAINS[c] 'o'"
    #expect(names == ["Zoe", "Leo"] && list.selectedObjects.count == 1)
    list.filterPredicate = nil
    people[2].personName = "Zz"
    #expect(names == ["Zz", "Zoe", "Mia", "Leo"])
    #expect(document.undo.undoCount == 1)
  }

  @Test("CTR.2, CTR.16: an object controller shows one object, or none")
  func objectController() throws {
    let (person, field) = (Person(), Control())
    let inspector = KVObjectController(person)
    try field.bind("text", to: "selection.personName", of: inspector, options: .init(.twoWay, noSelection: "–"))
    field.text = "Ada"
    #expect(person.personName == "Ada")
    inspector.content = nil
    #expect(field.text == "–" && person.personName == "Ada")
  }
}
