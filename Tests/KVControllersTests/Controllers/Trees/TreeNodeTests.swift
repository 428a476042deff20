import KVControllers
import KVCore
import TestModels
import Testing

@Suite struct TreeNodeTests {
  private let tree = sampleTree()

  @Test("TRC.1: the content are the roots: an array, one object or nil, also by key")
  func content() throws {
    #expect(tree.text == "(a(b c(d e)) f)" && tree.content.count == 2)
    try tree.setValue(TreeFolder("x", [TreeFolder("y")]), forKey: "contentObject")
    #expect(tree.text == "(x(y))")
    try tree.setValue(nil, forKey: "content")
    #expect(tree.content.isEmpty && tree.arrangedObjects.childNodes.isEmpty)
    try tree.mutableArray(forKey: "content").append(TreeFolder("z"))
    #expect(tree.text == "(z)")
    #expect(KVTreeController<TreeBranch>().childrenKeyPath == "children")
    #expect(throws: KVError.self) { try tree.setValue(3, forKey: "content") }
  }

  @Test("TRC.1: an override chooses the key paths by the node")
  func overrides() {
    final class Chooser: KVTreeController<TreeBranch> {
      override func childrenKeyPath(for node: KVArrangedNode<TreeBranch>) -> KVKeyPath {
        node.parent?.representedObject == nil ? "children" : "endless"
      }
      override func leafKeyPath(for node: KVArrangedNode<TreeBranch>) -> KVKeyPath? {
        node.indexPath == [1] ? "isLeaf" : nil
      }
    }
    let (tree, branch, other) = (Chooser(), TreeBranch(), TreeBranch())
    branch.children = [TreeBranch()]
    tree.content = [branch, other]
    #expect(tree.arrangedObjects.descendant(at: [0, 0])?.childNodes.count == 10)
    let events = capturingEvents { #expect(tree.arrangedObjects.childNodes[1].isLeaf == false) }
    #expect(events.contains { $0.message.contains("isLeaf") })
  }

  @Test("TRC.1: more than 200 levels are reported and not read")
  func depth() {
    var folder = TreeFolder("last")
    for level in 0..<250 { folder = TreeFolder("\(level)", [folder]) }
    var levels = 0
    var node = tree.arrangedObjects
    let all = capturingEvents {
      tree.content = [folder]
      while let next = node.childNodes.first { (node, levels) = (next, levels + 1) }
      _ = node.childNodes
    }
    let events = all.about(node.representedObject ?? folder)
    #expect(levels == 200 && events.count == 1)
    #expect(
      events[0].message.contains(
        """
        the tree has more than 200 levels: the children of a node at the last one are not read. Show the \
        objects below it in a tree of their own.
        """))
  }

  @Test("TRC.1: a cycle terminates, and is reported")
  func cycles() {
    let folder = TreeFolder("a")
    folder.folders = [TreeFolder("b", [folder, folder])]
    let events = capturingEvents {
      tree.content = [folder]
      #expect(tree.text == "(a(b(a a)))")
    }.about(folder)
    #expect(events.count == 2)
    #expect(
      events[0].message == """
        [0, 0, 0] is inside of itself: the object is its own ancestor, so that the tree has no end. Its children are not \
        read there; remove it from the children of its descendants.
        """)
    folder.folders = []
  }

  @Test("TRC.2: nodes have a parent, an index path, an object and descendants")
  func nodes() throws {
    let root = tree.arrangedObjects
    let node = try #require(root.descendant(at: [0, 1, 1]))
    #expect(node.representedObject?.name == "e" && node.indexPath == [0, 1, 1] && node.parent?.indexPath == [0, 1])
    #expect(node.childNodes.isEmpty && !node.isLeaf && root.parent == nil && root.representedObject == nil)
    #expect(root.descendant(at: []) === root && root.descendant(at: [0, 2]) == nil && root.descendant(at: [-1]) == nil)
    #expect(try node.value(forKeyPath: "parent.representedObject.name") as? String == "c")
    #expect(node.parent?.descendant(at: [1]) === node)
  }

  @Test("TRC.2: children are read on first access only: of a tree without end ten nodes are read")
  func laziness() throws {
    let tree = KVTreeController<TreeBranch>(childrenKeyPath: "endless")
    TreeBranch.reads = 0
    tree.content = [TreeBranch()]
    #expect(TreeBranch.reads == 0)
    let children = tree.arrangedObjects.childNodes[0].childNodes
    #expect(children.count == 10)
    let reads = TreeBranch.reads
    _ = children.map(\.indexPath)
    tree.selectionIndexPaths = [[0, 3]]
    #expect(TreeBranch.reads == reads && tree.selectedObjects.count == 1)
    #expect(children[0].descendant(at: [0, 0])?.indexPath == [0, 0, 0, 0])
  }

  @Test("TRC.2: leaf and count paths avoid the read, and isLeaf follows them")
  func leaves() throws {
    let counting = KVTreeController<TreeFolder>(childrenKeyPath: "nothing", countKeyPath: "count")
    counting.content = [TreeFolder("a", [TreeFolder("b")]), TreeFolder("c")]
    #expect(counting.arrangedObjects.childNodes.map(\.isLeaf) == [false, true])
    let node = tree.arrangedObjects.childNodes[1]
    var changes: [String] = []
    #expect(!node.isLeaf)
    let token = try node.observe("isLeaf", options: [.old, .new]) {
      changes.append("\($0.old ?? "nil")>\($0.new ?? "nil")")
    }
    node.representedObject?.isFile = true
    node.representedObject?.folders = [TreeFolder("x")]
    #expect(node.childNodes.isEmpty && changes == ["false>true"])
    node.representedObject?.isFile = false
    #expect(changes == ["false>true", "true>false"] && node.childNodes.count == 1)
    token.cancel()
  }

  @Test("TRC.2: a node exists while its object remains with its parent")
  func identity() throws {
    let root = tree.arrangedObjects
    let (a, f) = (root.childNodes[0], root.childNodes[1])
    let c = a.childNodes[1]
    tree.content = [TreeFolder("x"), tree.content[1], tree.content[0]]
    #expect(root.childNodes[2] === a && root.childNodes[1] === f && c.indexPath == [2, 1])
    a.representedObject?.folders.reverse()
    #expect(a.childNodes[0] === c && c.indexPath == [2, 0])
    tree.content.removeLast()
    #expect(a.parent == nil && a.indexPath == [] && c.parent === a && c.indexPath == [0])
  }

  @Test("TRC.3: children notify by index, and descriptors sort each level")
  func notifying() throws {
    let a = tree.arrangedObjects.childNodes[0]
    var records: [String] = []
    let token = try a.observe("childNodes", options: [.old, .new]) { change in
      let names = [change.old, change.new].map {
        ($0 as? [KVArrangedNode<TreeFolder>] ?? []).compactMap(\.representedObject?.name).joined(separator: " ")
      }
      records.append("\(change.kind) \(change.indexes ?? []) \(names[0])>\(names[1])")
    }
    _ = a.childNodes
    let folder = try #require(a.representedObject)
    folder.folders.insert(TreeFolder("z"), at: 0)
    try folder.mutableArray(forKey: "folders").insert(TreeFolder("y"), at: 1)
    try folder.mutableArray(forKey: "folders").remove(at: 0)
    #expect(
      records == [
        "insertion [0] >z", "insertion [1] >y", "removal [0] z>",
      ])
    records = []
    tree.sortDescriptors = [.descending("name")]
    #expect(tree.text == "(f a(y c(e d) b))" && records == ["setting [] y b c>y c b"])
    records = []
    let node = a.childNodes[0]
    folder.folders[0].name = "0"
    #expect(tree.text == "(f a(c(e d) b 0))" && a.childNodes[2] === node)
    #expect(records == ["removal [0] 0>", "insertion [2] >0"])
    tree.sortDescriptors = []
    #expect(tree.text == "(a(0 b c(d e)) f)")
    token.cancel()
  }

  @Test(
    "TRC.3, CTR.24: descriptors by key throw, and change nothing; objects that do not notify are rearranged on demand")
  func sorting() throws {
    _ = tree.text
    #expect(throws: KVError.self) { try tree.setValue([KVSortDescriptor("nothing")], forKey: "sortDescriptors") }
    #expect(tree.sortDescriptors.isEmpty && tree.text == "(a(b c(d e)) f)")
    try tree.setValue([KVSortDescriptor("name", ascending: false)], forKey: "sortDescriptors")
    #expect(tree.text == "(f a(c(e d) b))")
    try tree.setValue(nil, forKey: "sortDescriptors")
    tree.rearrangeObjects()
    #expect(tree.text == "(a(b c(d e)) f)")
  }

  @Test("TRC.2: index paths are ordered as the rows of a tree, and are encoded as arrays")
  func indexPaths() {
    let paths: [KVIndexPath] = [[1], [0, 2], [0], [0, 1, 5], []]
    #expect(paths.sorted() == [[], [0], [0, 1, 5], [0, 2], [1]])
    #expect("\(paths[1])" == "[0, 2]" && paths[1].parent == [0] && paths[1].last == 2 && paths[4].parent == [])
    #expect(paths[2].appending(4) == [0, 4] && paths[3].count == 3)
  }
}
