import Foundation
import KVControllers
import KVCore
import KVTestSupport
import TestModels
import Testing

// The code of Docs/Migrating/FromAppKit.md.

extension AppKitMigrationTests {
  @KVModel fileprivate final class Record: KVObject {
    var title: String
    var price: Int
    var tags: [String]

    init(_ title: String, _ price: Int, _ tags: String...) {
      self.title = title
      self.price = price
      self.tags = tags
    }
  }

  @KVModel fileprivate final class Person: KVObject {
    @KVKey(.metadata("displayName", "Name")) var personName = "New Person"
    @KVKey(.metadata("displayName", "Raise")) var expectedRaise: Float? = 0.05
    var nameLength: Int { personName.count }
  }

  @KVModel fileprivate final class RaiseDocument: KVObject {
    @KVKey(.metadata("elementName", "Person")) var employees: [Person] = []
    @KVIgnored let undo = KVUndoManager()

    func open() throws { try undo.recordElements(of: "employees", in: self) }

    /// The rows of the table, in the order of the headers that were clicked.
    func rows(_ order: [KVSortDescriptor]) throws -> [Person] { try employees.sorted(by: order) }

    /// Adds an employee, and returns the row whose name the user edits next.
    func createEmployee(in order: [KVSortDescriptor]) throws -> Int? {
      let person = Person()
      try undo.group("Add Person") { try mutableArray(forKey: "employees").append(person) }
      return try rows(order).firstIndex { $0 === person }
    }

    func remove(_ people: [Person]) throws {
      try undo.group("Remove \(people.count) People") {
        try mutableArray(forKey: "employees").remove(contentsOf: people)
      }
    }
  }

  @KVModel fileprivate final class ObservingDocument: KVObject {
    var employees: [Person] = []
    @KVIgnored let undo = KVUndoManager()

    func open() throws {
      for key in ["personName", "expectedRaise"] {
        try observeElements(of: "employees", key, options: [.old, .new, .distinct], owner: self) { me, change in
          me.register(change, of: key)
        }
      }
      try undo.record(self, keys: ["employees"])
    }

    private func register(_ change: KVChange, of key: String) {
      guard let person = change.object as? Person else { return }
      undo.register(
        person, undo: { try $0.setValue(change.old, forKey: key) }, redo: { try $0.setValue(change.new, forKey: key) })
    }
  }

  /// A field of the inspector, and the item of a menu.
  @KVModel fileprivate final class Control: KVObject {
    var text = ""
    var isEnabled = true
  }
}

@Suite("Migrating from AppKit")
struct AppKitMigrationTests {
  @Test("BND.1, BND.9: bindings: two-way, committed at the end of editing, of two sources, and none any more")
  func bindings() throws {
    let (record, field, button) = (Record("a", 1), Control(), Control())
    try field.bind("text", to: "title", of: record, options: .init(.twoWay, trigger: .onCommit))
    field.text = "b"
    #expect(record.title == "a")
    try field.commitEditing()
    #expect(record.title == "b")
    try button.bind("isEnabled", toAll: [.init(record, "price"), .init(field, "isEnabled")], by: .and)
    #expect(button.isEnabled)
    record.price = 0
    #expect(!button.isEnabled)
    try field.unbind("text", from: "title", of: record)
    record.title = "c"
    #expect(field.text == "b")
    #expect(throws: KVError.self) { try field.bind("text", to: "titel", of: record) }
  }

  @Test("SRT.2, SRT.5: descriptors: several keys, the other direction, one compared value")
  func sorting() throws {
    var records = [Record("track 10", 5), Record("Track 9", 5), Record("a", 7)]
    let byPrice: [KVSortDescriptor] = [.descending("price"), .natural("title")]
    let shelf = try records.sorted(by: byPrice)
    #expect(shelf.map(\.title) == ["a", "Track 9", "track 10"])
    try records.sort(by: [byPrice[0].reversed])
    #expect(records.map(\.title) == ["track 10", "Track 9", "a"])
    #expect(try byPrice.compare(shelf[1], shelf[2]) == .less)
    let archive = try JSONEncoder().encode(byPrice)
    #expect(try JSONDecoder().decode([KVSortDescriptor].self, from: archive) == byPrice)
    try records.sort(by: [.ascending("title", .caseInsensitive)])
    #expect(records.map(\.title) == ["a", "track 10", "Track 9"])
  }

  @Test("FLT.1, FLT.10, FLT.12: formats are read as they are, and compound and variable ones have operators")
  func predicates() throws {
    let records = [Record("a", 12, "Jazz", "live"), Record("b", 30, "jazz"), Record("c", 0), Record("d", 5, "folk")]
    let wanted = try KVPredicate(format: "price < %d AND ANY tags ==[c] %@", 20, "jazz")
    let cheap = try records.filter(wanted || KVExpression.key("price") == 0)
    #expect(cheap.map(\.title) == ["a", "c"])
    #expect(try records.filter(!wanted).map(\.title) == ["b", "c", "d"])
    let atLeast: KVPredicate = "price >= $least"
    #expect(try records.filter(atLeast.with(["least": 12])).map(\.title) == ["a", "b"])
    #expect(try atLeast.evaluate(with: records[3], variables: ["least": 6]) == false)
    let tagged = KVPredicate(reading: ["tags"]) { ($0 as? Record)?.tags.isEmpty == false }
    #expect(try records.filter(tagged).map(\.title) == ["a", "b", "d"])
    #expect(wanted.description.contains("[c]"))
    let error = #expect(throws: KVError.self) { try KVPredicate(format: "price < AND") }
    #expect(error?.code == .invalidPredicate && error?.offset == 8)
  }

  // MARK: RaiseMan

  private let document = RaiseDocument()

  private func names(_ order: [KVSortDescriptor] = ["personName"]) throws -> [String] {
    try document.rows(order).map(\.personName)
  }

  @Test("UND.1, UND.4, UND.9: employees are added, edited, sorted and removed, and every edit is undone by its name")
  func raiseMan() throws {
    try document.open()
    let undo = document.undo
    let menuItem = Control()
    try menuItem.bind("text", to: "undoMenuTitle", of: undo)
    try menuItem.bind("isEnabled", to: "canUndo", of: undo)
    #expect(menuItem.text == "Undo" && !menuItem.isEnabled)

    for name in ["Mia", "Ada", "Zoe"] {
      // The row is that of "New Person" in the order of the table, not the last one.
      let row = try #require(try document.createEmployee(in: ["personName"]))
      #expect(try names()[row] == "New Person" && menuItem.text == "Undo Add Person")
      try document.rows(["personName"])[row].personName = name
      #expect(menuItem.text == "Undo Change Name")
    }
    #expect(try names() == ["Ada", "Mia", "Zoe"] && menuItem.isEnabled && undo.hasUnsavedChanges)
    #expect(try names([.descending("nameLength"), .descending("personName")]) == ["Zoe", "Mia", "Ada"])
    #expect(document.employees.map(\.personName) == ["Mia", "Ada", "Zoe"])

    undo.markSaved()
    let (mia, ada) = (document.employees[0], document.employees[1])
    try document.remove([mia, ada])
    #expect(try names() == ["Zoe"] && menuItem.text == "Undo Remove 2 People")
    try undo.undo()
    #expect(document.employees.map(\.personName) == ["Mia", "Ada", "Zoe"] && !undo.hasUnsavedChanges)
    #expect(document.employees[0] === mia && document.employees[1] === ada)
    mia.expectedRaise = 0.1
    #expect(menuItem.text == "Undo Change Raise")

    while try undo.undo() {}
    #expect(document.employees.isEmpty && menuItem.text == "Undo" && undo.redoMenuTitle == "Redo Add Person")
    while try undo.redo() {}
    #expect(try names() == ["Ada", "Mia", "Zoe"] && mia.expectedRaise == 0.1)
  }

  @Test("TRN.2, BND.3, UND.3: a field edits a raise as percents; an emptied one sets nil, and undo shows the old value")
  func fields() throws {
    try document.open()
    document.employees = [Person()]
    let (person, field) = (document.employees[0], Control())
    try field.bind(
      "text", to: "expectedRaise", of: person, options: .init(.twoWay, nullPlaceholder: ""),
      transform: { (raise: Float) in "\(Int((raise * 100).rounded())) %" },
      reverse: { (text: String) in (Float(text.prefix { $0 != " " }) ?? 0) / 100 })
    #expect(field.text == "5 %")
    field.text = "7 %"
    #expect(person.expectedRaise == 0.07)
    field.text = ""
    #expect(person.expectedRaise == nil)
    try document.undo.undo()
    #expect(field.text == "7 %")
    try document.undo.undo()
    #expect(field.text == "5 %" && person.expectedRaise == 0.05)
  }

  @Test("UND.13, LIF.1: a document that observes its employees registers the same steps")
  func observing() throws {
    let other = ObservingDocument()
    try document.open()
    try other.open()
    func state(_ employees: [Person]) -> [String] { employees.map { "\($0.personName) \(brief($0.expectedRaise))" } }
    var random = SplitMix64(seed: 17)
    func edit(_ list: KVMutableArray, _ employees: [Person], _ kind: Int, _ place: Int) throws {
      switch employees.isEmpty ? 0 : kind {
      case 0, 1: try list.insert(Person(), at: employees.isEmpty ? 0 : place % employees.count)
      case 2: try list.remove(at: place % employees.count)
      case 3: employees[place % employees.count].personName = "name \(place)"
      default: employees[place % employees.count].expectedRaise = place.isMultiple(of: 5) ? nil : Float(place)
      }
    }
    var former: [String] = []
    for step in 0..<300 {
      let (kind, place) = (Int.random(in: 0...4, using: &random), Int.random(in: 0..<1_000, using: &random))
      switch Int.random(in: 0...9, using: &random) {
      case 0, 1: #expect(try document.undo.undo() == other.undo.undo())
      case 2: #expect(try document.undo.redo() == other.undo.redo())
      default:
        try edit(document.mutableArray(forKey: "employees"), document.employees, kind, place)
        try edit(other.mutableArray(forKey: "employees"), other.employees, kind, place)
      }
      #expect(state(document.employees) == state(other.employees), "\(step), after \(former)")
      #expect(document.undo.undoCount == other.undo.undoCount, "\(step)")
      former = state(document.employees)
    }
    // An employee who has left is not observed any more.
    let person = Person()
    try other.mutableArray(forKey: "employees").append(person)
    try other.mutableArray(forKey: "employees").removeLast()
    let count = other.undo.undoCount
    person.personName = "gone"
    #expect(other.undo.undoCount == count)
  }
}
