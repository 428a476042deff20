import KVControllers

extension OutlinePart {
  private typealias Node = OutlineWindow.Node

  /// Does what a page asks for; returns whether there is such an action.
  func carryOut(
    _ action: String, _ model: OutlineModel, _ window: OutlineWindow, _ request: PartRequest
  ) throws -> Bool {
    if ["add", "edit", "move", "remove"].contains(action) { try model.checkEditing() }
    if action == "undo" || action == "redo" {
      try undo(window, request, isRedo: action == "redo")
      return true
    }
    guard ["add", "edit", "expand", "move", "remove", "select"].contains(action) else { return false }
    let id = try request.number("id")
    let (node, object) = try window.node(id)
    switch action {
    case "add": try add(window, node, isInside: request.flag("isInside") || object === model.root)
    case "edit": try edit(node, object, request)
    case "expand": try request.flag("isOn") ? window.expand(node, id) : window.collapse(node, id)
    case "move": try move(window, node, object, request)
    case "remove":
      try undo.edit("Remove value", [parent(of: node)].compactMap(\.self)) {
        try window.controller.remove(at: [node.indexPath])
      }
    default: try window.controller.select(at: [node.indexPath])
    }
    return true
  }

  private func parent(of node: Node) -> OutlineNode? { node.parent?.representedObject }

  // MARK: Values

  /// Inserts a null as the last value in a node, or behind it, and selects it.
  private func add(_ window: OutlineWindow, _ node: Node, isInside: Bool) throws {
    guard let parent = isInside ? node : node.parent, let object = parent.representedObject else { return }
    let new = try OutlineNode(json: "null", named: object.kind == .object ? object.freeName("new") : "")
    let path = isInside ? node.indexPath.appending(object.children.count) : following(node.indexPath, by: 1)
    try undo.edit("Add value", [object]) { try window.controller.insert(new, at: path) }
  }

  /// Renames a member, or replaces a scalar.
  private func edit(_ node: Node, _ object: OutlineNode, _ request: PartRequest) throws {
    let (text, base) = (try request.text("text"), request.has("base") ? try request.text("base") : nil)
    switch try request.text("field") {
    case "name":
      guard let parent = parent(of: node), parent.kind == .object else {
        throw Refusal(422, "Only a member of an object has a name.")
      }
      try Refusal.check(base: base, present: object.name, new: text)
      try checkName(text, of: object, in: parent)
      try undo.edit("Rename value", [object]) { object.name = text }
    case "value":
      guard object.kind == .scalar else {
        throw Refusal(422, "An object and an array are edited by the values in them.")
      }
      try Refusal.check(base: base, present: object.text, new: text)
      try undo.edit("Change value", [object]) { try object.replaceScalar(byJSON: text) }
    default: throw Refusal(422, "A value has the fields \"name\" and \"value\".")
    }
  }

  private func checkName(_ name: String, of object: OutlineNode, in parent: OutlineNode) throws(Refusal) {
    guard parent.children.contains(where: { $0 !== object && $0.name == name }) else { return }
    throw Refusal(422, "There is a member \"\(name.prefix(100))\" already. Choose another name.")
  }

  // MARK: Moving

  /// Moves a node up or down among its siblings, out of its parent, or into the sibling before it.
  private func move(_ window: OutlineWindow, _ node: Node, _ object: OutlineNode, _ request: PartRequest) throws {
    guard let parent = node.parent, let former = parent.representedObject else {
      throw Refusal(422, "The top of the document cannot be moved.")
    }
    let (path, index) = (node.indexPath, node.indexPath.last ?? 0)
    let target: KVIndexPath
    switch try request.text("to") {
    case "up":
      guard index > 0 else { throw Refusal(422, "It is the first one already.") }
      target = following(path, by: -1)
    case "down":
      guard index + 1 < parent.childNodes.count else { throw Refusal(422, "It is the last one already.") }
      target = following(path, by: 2)
    case "out":
      guard path.count > 2 else { throw Refusal(422, "It is at the top already.") }
      target = following(parent.indexPath, by: 1)
    case "in":
      guard index > 0, case let before = parent.childNodes[index - 1], !before.isLeaf else {
        throw Refusal(422, "A value moves into the object or array before it, and there is none.")
      }
      target = before.indexPath.appending(before.childNodes.count)
    default: throw Refusal(422, "A value moves \"up\", \"down\", \"out\" or \"in\".")
    }
    guard let next = window.controller.arrangedObjects.descendant(at: target.parent)?.representedObject else { return }
    if next !== former, next.kind == .object, !object.name.isEmpty { try checkName(object.name, of: object, in: next) }
    try undo.edit("Move value", [former, next, object]) {
      if next.kind == .object, object.name.isEmpty, former.kind == .array { object.name = next.freeName("new") }
      try window.controller.move([path], to: target)
    }
  }

  /// Returns the path of a sibling.
  private func following(_ path: KVIndexPath, by count: Int) -> KVIndexPath {
    path.parent.appending((path.last ?? 0) + count)
  }

  // MARK: Undo

  /// Undoes or redoes a step, which selects in this window what was selected then.
  private func undo(_ window: OutlineWindow, _ request: PartRequest, isRedo: Bool) throws {
    let known = request.has("revision") ? try request.number("revision") : nil
    let others = windows.values.filter { $0 !== window }.map { ($0.controller, $0.controller.selectedNodes) }
    try undo.undo(isRedo: isRedo, known: known)
    for (controller, nodes) in others {
      let paths = nodes.map(\.indexPath).filter { $0.count > 0 }
      if !paths.isEmpty { try controller.select(at: paths) }
    }
  }
}
