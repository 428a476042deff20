import KVControllers
import KVCore
import TestModels
import Testing

/// Random edits of a tree and of its model, compared with a copy that each node's records keep.
@Suite struct TreeRandomTests {
  /// The children of a node as its records tell them.
  private final class Row {
    let node: KVArrangedNode<TreeFolder>
    var children: [Row] = []
    private var token: KVObservation?

    init(_ node: KVArrangedNode<TreeFolder>) {
      self.node = node
      children = node.childNodes.map { Row($0) }
      token = try? node.observe("childNodes", options: [.old, .new]) { [unowned self] in follow($0) }
    }

    deinit { token?.cancel() }

    private func follow(_ change: KVChange) {
      let (nodes, indexes) = (change.new as? [KVArrangedNode<TreeFolder>] ?? [], change.indexes ?? [])
      switch change.kind {
      case .setting: children = nodes.map { Row($0) }
      case .insertion: for (index, node) in zip(indexes, nodes) { children.insert(Row(node), at: index) }
      case .removal: for index in indexes.reversed() { children.remove(at: index) }
      case .replacement: for (index, node) in zip(indexes, nodes) { children[index] = Row(node) }
      }
    }

    var text: String {
      let name = node.representedObject?.name ?? ""
      return children.isEmpty ? name : "\(name)(\(children.map(\.text).joined(separator: " ")))"
    }
  }

  @Test("TRC.2, TRC.3, TRC.4, TRC.6: random edits agree with a naive copy of the tree", arguments: 1...4)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (tree, disk) = (KVTreeController<TreeFolder>(childrenKeyPath: "folders"), TreeDisk())
    try tree.bindContent(to: "folders", of: disk)
    tree.avoidsEmptySelection = seed % 2 == 0
    tree.selectsInsertedObjects = false
    let root = Row(tree.arrangedObjects)
    var (selected, selections): ([TreeFolder], [KVIndexPath]) = ([], [])
    let token = try tree.observe("selectionIndexPaths", options: [.new]) { selections = $0.new as? [KVIndexPath] ?? [] }
    var number = 0
    func folder() -> TreeFolder {
      number += 1
      return TreeFolder(
        "\(Int.random(in: 10...99, using: &random)).\(number)", number % 3 == 0 ? [TreeFolder("s\(number)")] : [])
    }
    func all(_ folders: [TreeFolder]) -> [TreeFolder] { folders.flatMap { [$0] + all($0.folders) } }
    func paths(_ node: KVArrangedNode<TreeFolder>) -> [KVIndexPath] {
      node.childNodes.flatMap { [$0.indexPath] + paths($0) }
    }
    for step in 0..<300 {
      let known = paths(tree.arrangedObjects)
      let places = [[]] + known
      let parent = places.randomElement(using: &random) ?? []
      let count = tree.arrangedObjects.descendant(at: parent)?.childNodes.count ?? 0
      let place = parent.appending(Int.random(in: 0...count, using: &random))
      let some = known.filter { _ in Int.random(in: 0..<max(1, known.count / 2), using: &random) == 0 }
      switch Int.random(in: 0..<11, using: &random) {
      case 0, 1: try tree.insert(folder(), at: place)
      case 2: try tree.insert(contentsOf: [folder(), folder()], at: [place, places.count > 1 ? known[0] : [0]])
      case 3 where known.count > 12: try tree.remove(at: some)
      case 4:
        do { try tree.move(some, to: place) } catch { #expect(error.code == .invalidValue) }
      case 5:
        guard let owner = all(disk.folders).randomElement(using: &random) else { continue }
        owner.folders.shuffle(using: &random)
      case 6:
        guard let owner = all(disk.folders).randomElement(using: &random) else { continue }
        owner.name = "\(Int.random(in: 10...99, using: &random)).\(owner.name)".prefix(12).description
      case 7:
        tree.sortDescriptors =
          Bool.random(using: &random) ? [] : [KVSortDescriptor("name", ascending: Bool.random(using: &random))]
      case 8:
        tree.selectionIndexPaths = some
        selected = tree.selectedObjects
      case 9: tree.content = tree.content.filter { _ in Int.random(in: 0..<9, using: &random) > 0 }
      default: disk.folders.shuffle(using: &random)
      }
      func naive(_ folders: [TreeFolder]) throws -> [String] {
        try folders.sorted(by: tree.sortDescriptors).map { folder in
          let children = try naive(folder.folders)
          return children.isEmpty ? folder.name : "\(folder.name)(\(children.joined(separator: " ")))"
        }
      }
      let roots = try naive(disk.folders)
      let expected = roots.isEmpty ? "" : "(\(roots.joined(separator: " ")))"
      try #require(tree.text == expected && root.text == expected, "step \(step)")
      let present = Set(all(disk.folders).map { ObjectIdentifier($0) })
      selected = selected.filter { present.contains(ObjectIdentifier($0)) }
      if selected.isEmpty, tree.avoidsEmptySelection {
        selected = tree.selectedObjects
        try #require(selected.count < 2)
      }
      try #require(
        Set(tree.selectedObjects.map { ObjectIdentifier($0) }) == Set(selected.map { ObjectIdentifier($0) }),
        "step \(step)")
      let found = tree.selectedNodes.map(\.indexPath)
      try #require(tree.selectionIndexPaths == found && found == found.sorted() && selections == found, "step \(step)")
    }
    token.cancel()
  }
}
