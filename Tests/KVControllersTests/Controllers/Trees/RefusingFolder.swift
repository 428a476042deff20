import KVControllers
import KVCore

/// A folder that may refuse further folders.
final class RefusingFolder: KVObject {
  @KVProperty var folders: [RefusingFolder] = []
  private let refuses: Bool

  init(refuses: Bool) {
    self.refuses = refuses
    super.init()
  }

  private func set(_ new: [RefusingFolder]) throws(KVError) {
    if refuses, new.count > folders.count { throw KVError(.invalidValue, "no more folders.") }
    folders = new
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: RefusingFolder.self) { key in
      key("folders", { $0.folders }, set: { folder, new throws(KVError) in try folder.set(new) })
    }
  }
}
