import KVControllers
import Testing

private class LibraryController: KVArrayController<KVRecord> {
  var shelf = "north"
}

@Suite("What controllers and undo managers store is no data")
struct ControllerStorageTests {
  @Test("TAB.5: only their keys can be read, are listed and named; a subclass has properties")
  func storage() throws {
    let library = LibraryController()
    let names = Set(try KVC.keys(of: library).map(\.name))
    #expect(names.isSuperset(of: ["arrangedObjects", "selection", "shelf"]))
    #expect(names.isDisjoint(with: ["model", "arrangement", "depth"]))
    #expect(try library.value(forKey: "shelf") as? String == "north")
    for (object, stored) in [(library, "model"), (KVUndoManager(), "groups")] as [(any KVObservable, String)] {
      let error = #expect(throws: KVError.self) { try KVC.value(of: object, forKeyPath: stored) }
      #expect(error?.code == .undefinedKey)
    }
    let error = #expect(throws: KVError.self) { try KVUndoManager().value(forKey: "steps") }
    #expect(
      error?.message == """
        undefined key "steps" of KVUndoManager. Known keys: canRedo, canUndo, hasUnsavedChanges, redoCount, \
        redoMenuTitle, redoName, undoCount, undoMenuTitle, undoName.
        """)
  }

  @Test(
    "KVC.18: a text that is set where a predicate or a descriptor is wanted: the error says what makes one of it",
    arguments: [
      ("filterPredicate", "year > 3", "is not a KVPredicate: make one of it by KVPredicate(format:)"),
      ("sortDescriptors", "year", "is not an Array<KVSortDescriptor>: make one of it by [KVSortDescriptor(_:)]"),
      ("sortDescriptors", ["year"], "is not a KVSortDescriptor: make one of it by KVSortDescriptor(_:)"),
    ] as [(String, any Sendable, String)])
  func texts(key: String, value: any Sendable, sentence: String) {
    let error = #expect(throws: KVError.self) { try KVArrayController<KVRecord>().setValue(value, forKey: key) }
    #expect(error?.code == .typeMismatch && error?.message.contains(sentence) == true)
  }
}
