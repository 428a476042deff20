import Foundation
import KVBinding
import KVCore
import TestModels
import Testing

// The code of Docs/Compatibility.md, "Accessors that are called directly", between the two lines of dashes.
// -----
final class Pantry: KVObject {
  private(set) var items: [String] = []

  func insertObject(_ item: String, inItemsAtIndex index: Int) {
    edit(.insertion, at: [index]) { $0.insert(item, at: index) }
  }

  func removeObjectFromItems(at index: Int) {
    edit(.removal, at: [index]) { $0.remove(at: index) }
  }

  func replaceObjectInItems(at index: Int, with item: String) {
    edit(.replacement, at: [index]) { $0[index] = item }
  }

  func setItems(_ items: [String]) {
    withChange(forKey: "items") { self.items = items }
  }

  /// Makes a change of the items, and notifies of it.
  private func edit(_ kind: KVChange.Kind, at indexes: [Int], _ body: (inout [String]) -> Void) {
    withChange(kind, at: indexes, forKey: "items") { body(&items) }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Pantry.self) { key in
      key("items", { $0.items }, set: { $0.setItems($1) })
        .indexed(
          insert: { $0.insertObject($1, inItemsAtIndex: $2) }, remove: { $0.removeObjectFromItems(at: $1) },
          replace: { $0.replaceObjectInItems(at: $1, with: $2) }
        )
        .notifiesManually()
    }
  }
}
// -----

@Suite("Docs/Compatibility.md: accessors that are called directly")
struct DirectAccessorTests {
  private let pantry = Pantry()
  private let log = ChangeLines()

  @Test("COL.2, KVO.15: an accessor notifies once, whether it is called directly or by a view")
  func once() throws {
    let token = try log.watch(pantry, "items")
    let view = pantry.mutableArray(forKey: "items")
    pantry.insertObject("tea", inItemsAtIndex: 0)
    try view.insert("milk", at: 0)
    pantry.replaceObjectInItems(at: 0, with: "cups")
    try view.replace(at: 0, with: "pots")
    pantry.removeObjectFromItems(at: 1)
    try view.remove(at: 0)
    pantry.setItems(["a"])
    try pantry.setValue(["b"], forKey: "items")
    try view.set(["c"])
    #expect(
      log.take() == [
        "items insertion at [0] nil → [tea]", "items insertion at [0] nil → [milk]",
        "items replacement at [0] [milk] → [cups]", "items replacement at [0] [cups] → [pots]",
        "items removal at [1] [tea] → nil", "items removal at [0] [pots] → nil",
        "items setting [] → [a]", "items setting [a] → [b]", "items setting [b] → [c]",
      ])
    try view.append(contentsOf: ["d", "e"])
    #expect(log.lines == ["items insertion at [1] nil → [d]", "items insertion at [2] nil → [e]"])
    #expect(pantry.items == ["c", "d", "e"])
    token.cancel()
  }

  @Test("COL.2: the document has the code that this suite runs")
  func document() throws {
    let here = URL(filePath: #filePath)
    let file = here.deletingLastPathComponent().appending(path: "../../../Docs/Compatibility.md").standardized
    let code = try String(contentsOf: here, encoding: .utf8).components(separatedBy: "// -----\n")[1]
    #expect(try String(contentsOf: file, encoding: .utf8).contains("```swift\n\(code)```"))
  }
}
