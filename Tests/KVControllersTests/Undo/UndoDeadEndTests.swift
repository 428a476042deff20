import KVControllers
import KVCore
import TestModels
import Testing

/// Relationships that lead to no objects (UND.16).
@Suite("UND relationships that lead nowhere")
struct UndoDeadEndTests {
  /// A value without a table.
  private struct Frame: Equatable {
    var width = 0
  }

  /// An object whose keys have the names of relationships, and lead to texts and values.
  private final class Crate: KVObject {
    @KVProperty var label = ""
    @KVProperty var tags: [String] = []
    @KVProperty var frame: Frame?
    @KVProperty var content: Any?
    @KVProperty var items: [Any] = []
    @KVProperty var parts: [UndoPart] = []
    /// That of a part is a part.
    @KVProperty var cover = "text"
    @KVProperty var crates: [Crate] = []

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Crate.self) { key in
        key("label", \.label)
        key("tags", \.tags)
        key("frame", \.frame)
        key("content", \.content)
        key("items", \.items)
        key("parts", \.parts)
        key("cover", \.cover)
        key("crates", \.crates)
      }
    }
  }

  private let undo = KVUndoManager()
  private let crate = Crate()

  @Test(
    "UND.16: a relationship that leads to no objects by its type is refused, and nothing is recorded",
    arguments: [("label", "String"), ("tags", "Array<String>"), ("frame", "Optional<Frame>"), ("cover", "String")])
  func types(name: String, type: String) throws {
    let error = #expect(throws: KVError.self) { try undo.record(tree: crate, relationships: ["parts", name]) }
    #expect(error?.code == .unsupported)
    #expect(
      error?.message == """
        the relationship "\(name)" leads to no objects: the "\(name)" of a Crate is \(type.first == "S" ? "a" : "an") \
        \(type). Leave it out: the key is recorded without that.
        """)
    #expect(KVDiagnostics.observations(of: crate).isEmpty)
    crate.label = "1"
    #expect(!undo.canUndo)
  }

  @Test("UND.16: so is one of an object that the tree leads to; one whose value shows it is reported")
  func values() throws {
    crate.crates = [Crate()]
    crate.crates[0].frame = Frame()
    expect(.unsupported) { try undo.record(tree: crate, relationships: ["crates", "frame"]) }
    #expect(KVDiagnostics.observations(of: crate).isEmpty)
    crate.content = 3
    crate.items = ["text"]
    for name in ["content", "items"] {
      let events = try capturingEvents { try undo.record(tree: crate, relationships: ["parts", name]) }.about(crate)
      #expect(events.count == 1 && events[0].message.contains("\"\(name)\" leads to no objects"))
    }
  }

  @Test("UND.16: a relationship that leads to objects somewhere may be a text elsewhere, which is recorded as a key")
  func elsewhere() throws {
    crate.parts = [UndoPart("a")]
    let events = try capturingEvents {
      try undo.record(tree: crate, relationships: ["parts", "cover", "items"])
      crate.items = [1, UndoPart("b")]
      crate.cover = "other"
    }
    #expect(events.about(crate).isEmpty)
    let part = UndoPart("c")
    crate.parts[0].cover = part
    part.name = "C"
    #expect(undo.undoCount == 4)
    while try undo.undo() {}
    #expect(crate.cover == "text" && part.name == "c" && crate.items.isEmpty)
  }

  @Test("UND.16: a value that leads to no objects is reported when it appears, once for each type and key")
  func later() throws {
    let other = Crate()
    crate.crates = [other]
    try undo.record(tree: crate, relationships: ["crates", "content", "items"])
    let events = try capturingEvents {
      crate.content = "text"
      crate.content = 4
      other.content = 5
      try crate.mutableArray(forKey: "items").append("one")
    }
    let messages = (events.about(crate) + events.about(other)).map(\.message)
    try #require(messages.count == 2)
    #expect(messages[0].contains("\"content\" leads to no objects: the \"content\" of a Crate is a String."))
    #expect(messages[1].contains("\"items\" leads to no objects: the \"items\" of a Crate is a String."))
    // The changes are recorded.
    #expect(undo.undoCount == 4)
    crate.content = UndoPart("a")
    #expect(capturingEvents { crate.content = "text" }.about(crate).isEmpty)
  }
}
