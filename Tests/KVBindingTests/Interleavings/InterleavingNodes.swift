import KVBinding
import KVCore

/// The root and the middle objects.
final class InterleavingNode: KVObject {
  @KVProperty var name: Int
  @KVProperty var next: InterleavingNode?

  init(_ name: Int, next: InterleavingNode? = nil) {
    self.name = name
    self.next = next
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: InterleavingNode.self) { key in
      key("name", \.name)
      key("next", \.next)
      key("label") { InterleavingModel.label($0.name, $0.next?.name) }.affected(by: "name", "next.name")
    }
  }
}

/// What is bound, and the owner of registrations.
final class InterleavingView: KVObject {
  @KVProperty var text: Int

  init(_ text: Int) { self.text = text }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: InterleavingView.self) { key in key("text", \.text) }
  }
}
