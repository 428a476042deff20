import KVCore
import Testing

@Suite("COL live views of ordered sets")
struct MutableOrderedSetTests {
  private let shelf = ShopShelf()

  @Test("COL.1: an ordered set holds each element once, in order (P15)", arguments: ["plain", "single", "bulk"])
  func edits(_ key: String) throws {
    let view = shelf.mutableOrderedSet(forKey: key)
    func rows() throws -> [String]? { try view.elements() as? [String] }
    #expect(try view.append("d"))
    #expect(try !view.append("a"))
    #expect(try rows() == ["a", "b", "c", "d"])
    try view.remove(at: 0)
    #expect(try rows() == ["b", "c", "d"])
    #expect(try view.insert("x", at: 1))
    #expect(try !view.insert("x", at: 0))
    #expect(try rows() == ["b", "x", "c", "d"])
    try view.append(contentsOf: ["y", "b", "y", "z"])
    #expect(try rows() == ["b", "x", "c", "d", "y", "z"])
    #expect(try view.remove("x"))
    #expect(try !view.remove("x"))
    #expect(try rows() == ["b", "c", "d", "y", "z"])
    try view.replace(at: 0, with: "B")
    try view.replace(at: 0, with: "B")
    #expect(try rows() == ["B", "c", "d", "y", "z"])
    #expect(failureCode { () throws(KVError) in try view.replace(at: 0, with: "z") } == .unsupported)
    #expect(failureCode { () throws(KVError) in try view.remove(at: 9) } == .indexOutOfRange)
    #expect(failureCode { () throws(KVError) in _ = try view.insert("q", at: 9) } == .indexOutOfRange)
    #expect(try view.contains("B"))
    #expect(try view.index(of: "d") == 2)
    #expect(try view.index(of: "nope") == nil)
    #expect(try rows() == ["B", "c", "d", "y", "z"])
  }

  @Test("COL.2: several elements are added in one operation")
  func bulk() throws {
    try shelf.mutableOrderedSet(forKey: "bulk").append(contentsOf: ["x", "a", "y"])
    #expect(shelf.calls == ["insert [\"x\", \"y\"] at [3, 4]"])
  }

  @Test("COL.1: elements are made to fit first: one that is there already in another form is not added")
  func coercion() throws {
    let shelf = CountingShelf([5])
    let view = shelf.mutableOrderedSet(forKey: "items")
    #expect(try !view.append(5.5))
    #expect(try !view.insert(5.9, at: 0))
    #expect(shelf.items == [5])
    try view.append(contentsOf: [6.1, 6.9, 5.2])
    #expect(shelf.items == [5, 6])
    #expect(failureCode { () throws(KVError) in try view.replace(at: 0, with: 6.5) } == .unsupported)
    try view.replace(at: 1, with: 6.5)
    #expect(shelf.items == [5, 6])
    #expect(failureCode { () throws(KVError) in _ = try view.append("x") } == .typeMismatch)
  }

  @Test("COL.1: views of key paths are live")
  func keyPaths() throws {
    let view = try shelf.mutableOrderedSet(forKeyPath: "below.plain")
    shelf.below = ShopShelf()
    try view.append("a")
    try view.append("d")
    #expect(shelf.below?.plain == ["a", "b", "c", "d"])
  }
}
