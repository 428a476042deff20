import KVCore
import Testing

@Suite("COL.1: slices of live views")
struct ViewSliceTests {
  @Test("COL.1: a slice has the elements of its moment, with their indexes, and does not follow the view")
  func values() throws {
    let shelf = ShopShelf()
    let view = shelf.mutableArray(forKey: "plain")
    try view.set(["a", "b", "c", "d"])
    let slice = view[1..<3]
    try view.set(["x"])
    #expect(slice.startIndex == 1 && slice.map { $0 as? String } == ["b", "c"])
    #expect(view[0..<0].isEmpty && view[1..<1].isEmpty)
  }

  @Test("COL.1: setting a range replaces its elements")
  func setting() throws {
    let shelf = ShopShelf()
    let view = shelf.mutableArray(forKey: "plain")
    try view.set(["a", "b", "c", "d"])
    view[1..<4].reverse()
    #expect(try view.elements().map { $0 as? String } == ["a", "d", "c", "b"])
    #expect(view.dropFirst(2).map { $0 as? String } == ["c", "b"])
  }
}
