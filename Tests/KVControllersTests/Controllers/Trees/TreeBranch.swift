import KVControllers
import KVCore

/// A branch whose children may be nil, and which has others without end, made when they are read.
final class TreeBranch: KVObject {
  nonisolated(unsafe) static var reads = 0
  @KVProperty var name = ""
  @KVProperty var children: [TreeBranch]?
  private lazy var endless = (0..<10).map { _ in TreeBranch() }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: TreeBranch.self) { key in
      key("name", \.name)
      key("children", \.children)
      key("endless") { branch in
        reads += 1
        return branch.endless
      }.notifiesManually()
    }
  }
}
