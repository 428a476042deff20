import KVCore
import Testing

@Suite("COL how often views read the owner")
struct AccessCountTests {
  private let shelf = CountingShelf()

  @Test("COL.1: each question reads the property once", arguments: ["items", "kept"])
  func questions(_ key: String) throws {
    let view = shelf.mutableArray(forKey: key)
    #expect(try view.elements().count == 3)
    #expect(shelf.takeAll() == [1, 0])
    #expect(try view.element(at: 1) as? Int == 2)
    #expect(shelf.takeAll() == [1, 0])
    #expect(view.count == 3)
    #expect(shelf.takeAll() == [1, 0])
    #expect(view[2] as? Int == 3)
    #expect(shelf.takeAll() == [1, 0])
    #expect(view.map { $0 as? Int } == [1, 2, 3])
    #expect(shelf.takeAll()[0] <= 5)
  }

  @Test("COL.1: a walk reads the property once, and is over the elements as they were")
  func walking() {
    var seen: [Int?] = []
    for element in shelf.mutableArray(forKey: "items") {
      seen.append(element as? Int)
      shelf.items.removeAll()
    }
    #expect(seen == [1, 2, 3])
    #expect(shelf.takeAll() == [1, 0])
  }

  @Test("COL.1: a walk yields nil elements, and nothing of what is nil")
  func walkingOverNil() {
    let shelf = ShopShelf()
    var seen: [String?] = []
    for element in shelf.mutableArray(forKey: "gaps") { seen.append(element as? String) }
    #expect(seen == ["a", nil])
    for element in shelf.mutableArray(forKey: "maybe") { Issue.record("\(String(describing: element))") }
  }

  @Test("COL.2: each edit reads the property once, and sets it once")
  func edits() throws {
    let view = shelf.mutableArray(forKey: "items")
    let edits: [() throws -> Void] = [
      { try view.append(4) }, { try view.append(contentsOf: [5, 6]) }, { try view.insert(0, at: 0) },
      { try view.insert([8, 9], at: [1, 5]) }, { try view.remove(at: [0, 2, 3]) },
      { try view.replace(at: [0, 2], with: [7, 7]) }, { try view.removeAll() },
    ]
    for edit in edits {
      try edit()
      #expect(shelf.takeAll() == [1, 1])
    }
    #expect(shelf.items == [])
  }

  @Test("COL.2: where the table gives functions an edit reads the property once, and does not set it")
  func editsByFunctions() throws {
    let view = shelf.mutableArray(forKey: "kept")
    for number in 0..<10 { try view.append(number) }
    try view.remove(at: 0)
    try view.replace(at: 0, with: 7)
    #expect(shelf.takeAll() == [12, 0])
    try view.removeAll()
    #expect(shelf.takeAll() == [1, 0])
  }

  @Test("COL.2: edits of sets and ordered sets read the property once")
  func sets() throws {
    let set = shelf.mutableSet(forKey: "marks")
    for edit in [{ try set.add(3) }, { try set.remove(1) }, { try set.set([7, 8]) }, { try set.removeAll() }] {
      try edit()
      #expect(shelf.takeAll() == [1, 1])
    }
    // Members that are converted, or are not there.
    try set.add(4.0)
    #expect(shelf.takeAll() == [1, 1])
    for edit in [{ try set.add(4) }, { try set.remove(9) }, { try set.remove("x") }] {
      try edit()
      #expect(shelf.takeAll() == [1, 0])
    }
    #expect(shelf.marks == [4])
    let ordered = shelf.mutableOrderedSet(forKey: "items")
    let edits: [() throws -> Void] = [
      { try ordered.append(4) }, { try ordered.append(contentsOf: [4, 5]) }, { try ordered.insert(6, at: 0) },
      { try ordered.remove(6) }, { try ordered.replace(at: 0, with: 9) },
    ]
    for edit in edits {
      try edit()
      #expect(shelf.takeAll() == [1, 1])
    }
    try ordered.append(9)
    #expect(shelf.takeAll() == [1, 0])
  }
}
