import Foundation
import KVBinding
import KVCore
import Testing

// The code of Docs/Migrating/FromTJBinder.md.

extension TJBinderMigrationTests {
  @KVModel fileprivate final class Fruit: KVObject {
    var name = ""
    var colorName = ""
    var imageURLString: String?
    var imageLicense: String?

    var imageURL: URL? { imageURLString.flatMap { URL(string: $0) } }
    var color: String { "#\(colorName)" }

    convenience init(_ values: [String: Any]) throws {
      self.init()
      try setValues(forKeys: values)
    }
  }

  fileprivate final class FruitCell: KVNode {
    override var isTreeCell: Bool { true }
  }

  @KVModel fileprivate final class Label: KVNode {
    var text: String?
    var textColor: String?
  }

  /// A view of a toolkit: it is not observable, and its URL can only be set.
  fileprivate final class ImageView: KVTreeNode {
    let treeSlot = KVTreeSlot()
    weak var superview: KVNode?
    var treeParent: (any KVTreeNode)? { superview }
    var treeChildren: [any KVTreeNode] { [] }
    private(set) var loaded: [String?] = []

    static var keyTable: KVTable {
      KVTable(ImageView.self) { (key: KVObjectKeys<ImageView>) in
        key("url", { _ in URL?.none }, set: { $0.loaded.append($1?.absoluteString) })
      }
    }
  }

  @KVModel fileprivate final class Counter: KVObject {
    var counter = 0
    var counterColor: String? = "red"
    var counterString: String { "\(counter)" }
  }

  @KVModel fileprivate final class Holder: KVObject {
    var counter: Counter? = Counter()
  }
}

@Suite("Migrating from TJBinder")
struct TJBinderMigrationTests {
  private let apple: Fruit
  private let kiwi: Fruit

  init() throws {
    apple = try Fruit(["name": "Apple", "colorName": "red", "imageURLString": "https://example.org/apple.png"])
    kiwi = try Fruit(["name": "Kiwi", "colorName": "green"])
  }

  @Test("NOD.1, NOD.2, NOD.3: TJBinderExample: a cell that is used again; its views follow the fruit")
  func cell() throws {
    let label = Label()
    let square = Label()
    let cell = FruitCell(children: [label, square])
    try label.bindTo("bindTo.@superviewWithClass[FruitCell].dataObject.name", "text")
    try square.bindTo("@cell.color", "text")
    #expect(label.text == nil)
    cell.dataObject = apple
    #expect(label.text == "Apple" && square.text == "#red")
    apple.colorName = "yellow"
    #expect(square.text == "#yellow", "without updateFromDataObject")
    cell.dataObject = kiwi
    apple.name = "Pear"
    #expect(label.text == "Kiwi" && square.text == "#green")
  }

  @Test("NOD.1, NOD.3: the detail scene: attributes of an interface file; a property that can only be set")
  func detail() throws {
    let label = Label()
    let root = KVNode(children: [KVNode(children: [label])])
    let image = ImageView()
    image.superview = root
    root.dataObject = apple
    try label.bindTo(attributes: [
      "bindTo.@rootview.dataObject.name": "text", "bindTo.@rootview.dataObject.color": "textColor",
    ])
    try image.bindTo("@rootview.dataObject.imageURL", "url", options: .init(skipsEqual: false))
    #expect(label.text == "Apple" && label.textColor == "#red")
    #expect(image.loaded == ["https://example.org/apple.png"])
    root.dataObject = kiwi
    #expect(image.loaded == ["https://example.org/apple.png", nil])
  }

  @Test("NOD.2: HelloBind: paths through the tree, and a path through the data")
  func helloBind() throws {
    let label = Label(tag: 1)
    let root = KVNode(children: [label])
    let holder = Holder()
    root.dataObject = holder
    try label.bindTo("bindTo.superview.dataObject.counter.counterString", "text")
    try label.bindTo(
      "bindTo.@rootview.@subviewWithClass[Label].superview.dataObject.counter.counterColor", "textColor")
    holder.counter?.counter += 1
    #expect(label.text == "1" && label.textColor == "red")
    holder.counter = Counter()
    #expect(label.text == "0")
  }

  @Test("NOD.3: no data object, or none any more: nothing is written, unless there is a fallback")
  func unresolved() throws {
    let label = Label()
    let root = KVNode(children: [label])
    label.text = "as designed"
    let binding = try label.bindTo("@superview.name", "text")
    #expect(label.text == "as designed" && binding.state == .unresolved)
    try label.bindTo("@superview.color", "textColor", options: .init(fallback: ""))
    root.dataObject = apple
    root.dataObject = nil
    #expect(label.text == "Apple" && label.textColor == "")
    let clearing = Label()
    root.addChild(clearing)
    try clearing.bindTo("@superview.name", "text", options: .init(fallback: .some(String?.none as any Sendable)))
    root.dataObject = apple
    #expect(clearing.text == "Apple")
    root.dataObject = nil
    #expect(clearing.text == nil)
    let error = #expect(throws: KVError.self) { try label.bindTo("@superview.dataObject", "text") }
    #expect(error?.code == .invalidKeyPath)
  }

  @Test("BND.2, BND.11: what does not fit is thrown, or is the binding's error")
  func mismatch() throws {
    let cell = FruitCell(tag: 3)
    let inner = KVNode()
    cell.addChild(inner)
    let binding = try inner.bindTo("@cell.name", "treeTag")
    cell.dataObject = apple
    #expect(binding.state == .failed && binding.lastError?.code == .typeMismatch)
    binding.cancel()
    #expect(throws: KVError.self) { try inner.bindTo("@cell.name", "treeTag") }
  }

  @Test("NOD.3: manual updating, for data objects that cannot be observed")
  func manual() throws {
    final class Plain: KeyValueCoding {
      var name = "a"
      static var keyTable: KVTable { KVTable(Plain.self) { key in key("name", \.name) } }
    }
    let label = Label()
    let root = KVNode(children: [label])
    root.dataObjectUpdating = .manual
    let plain = Plain()
    root.dataObject = plain
    try label.bindTo("@superview.name", "text")
    plain.name = "b"
    #expect(label.text == "a")
    try root.updateFromDataObject()
    #expect(label.text == "b")
    try label.unbindTo("text")
    #expect(label.bindings.isEmpty)
  }

  @Test("NOD.2, NOD.3: failures are errors in every build; a parser function is an operator that is registered")
  func operators() throws {
    let label = Label()
    let cell = FruitCell(identifier: "a.b c", children: [KVNode(children: [label])])
    cell.dataObject = apple
    for nodePath in ["@superviewWithRestorationID[\"a.b c\"]", "@superview.@superview", "@superview.superview"] {
      try label.bindTo("\(nodePath).dataObject.name", "text")
      #expect(label.text == "Apple")
      try label.unbindTo()
      label.text = nil
    }
    for (nodePath, code) in [
      ("@superviewWithTag[7]", KVError.Code.operatorFailed), ("@superviewWithTug[7]", .unknownOperator),
      ("@subviews[0]", .operatorFailed), ("@superviewWithClass", .invalidKeyPath),
    ] {
      let error = #expect(throws: KVError.self) { try label.bindTo("\(nodePath).dataObject.name", "text") }
      #expect(error?.code == code)
    }
    try KVTreeOperators.register("fruitCell") { call in try call.nearestAncestor { $0 is FruitCell } }
    defer { KVTreeOperators.unregister("fruitCell") }
    try label.bindTo("@fruitCell.name", "text")
    #expect(label.text == "Apple")
  }
}
