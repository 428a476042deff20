import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("NOD.3: how bindings of trees end, and go in both directions")
struct TreeLifetimeTests {
  let fruit = Fruit("Apple", "red")

  @Test("NOD.3: the deallocation of the node that declares ends its bindings")
  func declarerDeallocates() throws {
    let cell = TableCell()
    cell.dataObject = fruit
    var label: TextView? = TextView()
    cell.add(try #require(label))
    let binding = try #require(label).bindTo("@cell.name", "text")
    cell.removeAll()
    expectReleased(&label)
    #expect(binding.state == .ended)
    expectNoObserversLeft(on: fruit)
    fruit.name = "nobody hears"
  }

  @Test("NOD.3: the deallocation of the node that was found ends them too; the data object goes with it")
  func parentDeallocates() throws {
    let label = TextView()
    var cell: TableCell? = TableCell([label])
    weak var goneFruit: Fruit?
    let binding: KVPathBinding
    do {
      let fruit = Fruit("Kiwi", "green")
      goneFruit = fruit
      cell?.dataObject = fruit
      binding = try label.bindTo("@cell.name", "text")
    }
    #expect(goneFruit != nil)
    expectReleased(&cell)
    #expect(goneFruit == nil && binding.state == .ended)
    #expect(label.text == "Kiwi" && label.bindings.isEmpty)
  }

  @Test("NOD.3: observable nodes are deallocated in any order, too")
  func observableNodes() throws {
    var node: TextNode? = TextNode()
    let parent = KVNode(children: [try #require(node)])
    parent.dataObject = fruit
    let binding = try #require(node).bindTo("@superview.name", "text")
    node?.removeFromParent()
    #expect(node?.text == "Apple" && binding.isActive)
    expectReleased(&node)
    #expect(binding.state == .ended && KVDiagnostics.observations(of: fruit).isEmpty)
  }

  @Test("NOD.3: nothing is kept of a binding that ends while it moves to another data object")
  func endedMeanwhile() throws {
    final class Captured {}
    var captured: Captured? = Captured()
    weak let kept = captured
    let label = TextView()
    let cell = TableCell([label])
    let origin = Fruit("Tree", "")
    fruit.origin = origin
    cell.dataObject = fruit
    let other = Fruit("Kiwi", "green")
    func bind() throws {
      let capture = KVUncheckedSendable(try #require(captured))
      let transformer = KVTransformer { (name: String) in
        withExtendedLifetime(capture) {}
        return name
      }
      let binding = try label.bindTo(
        "@cell.dataObject.origin.name", "text", options: .init(transformer: transformer))
      let former = ObjectIdentifier(fruit)
      handlerInUse.withLock { _ in
        // The former data object is left just before the next one is observed. Held weakly, since another test may be
        // reporting something to the handler for a moment after it is taken away.
        KVDiagnostics.setHandler(level: .debug) { [weak binding] event in
          if event.object == former, event.message.hasSuffix("ended") { binding?.cancel() }
        }
        cell.dataObject = other
        KVDiagnostics.setHandler(nil)
      }
      #expect(label.text == "Tree" && binding.state == .ended)
    }
    try bind()
    captured = nil
    #expect(kept == nil)
    #expect(KVDiagnostics.observations(of: other).isEmpty && cell.bindings.isEmpty && label.bindings.isEmpty)
  }

  @Test("NOD.3: nothing of an ended binding is kept")
  func closuresGo() throws {
    final class Captured {}
    var captured: Captured? = Captured()
    weak let kept = captured
    let label = TextView()
    label.dataObject = fruit
    do {
      let capture = captured
      let transformer = KVTransformer(confined: capture)
      let binding = try label.bindTo("name", "text", options: .init(transformer: transformer))
      binding.cancel()
      #expect(binding.state == .ended)
    }
    captured = nil
    #expect(kept == nil)
  }

  @Test("NOD.3: a former data object is deallocated when another is set")
  func formerDataObject() throws {
    let label = TextView()
    weak var gone: Fruit?
    try label.bindTo("name", "text")
    do {
      let kiwi = Fruit("Kiwi", "green")
      gone = kiwi
      label.dataObject = kiwi
    }
    #expect(gone != nil)
    label.dataObject = nil
    #expect(gone == nil)
  }

  @Test("NOD.3: the data object of an observable node is observable itself")
  func observableDataObject() throws {
    let node = KVNode()
    var changes = 0
    let token = try node.observe("dataObject") { _ in changes += 1 }
    node.dataObject = fruit
    try node.setValue(nil, forKey: "dataObject")
    #expect(changes == 2 && node.dataObject == nil)
    token.cancel()
  }

  @Test("NOD.1: the options are those of any binding: both directions, transformers, collections")
  func bothWays() throws {
    let node = TextNode()
    let root = KVNode(children: [node])
    root.dataObject = fruit
    let binding = try node.bindTo("@rootview.name", "text", options: .twoWay)
    node.text = "Boskoop"
    #expect(fruit.name == "Boskoop")
    let kiwi = Fruit("Kiwi", "green")
    root.dataObject = kiwi
    #expect(node.text == "Kiwi" && fruit.name == "Boskoop")
    node.text = "Golden"
    #expect(kiwi.name == "Golden" && fruit.name == "Boskoop" && binding.state == .active)

    let list: KVRecord = ["lines": ["a", "b"]]
    node.dataObject = list
    try node.bindTo("lines", "lines", options: .twoWay)
    #expect(node.lines == ["a", "b"])
    try node.mutableArray(forKeyPath: "lines").insert("c", at: 2)
    #expect(list.lines as? [String] == ["a", "b", "c"])
    try list.mutableArray(forKeyPath: "lines").remove(at: 0)
    #expect(node.lines == ["b", "c"])
  }

  @Test("NOD.1: to the source only, each data object takes the node's value")
  func toSource() throws {
    let node = TextNode()
    node.text = "given"
    try node.bindTo("name", "text", options: .toSource)
    node.dataObject = fruit
    #expect(fruit.name == "given")
    fruit.name = "other"
    #expect(node.text == "given")
    try node.updateFromDataObject()
    #expect(node.text == "given")
  }

  @Test("NOD.2: a control may be a node, and is observed")
  func controls() throws {
    let slider = TreeSlider()
    let song = Song()
    slider.dataObject = song
    try slider.bindTo("dataObject.length", "value", options: .twoWay)
    slider.drag(to: 0.75)
    #expect(song.length == 0.75)
  }

  @Test("NOD.3: data objects may be exchanged while they are evaluated")
  func exchangedMeanwhile() throws {
    let cell = TableCell()
    let (first, second) = (TextNode(), TextNode())
    let root = KVNode(children: [first, second])
    try first.bindTo("@rootview.name", "text")
    try second.bindTo("@rootview.name", "text")
    let kiwi = Fruit("Kiwi", "green")
    let token = try first.observe("text") { _ in
      if first.text == "Apple" { root.dataObject = kiwi }
    }
    root.dataObject = fruit
    #expect(first.text == "Kiwi" && second.text == "Kiwi")
    fruit.name = "unheard"
    #expect(first.text == "Kiwi" && KVDiagnostics.observations(of: fruit).isEmpty)
    token.cancel()
    withExtendedLifetime(cell) {}
  }
}

extension KVTransformer {
  /// Holds an object.
  fileprivate init(confined captured: AnyObject?) {
    nonisolated(unsafe) let captured = captured
    self.init(forward: { (text: String) in
      withExtendedLifetime(captured) {}
      return text
    })
  }
}

private final class TreeSlider: SliderControl, KVTreeNode {
  let treeSlot = KVTreeSlot()
  var treeParent: (any KVTreeNode)? { nil }
  var treeChildren: [any KVTreeNode] { [] }
}
