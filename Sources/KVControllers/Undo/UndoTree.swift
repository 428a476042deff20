import KVBinding
import KVCore

/// The objects that one call records: the root, and all that the relations of its rule lead to from there.
///
/// It is a graph, of which a spanning tree is kept: an object that has lost its parent in that is recorded further if
/// another relation leads to it, and its own objects with it. So neither cycles nor shared objects are visited twice, and
/// a change costs no more than what enters or leaves by it.
final class UndoTree {
  let rule: UndoRule
  let site: Site
  let manager: WeakReference<KVUndoManager>
  private var root: UndoNode?
  private var nodes: [UndoNode.ID: UndoNode] = [:]
  /// The nodes whose relations have not been read yet.
  private var pending: [UndoNode] = []
  /// Whether errors end the recording, and the first one.
  private var isBeginning = true
  private var failure: KVError?

  /// Records the objects of a root.
  ///
  /// - Throws: ``KVError`` if a key cannot be recorded. None is then.
  init(_ root: any KVObservable, _ rule: UndoRule, _ manager: KVUndoManager, _ site: Site) throws(KVError) {
    (self.rule, self.site, self.manager) = (rule, site, WeakReference(manager))
    self.root = enter(root, rule, by: nil)
    enterPending()
    do throws(KVError) { try rule.endBeginning() } catch { failure = failure ?? error }
    isBeginning = false
    if let failure {
      cancel()
      throw failure
    }
  }

  /// The root; nil if it is dead.
  var rootObject: AnyObject? { root?.object }

  // MARK: Objects

  /// Returns the node of an object to which a relation leads from now on; nil if it cannot be recorded.
  func enter(_ object: any KVObservable, _ rule: UndoRule, by relation: UndoRelation?) -> UndoNode? {
    guard let manager = manager.object, failure == nil else { return nil }
    let id = UndoNode.ID(object, rule)
    if let known = nodes[id] {
      if known.object === object {
        if let relation { known.incoming[ObjectIdentifier(relation)] = relation }
        return known
      }
      removeDead(known)
    }
    let node = UndoNode(object, rule, self)
    do throws(KVError) { try node.begin(object, manager) } catch {
      fail(error, relation?.key?.path, relation?.node.object)
      return nil
    }
    nodes[id] = node
    node.parent = relation
    if let relation { node.incoming[ObjectIdentifier(relation)] = relation }
    pending.append(node)
    return node
  }

  /// Enters the objects of those that have been entered; a loop, since trees may be as deep as they like.
  func enterPending() {
    while failure == nil, let node = pending.popLast() {
      guard let object = node.object else { continue }
      for relation in node.relations { relation.read(object) }
    }
  }

  /// Notes that a relation does not lead to an object any more, which may leave at the end of the step.
  func detach(_ node: UndoNode, from relation: UndoRelation) {
    guard node.incoming.removeValue(forKey: ObjectIdentifier(relation)) != nil, node.parent === relation else { return }
    node.parent = nil
    manager.object?.endWithStep(node)
  }

  /// Ends the recording with an error, or reports one of an object that was entered later.
  func fail(_ error: KVError, _ path: KVKeyPath?, _ object: AnyObject?) {
    if isBeginning {
      failure = failure ?? error
    } else if let object {
      report(error, path, object)
    }
  }

  func report(_ error: KVError, _ path: KVKeyPath?, _ object: AnyObject) {
    KVDiagnostics.report(.error, .undo, path, object, site) {
      path.map { "recording the objects of \"\($0)\": \(error)" } ?? "\(error)"
    }
  }

  // MARK: Leaving

  /// Ends the recording of those of some objects that left the spanning tree to which no path leads from the root, and of
  /// what only these lead to.
  ///
  /// - Complexity: O(*n*) in the objects that leave, and those below them in the spanning tree; of an object to which
  ///   another relation leads, O(its depth).
  func removeUnreachable(among nodes: [UndoNode]) {
    let lost = nodes.filter { $0.parent == nil && !$0.hasLeft && !attach($0) }
    if lost.isEmpty { return }
    var unreached: [ObjectIdentifier: UndoNode] = [:]
    forEach(from: lost) { node in
      unreached[ObjectIdentifier(node)] = node
      return node.relations.flatMap { relation in relation.nodes.filter { $0.parent === relation } }
    }
    let reached = unreached.values.filter { node in
      node.parent = node.incoming.values.first { unreached[ObjectIdentifier($0.node)] == nil } ?? node.parent
      return node.parent.map { unreached[ObjectIdentifier($0.node)] == nil } ?? false
    }
    for node in reached { unreached[ObjectIdentifier(node)] = nil }
    forEach(from: reached) { node in
      node.relations.flatMap { relation in
        relation.nodes.filter { member in
          guard unreached.removeValue(forKey: ObjectIdentifier(member)) != nil else { return false }
          member.parent = relation
          return true
        }
      }
    }
    remove(Array(unreached.values))
  }

  /// Calls a function with nodes, and then with those that it returns.
  private func forEach(from nodes: [UndoNode], _ body: (UndoNode) -> [UndoNode]) {
    var pending = nodes
    while let node = pending.popLast() { pending += body(node) }
  }

  /// Gives a node that has lost its parent another one that the root leads to; returns whether there is any.
  private func attach(_ node: UndoNode) -> Bool {
    let parent = node.incoming.values.first { relation in
      var above: UndoNode = relation.node
      while above !== node, let parent = above.parent { above = parent.node }
      return above === root
    }
    node.parent = parent
    return parent != nil
  }

  /// Ends the recording of an object that is dead.
  func removeDead(_ node: UndoNode) {
    if node.hasLeft { return }
    if node === root { return cancel() }
    remove([node])
  }

  /// Ends the recording of nodes, and of those to which only they have led.
  private func remove(_ left: [UndoNode]) {
    var orphans: [UndoNode] = []
    for node in left {
      if nodes[node.id] === node { nodes[node.id] = nil }
      for relation in node.relations {
        for member in relation.removeAll() where !member.hasLeft {
          member.incoming[ObjectIdentifier(relation)] = nil
          if member.parent === relation {
            member.parent = nil
            orphans.append(member)
          }
        }
      }
      node.detachFromTree()
    }
    for node in left { node.end() }
    if !orphans.isEmpty { removeUnreachable(among: orphans) }
  }

  /// Ends the recording of all objects.
  func cancel() {
    let all = Array(nodes.values)
    (nodes, root, pending) = ([:], nil, [])
    for node in all {
      for relation in node.relations { _ = relation.removeAll() }
      node.detachFromTree()
    }
    for node in all { node.end() }
  }
}
