import KVControllers
import KVCore

/// A disk whose folders are the roots of a tree.
final class TreeDisk: KVObject {
  @KVProperty var folders: [TreeFolder] = []
  @KVProperty var main: TreeFolder?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: TreeDisk.self) { key in
      key("folders", \.folders)
      key("main", \.main)
    }
  }
}
