import KVCore

@testable import KVBinding

/// A node with a text, which declarations lead to and bind.
private final class Label: KVNode {
  @KVProperty var text: Any?
  override var isTreeCell: Bool { treeTag == 1 }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Label.self) { key in key("text", \.text) }
  }
}

/// root 1 "a" – middle 2 "b" – leaf 3 "c"; each has a record as its data object.
private final class Tree {
  let leaf = Label(tag: 3, identifier: "c")
  let root: Label

  init() {
    root = Label(tag: 1, identifier: "a", children: [Label(tag: 2, identifier: "b", children: [leaf])])
    for (node, name) in [(root, "root"), (leaf, "leaf")] {
      guard let part = try? KVRecord(["b": name]) else { continue }
      node.dataObject = try? KVRecord(["name": name, "count": 1, "list": [1, 2], "a": part])
    }
  }
}

nonisolated(unsafe) private let tree = Tree()

extension Target {
  /// NOD.1, NOD.4: declarations of bindings in trees.
  static let trees = Target(name: "Trees") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let declaration: TreeDeclaration
    do throws(KVError) { declaration = try TreeDeclaration(text, KVBindingOptions(allowsReflection: true)) } catch {
      checkDeclaration(error, text, bytes)
      expect((try? tree.leaf.bindTo(text, "text")) == nil, "is malformed, and binds:", bytes)
      return
    }
    let printed = declaration.path.description
    expect(areEqual(declaration, try? TreeDeclaration(printed, KVBindingOptions())), "no round trip:", bytes, printed)
    if declaration.path.components.first != .key("bindTo") {
      let prefix = printed.hasPrefix("[") ? "bindTo" : "bindTo."
      let longer = try? TreeDeclaration(prefix + printed, KVBindingOptions(allowsReflection: true))
      expect(areEqual(declaration, longer), "with bindTo another declaration:", bytes, printed)
    }
    checkBinding(text, declaration, bytes)
  }

  private static func checkDeclaration(_ error: KVError, _ text: String, _ bytes: [UInt8]) {
    expect([.invalidKeyPath, .unknownOperator].contains(error.code), "an unexpected code:", bytes, error.message)
    guard let path = error.keyPath, let offset = error.offset else { found("no offset:", bytes, error.message) }
    expect((0...path.count).contains(offset), "an offset behind the text:", bytes, "\(offset) \(error.message)")
    expect(error.message.last == ".", "no sentence:", bytes, error.message)
  }

  private static func areEqual(_ left: TreeDeclaration, _ right: TreeDeclaration?) -> Bool {
    left.dataPath == right?.dataPath && Array(left.nodePath) == right.map { Array($0.nodePath) }
  }

  /// What is bound follows the data object; what cannot be bound has an error, and binds nothing.
  private static func checkBinding(_ text: String, _ declaration: TreeDeclaration, _ bytes: [UInt8]) {
    do throws(KVError) {
      let binding = try tree.leaf.bindTo(text, "text")
      defer { binding.cancel() }
      guard let node = try? declaration.node(from: tree.leaf), let object = node.dataObject as? KVRecord else { return }
      if let value = try? object.value(forKeyPath: declaration.dataPath) {
        expect(KVC.areEqual(tree.leaf.text, value), "is bound to another value:", bytes)
      }
    } catch {
      expect(error.message.last == "." || error.message.last == "?", "no sentence:", bytes, error.message)
    }
    expect((try? tree.leaf.unbindTo()) == 0, "a binding that could not be made, or was cancelled, is left:", bytes)
    tree.leaf.text = nil
  }
}
