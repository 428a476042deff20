import KVControllers
import KVCore
import TestModels
import Testing

@Suite("UND key paths")
struct UndoPathTests {
  private let root = UndoPart("root", UndoPart("a", UndoPart("b")), UndoPart("c"))
  private let undo = KVUndoManager()

  private func isRecorded(_ object: some KVObservable) -> Bool { !KVDiagnostics.observations(of: object).isEmpty }

  @Test("UND.1: a path of keys records the key of each object that it leads through")
  func objects() throws {
    try undo.record(root, keys: ["cover.cover.name", "style.color"])
    root.style.color = "red"
    let (first, second) = (UndoPart("1", UndoPart("below")), UndoPart("2"))
    root.cover = first
    first.name = "not recorded"
    first.cover = second
    second.name = "B"
    second.parts = [UndoPart()]
    #expect(undo.undoCount == 4)
    root.cover = nil
    #expect(!isRecorded(first) && !isRecorded(second))
    while try undo.undo() {}
    #expect(root.cover == nil && first.cover == nil && second.name == "2" && root.style.color == "black")
    while try undo.redo() {}
    #expect(root.cover == nil && first.cover === second && second.name == "B" && first.name == "not recorded")
  }

  @Test("UND.1: a path into a value records the key of the object that has the value")
  func values() throws {
    try undo.record(root, keys: ["layout.margin", "layout.header.name", "pages.intro.name"])
    root.layout.margin = 3
    let (header, page) = (UndoPart("header"), UndoPart("page"))
    root.layout.header = header
    header.name = "H"
    root.pages = ["intro": page, "other": header]
    page.name = "P"
    header.parts = [UndoPart()]
    #expect(undo.undoCount == 5)
    root.layout.header = nil
    #expect(!isRecorded(header) && isRecorded(page))
    while try undo.undo() {}
    #expect(root.layout == UndoLayout() && root.pages.isEmpty && header.name == "header" && page.name == "page")
  }

  @Test("UND.1: a path through a collection records each element; recordElements takes the path of the collection")
  func elements() throws {
    try undo.recordElements(of: "parts.parts", in: root, keys: ["name", "layout.margin"])
    let a = root.parts[0]
    a.name = "not recorded"
    a.parts[0].name = "B"
    a.parts[0].layout.margin = 2
    let added = UndoPart("d")
    try a.list.append(added)
    added.name = "D"
    try root.list.insert(UndoPart("e", UndoPart("f")), at: 0)
    root.parts[0].parts[0].name = "F"
    #expect(undo.undoCount == 6)
    try root.list.remove(at: 1)
    #expect(!isRecorded(a) && !isRecorded(added))
    while try undo.undo() {}
    #expect(root.parts.map(\.name) == ["not recorded", "c"] && a.parts.map(\.name) == ["b"] && added.name == "d")
    undo.stopRecording(root)
    try undo.record(root, keys: ["parts.parts.name"])
    a.parts[0].name = "B"
    #expect(undo.undoCount == 1)
  }

  @Test("UND.2: what a path does not find is refused, or reported if it comes later")
  func undefined() throws {
    for (path, code) in [
      ("layout.margn", KVError.Code.undefinedKey), ("cover.nmae", .undefinedKey), ("parts.parts.nmae", .undefinedKey),
      ("style.color.x", .undefinedKey), ("cover.style", .notSettable), ("prats.name", .undefinedKey),
    ] {
      root.cover = UndoPart()
      let error = #expect(throws: KVError.self) { try undo.record(root, keys: ["name", path]) }
      #expect(error?.code == code, "\(path)")
    }
    root.cover = nil
    #expect(!isRecorded(root) && !isRecorded(root.parts[0]) && !isRecorded(root.style))
    try undo.record(root, keys: ["cover.nmae"])
    let events = capturingEvents { root.cover = UndoPart() }.about(root)
    #expect(events.map(\.topic) == [.undo] && events[0].message.contains("\"nmae\""))
    for path in ["parts.name", "cover"] {
      root.cover = UndoPart()
      let none = #expect(throws: KVError.self) { try undo.recordElements(of: path, in: root) }
      #expect(none?.code == .unsupported)
    }
    let none = #expect(throws: KVError.self) { try undo.recordElements(of: "parts.name", in: root) }
    #expect(
      none?.message
        == "\"name\" of UndoPart is not a collection, and has no elements. Record it by record(_:keys:).")
  }
}
