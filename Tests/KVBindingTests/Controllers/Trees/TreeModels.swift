import KVBinding
import KVCore

/// A folder of a disk.
final class Folder: KVObject {
  @KVProperty var name: String
  @KVProperty var folders: [Folder]
  @KVProperty var isFile = false

  init(_ name: String, _ folders: [Folder] = []) {
    (self.name, self.folders) = (name, folders)
    super.init()
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Folder.self) { key in
      key("name", \.name)
      key("folders", \.folders)
      key("isFile", \.isFile)
      key("count") { $0.folders.count }.affected(by: "folders")
    }
  }

  /// The names of the folder and of all that it contains.
  var text: String { folders.isEmpty ? name : "\(name)(\(folders.map(\.text).joined(separator: " ")))" }
}

/// A person whose parts may be nil, and who has parts without end, made when they are read.
final class Branch: KVObject {
  nonisolated(unsafe) static var reads = 0
  @KVProperty var name = ""
  @KVProperty var children: [Branch]?
  private lazy var endless = (0..<10).map { _ in Branch() }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Branch.self) { key in
      key("name", \.name)
      key("children", \.children)
      key("endless") { branch in
        reads += 1
        return branch.endless
      }.notifiesManually()
    }
  }
}

/// A disk whose folders are the roots of a tree.
final class Disk: KVObject {
  @KVProperty var folders: [Folder] = []
  @KVProperty var main: Folder?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Disk.self) { key in
      key("folders", \.folders)
      key("main", \.main)
    }
  }
}

extension KVArrangedNode<Folder> {
  /// The names of the object and of all nodes below.
  var text: String {
    let (name, nodes) = (representedObject?.name ?? "", childNodes)
    return nodes.isEmpty ? name : "\(name)(\(nodes.map(\.text).joined(separator: " ")))"
  }
}

extension KVTreeController<Folder> {
  var text: String { arrangedObjects.text }
  var selectedText: String { selectedObjects.map(\.name).joined(separator: " ") }
}

/// Creates a controller of folders: a(b c(d e)) f.
func sampleTree() -> KVTreeController<Folder> {
  let tree = KVTreeController<Folder>(childrenKeyPath: "folders", leafKeyPath: "isFile") { Folder("new") }
  tree.avoidsEmptySelection = false
  tree.content = [Folder("a", [Folder("b"), Folder("c", [Folder("d"), Folder("e")])]), Folder("f")]
  return tree
}
