import KVTestSupport
import Testing

/// `KVFixtures.Shelf`: which accessor is called for what.
struct ShelfTests {
  private let shelf = KVFixtures.Shelf()

  @Test("TST.3: views of the array call the accessors, one call an element, and report the kind")
  func books() throws {
    var received: [String] = []
    let token = try shelf.observe("books") { received.append("\($0)") }
    let books = shelf.mutableArray(forKey: "books")
    try books.append("c")
    try books.insert(["x", "y"], at: [0, 2])
    #expect(shelf.books == ["x", "a", "y", "b", "c"])
    try books.remove(at: [0, 2])
    try books.replace(at: 0, with: "z")
    try shelf.setValue(["k"], forKey: "books")
    #expect(shelf.books == ["k"])
    #expect(
      shelf.takeCalls() == [
        "insert c at 2", "insert x at 0", "insert y at 2", "remove at 2", "remove at 0", "replace at 0 by z", "set [k]",
      ])
    #expect(shelf.takeCalls() == [])
    #expect(
      received == [
        "books: insertion at 2 nil → [\"c\"]", "books: insertion at 0, 2 nil → [\"x\", \"y\"]",
        "books: removal at 0, 2 [\"x\", \"y\"] → nil", "books: replacement at 0 [\"a\"] → [\"z\"]",
        "books: setting [\"z\", \"b\", \"c\"] → [\"k\"]",
      ])
    withExtendedLifetime(token) {}
  }

  @Test("TST.3: views of the set call the accessors, and report the kind")
  func labels() throws {
    var received: [KVChange.Kind] = []
    let token = try shelf.observe("labels") { received.append($0.kind) }
    let labels = shelf.mutableSet(forKey: "labels")
    try labels.formUnion(["old", "new", "big"])
    try labels.remove("new")
    try labels.remove("not there")
    try shelf.setValue(Set(["red", "blue"]), forKey: "labels")
    #expect(shelf.labels == ["red", "blue"])
    #expect(shelf.takeCalls() == ["add [big, old]", "remove [new]", "set [blue, red]"])
    #expect(received == [.insertion, .removal, .setting])
    withExtendedLifetime(token) {}
  }
}
