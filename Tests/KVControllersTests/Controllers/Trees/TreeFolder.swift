import KVControllers
import KVCore

/// A folder of a disk.
final class TreeFolder: KVObject {
  @KVProperty var name: String
  @KVProperty var folders: [TreeFolder]
  @KVProperty var isFile = false

  init(_ name: String, _ folders: [TreeFolder] = []) {
    (self.name, self.folders) = (name, folders)
    super.init()
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: TreeFolder.self) { key in
      key("name", \.name)
      key("folders", \.folders)
      key("isFile", \.isFile)
      key("count") { $0.folders.count }.affected(by: "folders")
    }
  }

  /// The names of the folder and of all that it contains.
  var text: String { folders.isEmpty ? name : "\(name)(\(folders.map(\.text).joined(separator: " ")))" }
}

extension KVArrangedNode<TreeFolder> {
  /// The names of the object and of all nodes below.
  var text: String {
    let (name, nodes) = (representedObject?.name ?? "", childNodes)
    return nodes.isEmpty ? name : "\(name)(\(nodes.map(\.text).joined(separator: " ")))"
  }
}

extension KVTreeController<TreeFolder> {
  var text: String { arrangedObjects.text }
  var selectedText: String { selectedObjects.map(\.name).joined(separator: " ") }
}

/// Creates a controller of folders: a(b c(d e)) f.
func sampleTree() -> KVTreeController<TreeFolder> {
  let tree = KVTreeController<TreeFolder>(childrenKeyPath: "folders", leafKeyPath: "isFile") { TreeFolder("new") }
  tree.avoidsEmptySelection = false
  tree.content = [
    TreeFolder("a", [TreeFolder("b"), TreeFolder("c", [TreeFolder("d"), TreeFolder("e")])]), TreeFolder("f"),
  ]
  return tree
}
