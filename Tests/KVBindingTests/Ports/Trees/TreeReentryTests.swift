import KVBinding
import KVCore
import Testing

@Suite("NOD.3: data objects that are set while others are shown")
struct TreeReentryTests {
  @Test("NOD.3: a setter that gives the cell another data object while it is being shown")
  func nestedDataObject() throws {
    let node = TextNode()
    let child = TextNode()
    node.addChild(child)
    let other = TextNode()
    node.addChild(other)
    try child.bindTo("@superview.name", "text")
    try other.bindTo("@superview.name", "text")
    let token = try child.observe("text") { [unowned node, unowned child] _ in
      if child.text == "first" { node.dataObject = Fruit("second", "x") }
    }
    node.dataObject = Fruit("first", "x")
    #expect(child.text == "second" && other.text == "second")
    token.cancel()
  }
}
