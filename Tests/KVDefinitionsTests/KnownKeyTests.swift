import KVBinding
import KVControllers
import KVCore
import KVDefinitions
import KVDocuments
import Testing

@Suite("KVC.18: the keys that errors list")
struct KnownKeyTests {
  private final class Songs: KVArrayController<KVRecord> {}

  private final class Screen: KVObject {
    var title = ""
    var document: KVDocument?
    var node = KVNode()
    @KVProperty var isOpen = false

    var token: KVObservation?
    var tokens: [KVObservation] = []
    var tokensByKey: [String: [KVObservation]] = [:]
    var bindings: Set<KVPathBinding> = []
    var songs = Songs()
    var undo = KVUndoManager()
    var price = KVTransformer.isNil
    var set: KVBindingSet?
    @KVProperty var editor: KVBindingDocument?
    var row: Any = KVEditableBindingDefinition()
  }

  @Test("KVC.18: known keys do not list what observes, binds or transforms, of any library; a document is data")
  func plumbing() {
    let error = #expect(throws: KVError.self) { try Screen().value(forKey: "nothing") }
    #expect(error?.knownKeys == ["document", "isOpen", "node", "title"])
    #expect(throws: Never.self) { try Screen().value(forKey: "songs") }
  }
}
