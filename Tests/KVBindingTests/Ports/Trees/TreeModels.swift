import KVBinding
import KVCore

/// A view that is no `KVObservable`, as views of toolkits are.
class PlainView: KVTreeNode {
  let treeSlot = KVTreeSlot()
  private(set) weak var superview: PlainView?
  private(set) var subviews: [PlainView] = []
  var tag = 0
  var restorationID: String?
  var backgroundColor: String?

  init(tag: Int = 0, id: String? = nil, _ subviews: [PlainView] = []) {
    self.tag = tag
    restorationID = id
    for view in subviews { add(view) }
  }

  func add(_ view: PlainView) {
    view.superview = self
    subviews.append(view)
  }

  func removeAll() { subviews = [] }

  var treeParent: (any KVTreeNode)? { superview }
  var treeChildren: [any KVTreeNode] { subviews }
  var treeTag: Int { tag }
  var treeIdentifier: String? { restorationID }
  var isTreeCell: Bool { false }

  func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    throw KVError(.undefinedKey, "no key \"\(key)\"")
  }

  class var keyTable: KVTable {
    KVTable(PlainView.self) { key in
      key("superview") { $0.superview }
      key("subviews") { $0.subviews }
      key("tag", \.tag)
      key("backgroundColor", \.backgroundColor)
    }
  }
}

/// A view that shows a text.
final class TextView: PlainView {
  var text: String? { didSet { history.append(text) } }
  var textColor: String?
  var history: [String?] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: TextView.self) { key in
      key("text", \.text)
      key("textColor", \.textColor)
    }
  }
}

/// A view whose URL can be set, and not be read.
final class ImageView: PlainView {
  private(set) var loaded: [String] = []

  override class var keyTable: KVTable { super.keyTable.extended(for: ImageView.self) { _ in } }

  override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    guard key == "URL" else { return try super.setValue(value, forUndefinedKey: key) }
    if let url = value as? String { loaded.append(url) }
  }
}

/// A cell of a table.
final class TableCell: PlainView {
  override var isTreeCell: Bool { true }
}

/// Refers to itself as its parent, or to whatever it is given.
final class Ring: KVTreeNode {
  let treeSlot = KVTreeSlot()
  weak var next: Ring?
  var text = ""
  var treeParent: (any KVTreeNode)? { next }
  var treeChildren: [any KVTreeNode] { [] }
  static var keyTable: KVTable { KVTable(Ring.self) { key in key("text", \.text) } }
}

/// The model of the samples.
final class Fruit: KVObject {
  @KVProperty var name = ""
  @KVProperty var colorName = ""
  @KVProperty var imageURL: String?
  @KVProperty var license: String?
  @KVProperty var origin: Fruit?
  var color: String { "#" + colorName }

  convenience init(_ name: String, _ colorName: String) {
    self.init()
    self.name = name
    self.colorName = colorName
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Fruit.self) { key in
      key("name", \.name)
      key("colorName", \.colorName)
      key("imageURL", \.imageURL)
      key("license", \.license)
      key("origin", \.origin)
      key("color", \.color).affected(by: "colorName")
    }
  }
}

/// A model that tells nobody of anything.
final class Note: KeyValueCoding {
  var name = "note"
  static var keyTable: KVTable { KVTable(Note.self) { key in key("name", \.name) } }
}

/// A node that is observable, and shows a text.
final class TextNode: KVNode {
  @KVProperty var text = ""
  @KVProperty var lines: [String] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: TextNode.self) { key in
      key("text", \.text)
      key("lines", \.lines)
    }
  }
}
