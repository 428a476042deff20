import KVCore
import Testing

@Suite("TAB count and element accessors")
struct CountedTests {
  private final class Grid: KVObject {
    var made = 0
    var size = 3
    var added: [String] = []

    func row(_ index: Int) -> ShopItem {
      made += 1
      return ShopItem("row \(index)")
    }
    var rows: [ShopItem] { (0..<size).map { row($0) } }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Grid.self) { key in
        key("rows") { $0.rows }.counted(by: { $0.size }, element: { $0.row($1) })
        key("plain") { $0.rows }
        key("edited", { $0.rows }, set: { $0.size = $1.count }).counted(by: { $0.size }, element: { $0.row($1) })
      }
    }
  }

  private struct Sheet: KeyValueCoding {
    var size = 2
    static var keyTable: KVTable {
      KVTable(Sheet.self) { key in
        key("cells") { (0..<$0.size).map { $0 * 10 } }.counted(by: { $0.size }, element: { $1 * 10 })
      }
    }
  }

  private let grid = Grid()

  @Test("TAB.10: a view counts and reads one element without reading the collection")
  func views() throws {
    let view = grid.mutableArray(forKey: "rows")
    #expect(view.count == 3)
    #expect(grid.made == 0)
    #expect((view[1] as? ShopItem)?.name == "row 1")
    #expect(grid.made == 1)
    #expect(throws: KVError.self) { try view.element(at: 3) }
    #expect(grid.made == 1)
    #expect(try view.elements().count == 3)
    #expect(grid.made == 4)
    #expect(view.map { ($0 as? ShopItem)?.name ?? "" } == ["row 0", "row 1", "row 2"])
    #expect(grid.made == 7)
    #expect(grid.mutableArray(forKey: "plain").count == 3)
    #expect(grid.made == 10, "without them the collection is read")
  }

  @Test("TAB.10: paths do the same for an index, the count, and the ends")
  func paths() throws {
    #expect(try grid.value(forKeyPath: "rows.@count") as? Int == 3)
    #expect(grid.made == 0)
    #expect(try grid.value(forKeyPath: "rows[2].name") as? String == "row 2")
    #expect(try grid.value(forKeyPath: "rows.@firstObject.name", as: String.self) == "row 0")
    #expect(try grid.value(forKeyPath: "rows.@lastObject.name") as? String == "row 2")
    #expect(grid.made == 3)
    let error = #expect(throws: KVError.self) { try grid.value(forKeyPath: "rows[3]") }
    #expect(error?.code == .indexOutOfRange)
    #expect(grid.made == 3)
    #expect(try grid.value(forKeyPath: "rows.name") as? [String] == ["row 0", "row 1", "row 2"])
    #expect(try grid.value(forKey: "rows") is [ShopItem])
    #expect(try grid.value(forKeyPath: "rows.@self") is [ShopItem])
    grid.size = 0
    #expect(try grid.value(forKeyPath: "rows.@lastObject") == nil)
    #expect(try Sheet().value(forKeyPath: "cells[1]") as? Int == 10)
    #expect(try KVC.value(of: Sheet(), forKeyPath: "cells.@count") as? Int == 2)
  }

  @Test("TAB.10: an edit takes the whole collection")
  func editing() throws {
    try grid.mutableArray(forKey: "edited").append(ShopItem())
    #expect(grid.size == 4)
    try grid.mutableArray(forKey: "edited").remove(at: [0, 1])
    #expect(grid.size == 2)
    #expect(throws: KVError.self) { try grid.mutableArray(forKey: "rows").append(ShopItem()) }
  }

  @Test("COL.1, TAB.10: an iteration has the elements of its beginning, even if the collection shrinks meanwhile")
  func shrinking() {
    var names: [String?] = []
    for element in grid.mutableArray(forKey: "rows") {
      grid.size = 0
      names.append((element as? ShopItem)?.name)
    }
    #expect(names == ["row 0", "row 1", "row 2"])
  }
}
