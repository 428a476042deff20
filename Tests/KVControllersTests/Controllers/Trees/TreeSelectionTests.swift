import KVControllers
import KVCore
import TestModels
import Testing

@Suite struct TreeSelectionTests {
  private let tree = sampleTree()

  @Test("TRC.6, CTR.25, CTR.26: index paths are selected in order, and invalid ones ignored")
  func selecting() throws {
    tree.selectionIndexPaths = [[1], [0, 1, 0], [5], [0, 0, 0], [], [1]]
    #expect(
      tree.selectionIndexPaths == [[0, 1, 0], [1]] && tree.selectedText == "d f"
        && tree.selectionIndexPath == [0, 1, 0])
    #expect(tree.selectedNodes.map(\.indexPath) == tree.selectionIndexPaths)
    #expect(try tree.addToSelection(at: [[0], [1]]) && tree.selectedText == "a d f")
    #expect(try !tree.addToSelection(at: [[0], [7]]))
    #expect(try tree.removeFromSelection(at: [[1], [0, 0]]) && tree.selectedText == "a d")
    #expect(try tree.select(at: [[0, 0]]) && tree.selectedText == "b")
    try tree.setValue(nil, forKey: "selectionIndexPaths")
    #expect(tree.selectedNodes.isEmpty && tree.selectionIndexPath == nil)
  }

  @Test("TRC.3, TRC.6: the selection notifies once of an update, if it differs")
  func notifying() throws {
    var changes: [String] = []
    let keys = [
      "selectionIndexPaths", "selectionIndexPath", "selectedNodes", "selectedObjects", "selection", "canRemove",
      "content",
    ]
    let tokens = try keys.map { key in try tree.observe(key) { _ in changes.append(key) } }
    tree.selectionIndexPath = [0, 1]
    #expect(Set(changes) == Set(keys).subtracting(["content"]) && changes.count == 6)
    changes = []
    tree.selectionIndexPath = [0, 1]
    #expect(changes.isEmpty)
    tree.content[0].folders.insert(TreeFolder("x"), at: 0)
    #expect(Set(changes) == ["selectionIndexPaths", "selectionIndexPath"] && changes.count == 2)
    changes = []
    try tree.insert(TreeFolder("y"), at: [0])
    #expect(Set(changes) == Set(keys).subtracting(["canRemove"]) && changes.count == 6)
    changes = []
    tree.update {
      tree.selectionIndexPaths = [[1]]
      tree.selectionIndexPaths = []
      tree.selectionIndexPaths = [[0]]
    }
    #expect(changes.isEmpty)
    for token in tokens { token.cancel() }
  }

  @Test("TRC.6, CTR.6: handlers read the final selection, and old values are the former ones")
  func handlers() throws {
    tree.selectionIndexPath = [0, 1]
    var seen: [String] = []
    let paths = try tree.observe("selectionIndexPaths", options: [.old, .new]) { change in
      seen.append("\(change.old ?? "nil")>\(change.new ?? "nil") \(tree.selectedText)")
    }
    let nodes = try tree.arrangedObjects.childNodes[0].observe("childNodes") { change in
      seen.append("\(change.kind) \(tree.selectionIndexPaths)")
    }
    let names = try tree.observe("selection.name", options: [.old, .new]) {
      seen.append("\($0.old ?? "nil")>\($0.new ?? "nil")")
    }
    try tree.content[0].mutableArray(forKey: "folders").insert(TreeFolder("x"), at: 0)
    try tree.remove(at: [[0, 2]])
    #expect(
      seen == [
        "insertion [[0, 2]]", "[[0, 1]]>[[0, 2]] c", "removal []", "[[0, 2]]>[] ", "c>KVSelectionMarker.noSelection",
      ])
    for token in [paths, nodes, names] { token.cancel() }
  }

  @Test("TRC.6, CTR.28: the selection follows its objects through edits, moves and sorting")
  func following() throws {
    tree.selectionIndexPaths = [[0, 1, 0], [1]]
    tree.content[0].folders.swapAt(0, 1)
    #expect(tree.selectionIndexPaths == [[0, 0, 0], [1]])
    tree.sortDescriptors = [.descending("name")]
    #expect(tree.selectedText == "f d" && tree.selectionIndexPaths == [[0], [1, 0, 1]])
    tree.content.insert(TreeFolder("g"), at: 0)
    #expect(tree.selectedText == "f d" && tree.selectionIndexPaths == [[1], [2, 0, 1]])
    tree.content[1].folders[0].folders.removeFirst()
    #expect(tree.selectedText == "f")
    tree.preservesSelection = false
    tree.sortDescriptors = []
    #expect(tree.selectionIndexPaths == [[1]] && tree.selectedText == "a")
    tree.content.reverse()
    #expect(tree.selectionIndexPaths == [[1]])
    tree.content = [TreeFolder("x")]
    #expect(tree.selectedNodes.isEmpty)
  }

  @Test("TRC.6, CTR.30: the sibling at the index is selected, else the last sibling, else the parent")
  func avoidingEmptiness() throws {
    tree.avoidsEmptySelection = true
    #expect(tree.selectionIndexPath == [0])
    try tree.insert(contentsOf: [TreeFolder("x"), TreeFolder("y")], at: [[0, 2], [0, 2]])
    tree.selectionIndexPath = [0, 2]
    tree.content[0].folders.remove(at: 2)
    #expect(tree.selectedText == "y" && tree.selectionIndexPath == [0, 2])
    try tree.remove()
    #expect(tree.selectedText == "c" && tree.selectionIndexPath == [0, 1])
    tree.selectionIndexPaths = [[0, 1, 1]]
    try tree.remove(at: [[0, 0], [0, 1, 0], [0, 1, 1]])
    #expect(tree.text == "(a(c) f)" && tree.selectionIndexPath == [0, 0])
    try tree.insert(TreeFolder("p", [TreeFolder("q")]), at: [0, 1])
    tree.selectionIndexPath = [0, 1, 0]
    try tree.remove(at: [[0, 0], [0, 1]])
    #expect(tree.selectionIndexPath == [0] && tree.text == "(a f)")
    tree.selectionIndexPaths = []
    #expect(tree.selectedNodes.isEmpty)
    tree.content[0].folders = [TreeFolder("z")]
    #expect(tree.selectionIndexPath == [0])
    tree.content = []
    #expect(tree.selectedNodes.isEmpty)
    tree.content = [TreeFolder("1"), TreeFolder("2")]
    #expect(tree.selectionIndexPath == [0])
    tree.selectionIndexPaths = []
    tree.avoidsEmptySelection = true
    #expect(tree.selectionIndexPath == [0])
  }

  @Test("TRC.6, CTR.32: a form is bound to the selection")
  func forms() throws {
    let field = TreeFolder("")
    try field.bind(
      "name", to: "selection.name", of: tree, options: .init(.twoWay, noSelection: "none", multipleValues: "many"))
    #expect(field.name == "none")
    tree.selectionIndexPath = [0, 1]
    #expect(field.name == "c")
    field.name = "C"
    #expect(tree.text == "(a(b C(d e)) f)")
    tree.selectionIndexPaths = [[0], [1]]
    #expect(field.name == "many")
    try tree.setValue("same", forKeyPath: "selection.name")
    #expect(field.name == "same" && tree.content.map(\.name) == ["same", "same"])
    try tree.remove()
    #expect(field.name == "none" && tree.selection["name"].marker == .noSelection)
    #expect(try tree.value(forKeyPath: "selection.@count") as? Int == 0)
  }

  @Test("TRC.6, EDT.4: selecting and editing commit edits first, to the objects for which they were made")
  func committing() throws {
    let field = TreeFolder("")
    try field.bind("name", to: "selection.name", of: tree, options: .init(.twoWay, noSelection: "", trigger: .onCommit))
    tree.sortDescriptors = ["name"]
    tree.selectionIndexPath = [0, 0]
    field.name = "x"
    #expect(tree.isEditing)
    // The commit moves the node: the path means the node that the caller found there.
    try tree.remove(at: [[0, 1]])
    #expect(tree.text == "(a(x) f)" && !tree.isEditing && tree.selectedText == "x")
    field.name = "y"
    tree.selectionIndexPath = [1]
    #expect(tree.text == "(a(y) f)" && field.name == "f")
  }

  @Test("TRC.6, EDT.4: if a commit fails, nothing is selected or changed")
  func failingCommit() throws {
    final class Editor: KVEditor {
      func commitEditing() throws { throw KVError(.invalidValue, "it is not valid") }
      func discardEditing() {}
    }
    let editor = Editor()
    tree.beginEditing(editor)
    #expect(throws: KVError.self) { try tree.select(at: [[0]]) }
    #expect(throws: KVError.self) { try tree.insert(TreeFolder("x"), at: [0]) }
    #expect(throws: KVError.self) { try tree.move([[0]], to: [2]) }
    let events = capturingEvents {
      tree.selectionIndexPath = [0]
      tree.content = []
      tree.sortDescriptors = ["name"]
      tree.rearrangeObjects()
    }.about(tree)
    #expect(events.count == 4 && tree.selectedNodes.isEmpty && tree.text == "(a(b c(d e)) f)")
    tree.endEditing(editor)
    #expect(try tree.select(at: [[0]]))
  }

  @Test("TRC.3, CTR.6: in an update the controller notifies once, at its end")
  func updates() throws {
    tree.selectionIndexPath = [1]
    var records: [String] = []
    let tokens = try ["content", "selectionIndexPaths", "sortDescriptors"].map { key in
      try tree.observe(key, options: [.old, .new, .prior]) { change in
        if key == "selectionIndexPaths" {
          records.append("\(change.isPrior) \(change.old ?? "nil") \(tree.selectionIndexPaths)")
        }
        if !change.isPrior { records.append("\(key) \(change.kind)") }
      }
    }
    tree.update {
      tree.content.insert(TreeFolder("x"), at: 0)
      tree.content.insert(TreeFolder("y"), at: 0)
      tree.sortDescriptors = ["name"]
      #expect(tree.selectionIndexPaths == [[1]] && tree.text == "(a(b c(d e)) f x y)" && tree.selectedText == "f")
      tree.selectionIndexPaths = [[2], [3]]
    }
    #expect(
      records == [
        "true [[1]] [[1]]", "content setting", "false [[1]] [[2], [3]]", "selectionIndexPaths setting",
        "sortDescriptors setting",
      ])
    for token in tokens { token.cancel() }
  }

  @Test("TRC.2, TRC.6: what happens below a node that has left the tree concerns it only")
  func detachedNodes() throws {
    _ = tree.text
    let node = try #require(tree.arrangedObjects.descendant(at: [0, 1]))
    try tree.remove(at: [[0]])
    tree.avoidsEmptySelection = true
    tree.selectionIndexPaths = []
    node.representedObject?.folders.removeLast()
    #expect(node.text == "c(d)" && node.childNodes[0].parent === node && tree.selectedNodes.isEmpty)
    #expect(throws: KVError.self) { try tree.remove() }
  }

  @Test("TRC.3, CTR.7: a handler of childNodes edits the tree")
  func reentrancy() throws {
    _ = tree.text
    tree.selectionIndexPath = [0, 1, 1]
    let a = tree.arrangedObjects.childNodes[0]
    var rows = a.childNodes
    var isFirst = true
    let token = try a.observe("childNodes") { change in
      let new = change.new as? [KVArrangedNode<TreeFolder>] ?? []
      switch change.kind {
      case .setting: rows = new
      case .insertion: for (index, node) in zip(change.indexes ?? [], new) { rows.insert(node, at: index) }
      case .removal: for index in (change.indexes ?? []).reversed() { rows.remove(at: index) }
      case .replacement: for (index, node) in zip(change.indexes ?? [], new) { rows[index] = node }
      }
    }
    let editing = try a.observe("childNodes") { _ in
      if !isFirst { return }
      isFirst = false
      try? tree.remove(at: [[0, 0]])
      tree.content.insert(TreeFolder("r"), at: 0)
    }
    try a.representedObject?.mutableArray(forKey: "folders").insert(TreeFolder("x"), at: 2)
    #expect(tree.text == "(r a(c(d e) x) f)" && tree.selectionIndexPath == [1, 0, 1] && tree.selectedText == "e")
    #expect(rows.map(ObjectIdentifier.init) == a.childNodes.map(ObjectIdentifier.init))
    editing.cancel()
    token.cancel()
  }

  @Test("TRC.2, LIF.1: a controller, its nodes and the model may die in any order", arguments: 0..<6)
  func lifetimes(order: Int) {
    var tree: KVTreeController<TreeFolder>? = sampleTree()
    var disk: TreeDisk? = TreeDisk()
    disk?.folders = tree?.content ?? []
    if let disk { _ = try? tree?.bindContent(to: "folders", of: disk) }
    _ = tree?.text
    tree?.selectionIndexPaths = [[0, 1]]
    var node = tree?.arrangedObjects.descendant(at: [0, 1])
    weak let weakTree = tree
    weak let weakNode = node
    weak let weakFolder = node?.representedObject
    let steps: [() -> Void] = [{ tree = nil }, { node = nil }, { disk = nil }]
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    for step in orders[order] {
      steps[step]()
      if let node, let folder = node.representedObject {
        folder.folders.append(TreeFolder("x"))
        #expect(node.childNodes.map(\.text) == folder.folders.map(\.name))
      }
      #expect(tree == nil || tree?.selectedText == "c")
    }
    #expect(weakTree == nil && weakNode == nil && weakFolder == nil)
  }
}
