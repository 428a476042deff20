import KVBinding
import KVTestSupport

extension KVFixtures {
  /// A node of a tree that shows a text.
  class Panel: KVNode {
    /// The text that the panel shows.
    @KVProperty var text = ""

    /// The key of a panel, besides those of a node.
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Panel.self) { key in key("text", \.text) }
    }

    /// Creates a root with the tag 1, and in it two panels with the tags 2 and 3 and the identifiers `title` and
    /// `detail`.
    ///
    /// - Returns: The root, which retains the other panels.
    static func sample() -> Panel {
      Panel(tag: 1, children: [Panel(tag: 2, identifier: "title"), Panel(tag: 3, identifier: "detail")])
    }
  }
}
