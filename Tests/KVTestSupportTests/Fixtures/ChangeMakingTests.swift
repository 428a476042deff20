import KVTestSupport
import Testing

/// Records made by hand look like those of an observation.
struct ChangeMakingTests {
  @Test("TST.3: a record that is made by hand is as the one that is delivered, of every kind")
  func makers() throws {
    let shelf = KVFixtures.Shelf()
    var changes: [KVChange] = []
    let tokens = try ["books", "labels"].map { try shelf.observe($0) { changes.append($0) } }
    let books = shelf.mutableArray(forKey: "books")
    try books.insert(["c", "d"], at: [0, 3])
    try books.remove(at: 0)
    try books.replace(at: 1, with: "e")
    try shelf.setValue(["f"], forKey: "books")
    try shelf.mutableSet(forKey: "labels").add("old")
    let made: [KVChange] = [
      .insertion(shelf, "books", of: ["c", "d"], at: [0, 3]), .removal(shelf, "books", of: ["c"], at: [0]),
      .replacement(shelf, "books", of: ["b"], by: ["e"], at: [1]),
      .setting(shelf, "books", ["a", "e", "d"], ["f"]), .insertion(shelf, "labels", of: ["old"]),
    ]
    #expect(changes.map(\.description) == made.map(\.description))
    #expect(made.map(\.indexes) == changes.map(\.indexes))
    #expect(made.allSatisfy { $0.object === shelf && !$0.isPrior && !$0.isInitial })
    withExtendedLifetime(tokens) {}
  }
}
