import KVBinding
import KVControllers
import KVCore
import KVTestSupport
import Synchronization

/// A node that alone keeps the next one.
final class DeathNode: KVObject {
  @KVProperty var v: Int
  @KVProperty var next: DeathNode?
  @KVProperty var kids: [DeathNode] = []
  @KVProperty var copy = 0
  /// What another object keeps.
  weak var far: DeathNode?
  var farLabel: String { "far \(far?.v ?? 0)" }
  /// What ends with the node.
  var kept: [AnyObject] = []

  init(_ v: Int, next: DeathNode? = nil) {
    self.v = v
    self.next = next
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: DeathNode.self) { key in
      key("v", \.v)
      key("next", \.next)
      key("kids", \.kids)
      key("copy", \.copy)
      key("far", \.far)
      key("farLabel", \.farLabel).affected(by: "far.v")
    }
  }

  /// A node with another one behind it, two elements, and one that all of these reference weakly.
  static func make(_ v: Int) -> DeathNode {
    let node = DeathNode(v, next: DeathNode(10 * v))
    node.kids = [DeathNode(v), DeathNode(v)]
    let far = DeathNode(100 * v)
    node.kept = [far]
    for near in node.kids + [node.next] { near?.far = far }
    return node
  }
}

/// Stores a node.
class DeathCell {
  var node: DeathNode?
}

/// Stores a node behind a lock, which is held while a former node ends.
final class DeathLockedCell: DeathCell {
  private let stored = Mutex(KVUncheckedSendable<DeathNode?>(nil))

  override var node: DeathNode? {
    get { stored.withLock { $0 }.value }
    set {
      let new = KVUncheckedSendable(newValue)
      stored.withLock { $0 = new }
    }
  }
}

/// Holds a node under keys of all kinds; what one key holds, nothing else does.
final class DeathHolder: KVObject {
  @KVProperty var property: DeathNode?
  @KVProperty var items: [DeathNode] = []
  var plainItems: [DeathNode] = []
  var plain: DeathNode?
  var observed: DeathNode? { didSet {} }
  weak var weakly: DeathNode?
  private let cells: [DeathCell]
  private(set) var undo: KVUndoManager?

  init(isLocked: Bool) { cells = (0..<3).map { _ in isLocked ? DeathLockedCell() : DeathCell() } }

  /// Records the changes of one property from now on.
  func recordUndo() {
    let manager = KVUndoManager()
    if (try? manager.record(self, keys: ["property"])) != nil { undo = manager }
  }

  var manual: DeathNode? {
    get { cells[0].node }
    set { withChange(forKey: "manual") { cells[0].node = newValue } }
  }

  var byHand: DeathNode? {
    get { cells[1].node }
    set {
      willChangeValue(forKey: "byHand")
      cells[1].node = newValue
      didChangeValue(forKey: "byHand")
    }
  }

  var computed: DeathNode? {
    get { cells[2].node }
    set { cells[2].node = newValue }
  }

  var label: String { "\((manual ?? byHand ?? computed)?.v ?? 0)" }
  var propertyLabel: String { "\(property?.v ?? 0)" }
  var plainLabel: String { "\(plain?.v ?? 0)" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: DeathHolder.self) { key in
      key("property", \.property)
      key("items", \.items)
      key("plainItems", \.plainItems)
      key("plain", \.plain)
      key("observed", \.observed)
      key("weakly", \.weakly)
      key("manual", \.manual).notifiesManually()
      key("byHand", \.byHand).notifiesManually()
      key("computed", \.computed)
      key("label", \.label).affected(by: "manual.v", "byHand.v", "computed.v", "weakly.v")
      key("propertyLabel", \.propertyLabel).affected(by: "property.v")
      key("plainLabel", \.plainLabel).affected(by: "plain.v")
    }
  }
}

/// A model whose property is set by the setter that the macro writes.
@KVModel final class DeathModel: KVObject {
  var node: DeathNode?
  @KVKey(.affected(by: "node.v")) var label: String { "\(node?.v ?? 0)" }
}
