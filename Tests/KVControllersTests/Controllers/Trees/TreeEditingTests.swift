import KVControllers
import KVCore
import TestModels
import Testing

@Suite struct TreeEditingTests {
  private let tree = sampleTree()

  private func code(_ body: () throws -> Void) -> KVError.Code? {
    do { try body() } catch { return (error as? KVError)?.code }
    return nil
  }

  @Test("TRC.4: objects are inserted in the model at index paths, and selected")
  func inserting() throws {
    try tree.insert(TreeFolder("x"), at: [0, 1])
    #expect(
      tree.content[0].text == "a(b x c(d e))" && tree.text == "(a(b x c(d e)) f)" && tree.selectionIndexPath == [0, 1])
    try tree.insert(
      contentsOf: [TreeFolder("1"), TreeFolder("2"), TreeFolder("3"), TreeFolder("4")],
      at: [[0, 1], [2], [0, 1], [0, 0]])
    #expect(tree.text == "(a(4 b 1 3 x c(d e)) f 2)")
    #expect(
      tree.selectionIndexPaths == [[0, 0], [0, 2], [0, 3], [2]] && tree.content.map(\.name) == ["a", "f", "2"])
    tree.selectsInsertedObjects = false
    try tree.insert(TreeFolder("5"), at: [1, 0])
    #expect(tree.text == "(a(4 b 1 3 x c(d e)) f(5) 2)" && tree.selectedText == "4 1 3 2")
  }

  @Test("TRC.4: an object is not moved into itself by another of its places", arguments: [false, true])
  func movingIntoOtherPlace(readsAll: Bool) throws {
    let shared = TreeFolder("c")
    let tree = KVTreeController<TreeFolder>(childrenKeyPath: "folders")
    tree.content = [TreeFolder("a", [shared]), shared]
    if readsAll { #expect(tree.text == "(a(c) c)") }
    #expect(code { try tree.move([[0, 0]], to: [1, 0]) } == .invalidValue)
    #expect(code { try tree.move([[1]], to: [0, 0, 0]) } == .invalidValue)
    #expect(tree.text == "(a(c) c)" && shared.folders.isEmpty)
  }

  @Test("TRC.4, CTR.5: a call that throws selects nothing where nothing was selected")
  func nothingSelectedAfterFailure() throws {
    let (stubborn, other) = (RefusingFolder(refuses: true), RefusingFolder(refuses: false))
    let tree = KVTreeController<RefusingFolder>(childrenKeyPath: "folders")
    tree.content = [other, stubborn]
    _ = tree.arrangedObjects.childNodes.map(\.childNodes)
    tree.selectionIndexPaths = []
    var notified = 0
    let token = try tree.observe("selectionIndexPaths", options: []) { _ in notified += 1 }
    #expect(throws: KVError.self) { try tree.move([[0]], to: [1, 0]) }
    #expect(throws: KVError.self) {
      try tree.insert(contentsOf: [RefusingFolder(refuses: false), other], at: [[0], [1, 0]])
    }
    #expect(
      tree.content.elementsEqual([other, stubborn], by: ===) && tree.selectionIndexPaths.isEmpty && notified == 0)
    token.cancel()
  }

  @Test(
    "TRC.3, CTR.7: the descriptors that a handler assigns while levels are sorted sort all levels",
    arguments: [[], [0], [1]] as [KVIndexPath], [false, true])
  func sortingInHandler(level: KVIndexPath, isPrior: Bool) throws {
    for (descriptors, text) in [([], "(a(x y) b(p q))"), ([.ascending("name")], "(a(x y) b(p q))")]
      as [([KVSortDescriptor], String)]
    {
      let tree = KVTreeController<TreeFolder>(childrenKeyPath: "folders")
      tree.content = [
        TreeFolder("a", [TreeFolder("x"), TreeFolder("y")]), TreeFolder("b", [TreeFolder("p"), TreeFolder("q")]),
      ]
      #expect(tree.text == text)
      let node = try #require(tree.arrangedObjects.descendant(at: level))
      var isDone = false
      let token = try node.observe("childNodes", options: isPrior ? [.prior] : []) { [tree] change in
        if isDone || change.isPrior != isPrior { return }
        isDone = true
        tree.sortDescriptors = descriptors
      }
      tree.sortDescriptors = [.descending("name")]
      #expect(isDone && tree.sortDescriptors == descriptors && tree.text == text)
      token.cancel()
    }
  }

  @Test("TRC.4: a move in a handler of a move keeps the nodes of both, and their selection")
  func movingInMove() throws {
    tree.selectionIndexPath = [0, 0]
    let (moved, parent) = (try #require(tree.selectedNodes.first), tree.arrangedObjects.childNodes[0])
    var isFirst = true
    let token = try parent.observe("childNodes", options: []) { [tree] _ in
      if isFirst {
        isFirst = false
        try? tree.move([[1]], to: [0, 0])
      }
    }
    try tree.move([[0, 0]], to: [1, 0])
    #expect(moved.parent != nil && tree.selectedNodes.contains { $0 === moved })
    token.cancel()
  }

  @Test("TRC.6, CTR.9: the selection notifies if a handler of nodes edits the tree")
  func editingInHandler() throws {
    tree.selectionIndexPath = [0, 1]
    tree.selectsInsertedObjects = false
    var paths: [[KVIndexPath]] = []
    let token = try tree.observe("selectionIndexPaths") { paths.append($0.new as? [KVIndexPath] ?? []) }
    var isFirst = true
    let nodes = try tree.arrangedObjects.childNodes[0].observe("childNodes", options: []) { [tree] _ in
      if isFirst {
        isFirst = false
        try? tree.insert(TreeFolder("z"), at: [0, 1])
      }
    }
    tree.content[0].folders.insert(TreeFolder("w"), at: 0)
    #expect(tree.selectionIndexPaths == [[0, 3]] && paths.last == [[0, 3]])
    token.cancel()
    nodes.cancel()
  }

  @Test("TRC.4: with descriptors an index is that of the arrangement, and the object is sorted")
  func insertingSorted() throws {
    tree.sortDescriptors = [.descending("name")]
    try tree.insert(TreeFolder("bb"), at: [1, 2])
    #expect(
      tree.text == "(f a(c(e d) bb b))" && tree.content[0].text == "a(b c(d e) bb)"
        && tree.selectionIndexPath == [1, 1])
    try tree.remove(at: [[1, 0, 0], [1, 2]])
    #expect(tree.content[0].text == "a(c(d) bb)")
  }

  @Test("TRC.4: a missing parent or index throws and changes nothing")
  func outOfRange() {
    let text = tree.text
    for path in [[], [3], [-1], [0, 3], [0, 0, 0, 0], [2, 0]] as [KVIndexPath] {
      #expect(
        code { try tree.insert(contentsOf: [TreeFolder("1"), TreeFolder("2")], at: [[0], path]) } == .indexOutOfRange)
      #expect(code { try tree.remove(at: [[0], path]) } == .indexOutOfRange)
      #expect(code { try tree.move([[0], path], to: [1]) } == .indexOutOfRange)
      #expect(code { try tree.move([[1]], to: path) } == .indexOutOfRange)
    }
    let inside = #expect(throws: KVError.self) { try tree.move([[1], [0]], to: [0, 1, 0]) }
    #expect(
      inside?.message == "[0, 1, 0] is inside of an object that is to be moved there. Move it to another parent."
        && inside?.code == .invalidValue)
    let unequal = #expect(throws: KVError.self) { try tree.insert(contentsOf: [TreeFolder("1")], at: []) }
    #expect(
      unequal?.message == "there are 1 objects for 0 index paths; give one path for each object."
        && unequal?.code == .unsupported)
    #expect(tree.text == text && tree.selectedObjects.isEmpty)
    let error = #expect(throws: KVError.self) { try tree.insert(TreeFolder("x"), at: [7, 0]) }
    #expect(error?.message == "the index path [7, 0] is out of range: there is no such node, or no such parent.")
  }

  @Test("TRC.4: several paths refer to the state before; a node inside another goes with it")
  func removing() throws {
    try tree.remove(at: [[0, 1], [0, 1, 0], [0, 0], [1]])
    #expect(tree.text == "(a)" && tree.content.count == 1)
    try tree.remove(at: [])
    #expect(tree.text == "(a)")
  }

  @Test("TRC.4: nodes are moved with all below, stay the same and stay selected")
  func moving() throws {
    let root = tree.arrangedObjects
    let c = try #require(root.descendant(at: [0, 1]))
    tree.selectionIndexPaths = [[0, 1, 1], [1]]
    try tree.move([[0, 1], [0, 1, 0]], to: [1, 0])
    #expect(tree.text == "(a(b) f(c(d e)))" && root.descendant(at: [1, 0]) === c && tree.selectedText == "f e")
    #expect(tree.selectionIndexPaths == [[1], [1, 0, 1]])
    try tree.move([[1], [0, 0]], to: [0])
    #expect(tree.text == "(f(c(d e)) b a)" && tree.selectedText == "f e")
    try tree.move([[0], [2]], to: [2])
    #expect(tree.text == "(b f(c(d e)) a)" && tree.selectionIndexPaths == [[1], [1, 0, 1]])
    try tree.move([[1, 0, 1]], to: [1, 0, 0])
    #expect(tree.text == "(b f(c(e d)) a)" && tree.selectionIndexPaths == [[1], [1, 0, 0]])
    try tree.move([], to: [0])
  }

  @Test("TRC.5, CTR.4: without a closure nothing is created")
  func noClosure() {
    let tree = KVTreeController<TreeFolder>(childrenKeyPath: "folders")
    let error = #expect(throws: KVError.self) { try tree.add() }
    #expect(
      error?.message == """
        KVTreeController<TreeFolder> cannot create a TreeFolder: create the controller with a closure, as in \
        KVTreeController { TreeFolder() }, override newObject(), or add an object that exists.
        """)
    #expect(tree.content.isEmpty && error?.code == .unsupported)
  }

  @Test("TRC.4: a list of children that is nil is created")
  func nilLists() throws {
    let tree = KVTreeController<TreeBranch> { TreeBranch() }
    tree.content = [TreeBranch()]
    #expect(tree.arrangedObjects.childNodes[0].isLeaf)
    try tree.insert(TreeBranch(), at: [0, 0])
    #expect(tree.content[0].children?.count == 1 && tree.arrangedObjects.childNodes[0].childNodes.count == 1)
    tree.content[0].children = nil
    #expect(tree.arrangedObjects.childNodes[0].childNodes.isEmpty)
    tree.selectionIndexPath = [0]
    try tree.addChild()
    #expect(tree.selectionIndexPath == [0, 0])
  }

  @Test("TRC.4, CTR.5: what the model refuses changes nothing")
  func refusing() throws {
    final class Refusing: KVObject {
      @KVProperty var folders: [Refusing] = []
      var isFull = false
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Refusing.self) { key in
          key(
            "folders", { $0.folders },
            set: { owner, new throws(KVError) in
              if owner.isFull { throw KVError(.invalidValue, "it is full") }
              owner.folders = new
            })
        }
      }
    }
    let tree = KVTreeController<Refusing>(childrenKeyPath: "folders")
    let (first, second, third) = (Refusing(), Refusing(), Refusing())
    first.folders = [third]
    tree.content = [first, second]
    second.isFull = true
    tree.selectionIndexPaths = [[0, 0]]
    let node = tree.selectedNodes[0]
    let error = #expect(throws: KVError.self) { try tree.move([[0, 0], [0]], to: [1, 0]) }
    #expect(error?.code == .invalidValue)
    #expect(tree.content.elementsEqual([first, second], by: ===) && first.folders.first === third)
    #expect(tree.selectionIndexPaths == [[0, 0]] && tree.selectedNodes[0] === node)
  }

  @Test("TRC.5: add, insert, addChild and insertChild insert at the first selected node, or as the last root")
  func adding() throws {
    try tree.add()
    #expect(tree.text == "(a(b c(d e)) f new)" && tree.selectionIndexPath == [2] && tree.canAddChild)
    tree.selectionIndexPaths = []
    try tree.insert()
    #expect(tree.content.count == 4 && tree.selectionIndexPath == [3] && tree.canRemove)
    try tree.remove()
    tree.selectionIndexPaths = [[0, 0], [1]]
    try tree.add()
    #expect(tree.text == "(a(b new c(d e)) f new)" && tree.selectionIndexPaths == [[0, 1]])
    try tree.insert()
    #expect(tree.text == "(a(b new new c(d e)) f new)" && tree.selectionIndexPaths == [[0, 1]])
    tree.selectionIndexPath = [0, 3]
    try tree.addChild()
    #expect(tree.selectionIndexPath == [0, 3, 2])
    tree.selectionIndexPath = [0, 3]
    try tree.insertChild()
    #expect(tree.text == "(a(b new new c(new d e new)) f new)" && tree.selectionIndexPath == [0, 3, 0])
  }

  @Test("TRC.5: nothing is inserted below a leaf, without a selection, or with a count path")
  func refused() throws {
    var canAddChild: [Bool] = []
    let token = try tree.observe("canAddChild", options: [.new]) { canAddChild.append($0.new as? Bool ?? false) }
    #expect(!tree.canAddChild && code { try tree.addChild() } == .unsupported)
    tree.content[1].isFile = true
    tree.selectionIndexPath = [0]
    tree.selectionIndexPath = [1]
    #expect(!tree.canInsertChild && canAddChild == [true, false])
    let error = #expect(throws: KVError.self) { try tree.insertChild() }
    #expect(error?.message == "KVTreeController<TreeFolder> cannot insert a child: the first selected node is a leaf.")
    let leaf = #expect(throws: KVError.self) { try tree.insert(TreeFolder("x"), at: [1, 0]) }
    #expect(
      leaf?.message == "nothing can be inserted at [1, 0]: the node above is a leaf. Choose another parent.")
    token.cancel()
    let counting = KVTreeController<TreeFolder>(childrenKeyPath: "folders", countKeyPath: "count") { TreeFolder("new") }
    counting.content = [TreeFolder("a")]
    #expect(!counting.canAdd && !counting.canInsert && counting.canRemove)
    let counted = #expect(throws: KVError.self) { try counting.add() }
    #expect(counted?.message == "KVTreeController<TreeFolder> cannot add an object: countKeyPath is set.")
    try counting.remove()
    #expect(counting.content.isEmpty)
    tree.isEditable = false
    #expect(
      code { try tree.move([[0]], to: [1]) } == .unsupported && code { try tree.remove(at: [[0]]) } == .unsupported)
  }

  @Test("TRC.4, UND.4: each call is one step of undo, with the roots bound to a model")
  func undo() throws {
    let (disk, undo) = (TreeDisk(), KVUndoManager())
    disk.folders = tree.content
    try tree.bindContent(to: "folders", of: disk)
    let all = [disk.folders[0], disk.folders[0].folders[1], disk.folders[1]]
    try undo.record(disk)
    for folder in all { try undo.record(folder) }
    let text = tree.text
    try tree.move([[0, 1], [1]], to: [0])
    #expect(tree.text == "(c(d e) f a(b))" && disk.folders.map(\.name) == ["c", "f", "a"] && undo.undoCount == 1)
    try tree.insert(contentsOf: [TreeFolder("x"), TreeFolder("y")], at: [[0, 0], [1]])
    #expect(disk.folders.map(\.text) == ["c(x d e)", "y", "f", "a(b)"] && undo.undoCount == 2)
    try undo.undo()
    #expect(tree.text == "(c(d e) f a(b))")
    try undo.undo()
    #expect(tree.text == text && disk.folders.map(\.name) == ["a", "f"] && tree.content.map(\.name) == ["a", "f"])
    try undo.redo()
    try undo.redo()
    #expect(tree.text == "(c(x d e) y f a(b))")
  }

  @Test(
    "TRC.1, BND.5: an edit of the roots by a handler, while the tree follows its model, reaches the model",
    arguments: [true, false])
  func editsInHandlers(isSetting: Bool) throws {
    let disk = TreeDisk()
    disk.folders = tree.content
    try tree.bindContent(to: "folders", of: disk)
    var isAdding = true
    let token = try tree.arrangedObjects.observe("childNodes") { [tree] _ in
      if !isAdding { return }
      isAdding = false
      try? tree.insert(TreeFolder("x"), at: [0])
    }
    if isSetting {
      disk.folders.append(TreeFolder("m"))
    } else {
      try disk.mutableArray(forKey: "folders").append(TreeFolder("m"))
    }
    token.cancel()
    #expect(tree.content.map(\.name) == ["x", "a", "f", "m"])
    #expect(disk.folders.map(\.name) == tree.content.map(\.name))
  }

  @Test("TRC.1, CTR.14: the content is bound by index, and one-way to a single object")
  func binding() throws {
    let disk = TreeDisk()
    disk.folders = tree.content
    let binding = try tree.bindContent(to: "folders", of: disk)
    var kinds: [String] = []
    let token = try disk.observe("folders") { kinds.append("\($0.kind) \($0.indexes ?? [])") }
    try tree.insert(TreeFolder("x"), at: [1])
    try tree.remove(at: [[0]])
    #expect(kinds == ["insertion [1]", "removal [0]"] && disk.folders.map(\.name) == ["x", "f"])
    try disk.mutableArray(forKey: "folders").insert(TreeFolder("m"), at: 0)
    #expect(tree.text == "(m x f)" && tree.content.count == 3)
    token.cancel()
    disk.main = TreeFolder("main", [TreeFolder("sub")])
    let single = try tree.bindContent(to: "main", of: disk)
    #expect(tree.text == "(main(sub))" && !binding.isActive && !tree.canAdd)
    try tree.insert(TreeFolder("x"), at: [0, 0])
    #expect(tree.canAddChild && disk.main?.text == "main(x sub)")
    try tree.addChild()
    try tree.move([[0, 1]], to: [0, 0])
    try tree.remove(at: [[0, 1, 0]])
    #expect(disk.main?.text == "main(sub x)")
    #expect(
      code { try tree.add() } == .unsupported && code { try tree.insert(TreeFolder("x"), at: [0]) } == .unsupported)
    #expect(
      code { try tree.remove(at: [[0]]) } == .unsupported && code { try tree.move([[0, 0]], to: [0]) } == .unsupported)
    disk.main = nil
    #expect(tree.content.isEmpty)
    single.cancel()
    #expect(tree.canAdd)
    #expect(throws: KVError.self) { try tree.bindContent(to: "name", of: TreeFolder("x")) }
  }

  @Test(
    "TRC.3, CTR.14: what a handler sets while the roots follow the model reaches the model", arguments: [false, true])
  func handlerSetsContent(isEditedByTree: Bool) throws {
    let disk = TreeDisk()
    disk.folders = [TreeFolder("a"), TreeFolder("b")]
    let tree = KVTreeController<TreeFolder>(childrenKeyPath: "folders")
    try tree.bindContent(to: "folders", of: disk)
    var isSet = false
    let token = try tree.arrangedObjects.observe("childNodes") { _ in
      if isSet { return }
      isSet = true
      tree.content += [TreeFolder("x")]
    }
    if isEditedByTree { try tree.insert(TreeFolder("c"), at: [2]) } else { disk.folders.append(TreeFolder("c")) }
    token.cancel()
    #expect(disk.folders.map(\.text) == ["a", "b", "c", "x"])
    #expect(tree.content.map(\.text) == ["a", "b", "c", "x"])
  }

  @Test("TRC.4, CTR.6: an edit of bound roots notifies of the content and of the model once")
  func boundRoots() throws {
    let disk = TreeDisk()
    disk.folders = [TreeFolder("a"), TreeFolder("b")]
    let tree = KVTreeController<TreeFolder>(childrenKeyPath: "folders")
    try tree.bindContent(to: "folders", of: disk)
    var kinds: [String] = []
    let tokens = [
      try tree.observe("content") { kinds.append("content \($0.kind)") },
      try disk.observe("folders") { kinds.append("model \($0.kind)") },
    ]
    try tree.insert(TreeFolder("c"), at: [0])
    try tree.move([[0]], to: [1, 0])
    #expect(kinds.sorted() == ["content insertion", "content removal", "model insertion", "model removal"])
    tokens.forEach { $0.cancel() }
  }

  @Test("TRC.3, TRC.4: a handler that edits the bound roots while a node moves loses and repeats nothing")
  func editedRoots() throws {
    let (disk, a) = (TreeDisk(), TreeFolder("a", [TreeFolder("a1")]))
    disk.folders = [a, TreeFolder("b")]
    let tree = KVTreeController<TreeFolder>(childrenKeyPath: "folders")
    try tree.bindContent(to: "folders", of: disk)
    var isEdited = false
    let token = try a.observe("folders") { _ in
      if isEdited { return }
      isEdited = true
      disk.folders.append(TreeFolder("h"))
    }
    try tree.move([[1]], to: [0, 0])
    token.cancel()
    #expect(disk.folders.map(\.text) == ["a(b a1)", "h"])
    #expect(tree.content.map(\.text) == ["a(b a1)", "h"])
  }
}
