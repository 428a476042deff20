import KVCore
import Testing

@testable import KVControllers

@Suite("UND selections of trees")
struct UndoTreeSelectionTests {
  /// The folders a(b c(d e)) and f.
  private let tree = sampleTree()
  private let undo = KVUndoManager()

  init() throws {
    for node in [[0], [0, 1], [1]] as [KVIndexPath] {
      let folder = try #require(tree.arrangedObjects.descendant(at: node)?.representedObject)
      try undo.record(folder, keys: ["folders", "name"])
    }
    undo.restoresSelection(of: tree)
  }

  @Test("UND.13: undo selects the nodes of a tree that were selected before the step, redo those after it")
  func removal() throws {
    tree.avoidsEmptySelection = true
    tree.selectionIndexPaths = [[0, 1, 0], [0, 1, 1]]
    #expect(undo.undoCount == 0, "selecting alone is no step")
    try tree.remove()
    #expect(tree.selectedText == "c" && tree.text == "(a(b c) f)" && undo.undoCount == 1)
    tree.selectionIndexPath = [1]
    try undo.undo()
    #expect(tree.selectedText == "d e" && tree.selectionIndexPaths == [[0, 1, 0], [0, 1, 1]])
    tree.selectionIndexPath = [1]
    try undo.redo()
    #expect(tree.selectedText == "c" && undo.undoCount == 1)
    try undo.undo()
    #expect(tree.selectedText == "d e")
  }

  @Test("UND.13: a selected node below a removed one is selected again, whose parent's children are not read by then")
  func below() throws {
    tree.selectionIndexPath = [0, 1, 1]
    try tree.remove(at: [[0, 1]])
    #expect(tree.selectedNodes.isEmpty)
    try undo.undo()
    #expect(tree.selectionIndexPaths == [[0, 1, 1]] && tree.selectedText == "e")
    try undo.redo()
    #expect(tree.selectedNodes.isEmpty)
  }

  @Test("UND.13: the same for moves, insertions and changes of the model, groups and steps that change paths only")
  func steps() throws {
    tree.selectionIndexPath = [0, 1]
    try tree.move([[0, 1]], to: [1, 0])
    #expect(tree.selectionIndexPath == [1, 0])
    tree.selectionIndexPath = [0]
    try undo.undo()
    #expect(tree.text == "(a(b c(d e)) f)" && tree.selectedText == "c" && tree.selectionIndexPath == [0, 1])
    tree.selectionIndexPath = [0, 1, 0]
    tree.content[0].folders.insert(TreeFolder("x"), at: 0)
    #expect(tree.selectionIndexPath == [0, 2, 0])
    tree.selectionIndexPath = [1]
    try undo.undo()
    #expect(tree.selectionIndexPath == [0, 1, 0])
    tree.selectionIndexPath = [1]
    try undo.redo()
    #expect(tree.selectionIndexPath == [0, 2, 0])
    undo.group("Both") {
      tree.selectionIndexPath = [1]
      tree.content[1].name = "F"
      tree.selectionIndexPath = [0]
    }
    tree.selectionIndexPath = nil
    try undo.undo()
    #expect(tree.selectionIndexPath == [0, 2, 0])
    try undo.redo()
    #expect(tree.selectedText == "a")
  }

  @Test("UND.13: of an object at several places of a tree, the node at the saved path is selected")
  func places() throws {
    let shared = TreeFolder("s")
    undo.withoutRecording {
      tree.content[0].folders.append(shared)
      tree.content[1].folders.append(shared)
    }
    tree.selectionIndexPath = [1, 0]
    try tree.remove()
    try undo.undo()
    #expect(tree.selectionIndexPaths == [[1, 0]])
    tree.selectionIndexPath = [0, 2]
    tree.content[0].name = "A"
    tree.selectionIndexPath = [1, 0]
    try undo.undo()
    #expect(tree.selectionIndexPaths == [[0, 2]])
  }

  @Test("UND.13: an object at another path is selected where it has been read; if none is there, the selection stays")
  func elsewhere() throws {
    tree.selectionIndexPaths = [[0, 1, 0], [1]]
    tree.content[0].name = "A"
    tree.sortDescriptors = [.descending("name")]
    tree.selectionIndexPaths = []
    try undo.undo()
    #expect(tree.selectedText == "f d" && tree.selectionIndexPaths == [[0], [1, 0, 1]])
    tree.content = [TreeFolder("z")]
    tree.selectionIndexPath = [0]
    try undo.redo()
    #expect(tree.selectedText == "z")
  }

  @Test("UND.7, UND.13: an undo that fails selects in a tree what was selected before the call")
  func failing() throws {
    struct Failure: Error {}
    tree.selectionIndexPath = [0]
    let folder = tree.content[0]
    undo.group {
      undo.register(folder, undo: { _ in throw Failure() }, redo: { _ in })
      folder.folders.remove(at: 1)
    }
    tree.selectionIndexPath = [0, 0]
    #expect(throws: KVError.self) { try undo.undo() }
    #expect(tree.selectionIndexPath == [0, 0] && tree.text == "(a(b) f)")
  }

  @Test("UND.12, UND.13: neither a tree nor what is selected in it is retained; it can be stopped")
  func lifetimes() throws {
    weak var gone: KVTreeController<TreeFolder>?
    weak var folder: TreeFolder?
    do {
      let other = sampleTree()
      (gone, folder) = (other, other.content[0])
      undo.restoresSelection(of: other)
      other.selectionIndexPath = [0]
      tree.content[0].name = "A"
    }
    #expect(gone == nil && folder == nil)
    try undo.undo()
    #expect(tree.content[0].name == "a")
    tree.selectionIndexPath = [0]
    undo.stopRecording(tree)
    tree.content[0].name = "A"
    tree.selectionIndexPath = [1]
    try undo.undo()
    #expect(tree.selectedText == "f")
  }

  @Test("UND.13, UND.15: steps between which the selection of a tree does not change share it")
  func shared() throws {
    tree.selectionIndexPaths = [[0, 0], [1]]
    for number in 1...3 { tree.content[1].name = "f\(number)" }
    let saved = undo.history.done.flatMap(\.selections)
    #expect(saved.count == 3)
    #expect(Set(saved.flatMap { [ObjectIdentifier($0.before), ObjectIdentifier($0.after)] }).count == 1)
    var count = 0
    let token = try tree.observe("selectionIndexPaths") { _ in count += 1 }
    while try undo.undo() {}
    #expect(count == 0 && tree.selectionIndexPaths == [[0, 0], [1]])
    token.cancel()
  }
}
