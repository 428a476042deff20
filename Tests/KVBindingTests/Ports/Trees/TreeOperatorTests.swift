import KVBinding
import KVCore
import Testing

@Suite("NOD.2: the operators of trees")
struct TreeOperatorTests {
  // root (tag 1, "root") > cell (tag 12, "main.cell") > box (tag -3, "box 3") > label, other (tag 7), image ("picture")
  let label = TextView()
  let other = TextView(tag: 7)
  let image = ImageView(id: "picture")
  let box: PlainView
  let cell: TableCell
  let root: PlainView

  init() {
    box = PlainView(tag: -3, id: "box 3", [label, other, image])
    cell = TableCell(tag: 12, id: "main.cell", [box])
    root = PlainView(tag: 1, id: "root", [cell])
    for (view, name) in [(root, "root"), (cell, "cell"), (box, "box"), (label, "label"), (other, "other")] {
      view.dataObject = Fruit(name, "")
    }
    image.dataObject = Fruit("image", "")
  }

  @Test(
    "NOD.2: operators and ordinary keys lead to nodes",
    arguments: [
      ("@superview", "box"),
      ("@superview.@superview", "cell"),
      ("@rootview", "root"),
      ("@rootview.@rootview", "root"),
      ("@superviewWithTag[12]", "cell"),
      ("@superviewWithTag[ -3 ]", "box"),
      ("@superviewWithRestorationID[main.cell]", "cell"),
      ("@superviewWithRestorationID[box 3]", "box"),
      ("@superviewWithRestorationID[\"root\"]", "root"),
      ("@superviewWithClass[TableCell]", "cell"),
      ("@superviewWithClass[KVBindingTests.TableCell]", "cell"),
      ("@superviewWithClass[ PlainView ]", "box"),
      ("@superview.@subviews[1]", "other"),
      ("@superview.@subviewWithTag[7]", "other"),
      ("@superview.@subviewWithRestorationID[picture]", "image"),
      ("@superview.@subviewWithClass[ImageView]", "image"),
      ("@superview.@subviewWithClass[TextView]", "label"),
      ("@cell", "cell"),
      ("superview", "box"),
      ("superview.superview", "cell"),
      ("superview.subviews[1]", "other"),
      ("@cell.subviews[0].@subviews[0]", "label"),
    ])
  func operators(path: String, name: String) throws {
    try label.bindTo("\(path).dataObject.name", "text")
    #expect(label.text == name)
    try label.bindTo("bindTo.\(path).name", "textColor")
    #expect(label.textColor == name)
  }

  @Test("NOD.4: dataObject may be left out before a single key; without a path the node's own one is meant")
  func ownDataObject() throws {
    try label.bindTo("dataObject.name", "text")
    #expect(label.text == "label")
    try label.bindTo("bindTo.colorName", "textColor")
    #expect(label.textColor == "")
  }

  @Test(
    "NOD.3: an operator that finds nothing is an error that names it and the node",
    arguments: [
      ("@rootview.@superview", "@superview leads nowhere from PlainView \"root\" with the tag 1: it has no parent."),
      ("@superviewWithTag[99]", "@superviewWithTag[99] leads nowhere from TextView: no ancestor has the tag 99."),
      (
        "@superviewWithRestorationID[nobody]",
        "@superviewWithRestorationID[nobody] leads nowhere from TextView: no ancestor has the identifier \"nobody\"."
      ),
      (
        "@superviewWithClass[Nobody]",
        "@superviewWithClass[Nobody] leads nowhere from TextView: no ancestor is of a class \"Nobody\"."
      ),
      (
        "@cell.@subviews[5]",
        "@subviews[5] leads nowhere from TableCell \"main.cell\" with the tag 12: its only child has the index 0."
      ),
      (
        "@superview.@subviews[-1]",
        "@subviews[-1] leads nowhere from PlainView \"box 3\" with the tag -3: its children have the indexes 0 to 2."
      ),
      ("@subviews[0]", "@subviews[0] leads nowhere from TextView: it has no children."),
      ("@subviewWithTag[1]", "@subviewWithTag[1] leads nowhere from TextView: no child has the tag 1."),
      (
        "@rootview.@cell", "@cell leads nowhere from PlainView \"root\" with the tag 1: no ancestor is a cell."
      ),
    ])
  func failures(path: String, message: String) throws {
    let error = #expect(throws: KVError.self) { try label.bindTo("\(path).dataObject.name", "text") }
    #expect(error?.code == .operatorFailed)
    #expect(error?.message == message)
    #expect(error?.keyPath == "\(path).dataObject.name" && error?.rootType == "TextView")
    #expect(label.bindings.isEmpty && label.history.isEmpty)
  }

  @Test(
    "NOD.2: what is malformed is an error with the offset and what was expected there",
    arguments: [
      ("@superviewWithTag[12.dataObject.name", 17, "the bracket opened here is never closed; expected \"]\""),
      ("bindTo.@superviewWithTag[x].dataObject.name", 25, "expected a whole number"),
      ("@superviewWithTag.dataObject.name", 17, "expected \"[\" and a whole number"),
      ("@superviewWithClass.dataObject.name", 19, "expected \"[\" and a text"),
      ("@superview.@cell[3].dataObject.name", 16, "@cell takes no argument; expected \".\""),
      ("@superview.dataObject", 21, "expected the path of a value behind \"dataObject\""),
      ("@superview", 10, "expected \"dataObject\" and the path of a value, or a single key"),
      ("bindTo", 6, "expected \"dataObject\" and the path of a value, or a single key"),
      ("@superview..name", 11, "expected a key"),
      ("", 0, "a key path is never empty; expected a key"),
    ])
  func malformed(text: String, offset: Int, expected: String) throws {
    let error = #expect(throws: KVError.self) { try label.bindTo(text, "text") }
    #expect(error?.code == .invalidKeyPath)
    #expect(error?.offset == offset)
    #expect(error?.message.hasSuffix("at offset \(offset), \(expected).") == true, "\(error?.message ?? "")")
  }

  @Test("NOD.2: an unknown operator is an error that lists the known ones")
  func unknown() throws {
    let error = #expect(throws: KVError.self) { try label.bindTo("@rootview.@superviewWithTga[1].name", "text") }
    #expect(error?.code == .unknownOperator && error?.suggestion == "superviewWithTag" && error?.offset == 10)
    #expect(error?.knownKeys.contains("cell") == true)
    #expect(error?.message.hasPrefix("unknown operator \"@superviewWithTga\" in \"@rootview.") == true)
  }

  @Test("NOD.2: keys must lead to nodes")
  func keysToElsewhere() throws {
    let error = #expect(throws: KVError.self) { try label.bindTo("@superview.backgroundColor.dataObject.name", "text") }
    #expect(error?.code == .unresolvedPath)
    let other = #expect(throws: KVError.self) { try label.bindTo("@superview.tag.name", "text") }
    #expect(other?.code == .typeMismatch)
    #expect(
      other?.message
        == """
        "tag" of PlainView "box 3" with the tag -3 leads to an Int, and not to a node of the tree. What stands before "dataObject" \
        leads through the tree; only before a single key "dataObject" may be left out.
        """)
    let undefined = #expect(throws: KVError.self) { try label.bindTo("superveiw.dataObject.name", "text") }
    #expect(undefined?.code == .undefinedKey && undefined?.suggestion == "superview")
  }

  @Test("NOD.2: operators of one's own are registered")
  func registered() throws {
    struct Lost: Error {}
    #expect(throws: KVError.self) { try KVTreeOperators.register("@@nextSibling") { _ in nil } }
    try KVTreeOperators.register("@nextSibling") { call in
      let siblings = call.node.treeParent?.treeChildren ?? []
      guard let index = siblings.firstIndex(where: { $0 === call.node }) else { throw Lost() }
      return siblings.dropFirst(index + 1).first
    }
    try KVTreeOperators.register("up", argument: .integer) { call in
      var steps = 0
      return try call.nearestAncestor { _ in
        steps += 1
        return steps == call.number
      }
    }
    defer { for name in ["nextSibling", "up"] { KVTreeOperators.unregister(name) } }
    try label.bindTo("@nextSibling.name", "text")
    #expect(label.text == "other")
    try label.bindTo("@up[2].name", "text")
    #expect(label.text == "cell")
    let none = #expect(throws: KVError.self) { try image.bindTo("@nextSibling.name", "backgroundColor") }
    #expect(none?.message == "@nextSibling leads nowhere from ImageView \"picture\": it found none.")
    let failed = #expect(throws: KVError.self) { try root.bindTo("@nextSibling.name", "backgroundColor") }
    #expect(failed?.code == .operatorFailed && failed?.underlying is Lost)
    try KVTreeOperators.register("row") { _ in
      throw KVError(.custom, "there is no such row.", keyPath: "rows.last", component: "last", rootType: "Table")
    }
    defer { KVTreeOperators.unregister("row") }
    let unread = #expect(throws: KVError.self) { try label.bindTo("@row.name", "text") }
    #expect(unread?.message.hasSuffix(": there is no such row.") == true, "\(unread?.message ?? "")")
    #expect(KVTreeOperators.names.contains("up"))
    #expect(throws: KVError.self) { try KVTreeOperators.register("a.b") { _ in nil } }
  }

  @Test("TRN.4: a tree operator's name that is taken is refused, unless the program says that it replaces")
  func taken() throws {
    try KVTreeOperators.register("takenTwice") { $0.node }
    defer { for name in ["takenTwice", "subviewWithTag"] { KVTreeOperators.unregister(name) } }
    let error = #expect(throws: KVError.self) { try KVTreeOperators.register("takenTwice") { _ in nil } }
    #expect(error?.message == "@takenTwice is registered already: choose another name, or pass replacing: true.")
    let builtIn = #expect(throws: KVError.self) { try KVTreeOperators.register("subviewWithTag") { _ in nil } }
    #expect(builtIn?.message == "@subviewWithTag is built in: choose another name, or pass replacing: true.")
    try label.bindTo("@takenTwice.dataObject.name", "text")
    try KVTreeOperators.register("takenTwice", replacing: true) { _ in nil }
    #expect(throws: KVError.self) { try label.bindTo("@takenTwice.dataObject.name", "text") }
    let names = KVTreeOperators.names
    #expect(Set(names).count == names.count)
  }

  @Test(
    "NOD.3: parents that go round in a circle are an error, not a loop",
    arguments: [
      "@rootview", "@cell", "@superviewWithTag[5]", "@superviewWithRestorationID[x]", "@superviewWithClass[X]",
    ])
  func circles(path: String) throws {
    let alone = Ring()
    alone.next = alone
    let (first, second) = (Ring(), Ring())
    (first.next, second.next) = (second, first)
    let outside = Ring()
    outside.next = first
    for ring in [alone, first, outside] {
      let error = #expect(throws: KVError.self) { try ring.bindTo("\(path).name", "text") }
      #expect(
        error?.message
          == "\(path) leads nowhere from Ring: the parents go round in a circle: Ring is an ancestor of itself.")
    }
  }
}
