import KVBinding
import KVControllers
import KVCore

/// A way to replace the node that a key holds.
enum DeathWay: String, CaseIterable, Sendable {
  case setter, modelSetter, inPlace, view, closure, calls, byKey, computedByKey, plainByKey, plainView, update, undo
  case transaction
  /// The assignments in Swift of which nobody is told.
  case plain, computed, observed

  /// Whether the change is told of.
  var isBracketed: Bool { ![.plain, .computed, .observed].contains(self) }

  /// Whether a getter with a lock is on the path; the storage of all others is read by the library alone.
  var canLock: Bool { [.closure, .calls, .byKey, .computedByKey, .computed].contains(self) }

  /// Whether the former node ends in the change; a step of undo and the log of a transaction keep it.
  var endsFormer: Bool { self != .undo && self != .transaction }

  /// The path to the node.
  var path: String {
    switch self {
    case .setter, .undo, .transaction: "property"
    case .modelSetter: "node"
    case .inPlace, .view: "items[0]"
    case .plainView: "plainItems[0]"
    case .closure, .byKey: "manual"
    case .calls: "byHand"
    case .computedByKey, .computed: "computed"
    case .plainByKey, .plain: "plain"
    case .observed: "observed"
    case .update: "content"
    }
  }

  /// A key that depends on the value of the node.
  var label: String? {
    switch self {
    case .setter, .undo, .transaction: "propertyLabel"
    case .modelSetter: "label"
    case .closure, .calls, .byKey, .computedByKey, .computed: "label"
    case .plainByKey, .plain: "plainLabel"
    // Paths through elements by index, and through a controller, belong to no table here.
    case .inPlace, .view, .plainView, .observed, .update: nil
    }
  }

  /// Creates an object that holds a node.
  func makeRoot(_ node: DeathNode, isLocked: Bool) -> KVObject {
    switch self {
    case .modelSetter:
      let model = DeathModel()
      model.node = node
      return model
    case .update: return KVObjectController<DeathNode>(node)
    default:
      let holder = DeathHolder(isLocked: isLocked)
      switch self {
      case .inPlace, .view: holder.items = [node]
      case .plainView: holder.plainItems = [node]
      case .closure, .byKey: holder.manual = node
      case .calls: holder.byHand = node
      case .computedByKey, .computed: holder.computed = node
      case .plainByKey, .plain: holder.plain = node
      case .observed: holder.observed = node
      case .undo:
        holder.property = DeathNode.make(2)
        holder.recordUndo()
        holder.property = node
      default: holder.property = node
      }
      return holder
    }
  }

  /// Replaces the node.
  func replace(by node: DeathNode, in root: KVObject) throws {
    if let model = root as? DeathModel { return model.node = node }
    if let controller = root as? KVObjectController<DeathNode> { return controller.content = node }
    guard let holder = root as? DeathHolder else { return }
    switch self {
    case .setter: holder.property = node
    case .inPlace: holder.items[0] = node
    case .view: try holder.mutableArray(forKey: "items").replace(at: 0, with: node)
    case .plainView: try holder.mutableArray(forKey: "plainItems").replace(at: 0, with: node)
    case .closure: holder.manual = node
    case .calls: holder.byHand = node
    case .byKey: try holder.setValue(node, forKey: "manual")
    case .computedByKey: try holder.setValue(node, forKey: "computed")
    case .plainByKey: try holder.setValue(node, forKey: "plain")
    case .undo: try holder.undo?.undo()
    case .transaction: try KVTransaction.run { try holder.setValue(node, forKey: "property") }
    case .plain: holder.plain = node
    case .computed: holder.computed = node
    case .observed: holder.observed = node
    case .modelSetter, .update: break
    }
  }

  /// Tells of the replacement, if nobody has been told.
  func tell(_ root: KVObject) {
    if !isBracketed { root.withChange(forKey: path) {} }
  }
}
