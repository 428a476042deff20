import KVCore
import Synchronization

/// Which bindings of a wave follow others, and which registrations the wave keeps: found before its first notification.
///
/// A node is a binding and the side that changes. An edge leads to each binding that the key triggers which the node sets.
/// The rank of a node is the length of the longest chain behind it; nodes that lead to each other have one rank. Bindings
/// that wait have their turns by descending rank.
final class WaveOrder {
  /// The number of changes of what the orders of all waves depend on.
  private static let versions = Atomic<UInt64>(1)

  static var version: UInt64 { versions.load(ordering: .acquiring) }
  /// Records that an entry was added or removed which bindings may follow.
  static func invalidate() {
    versions.wrappingAdd(1, ordering: .releasing)
    // The setter of the target has made a binding, and then sets the target: it leads further than the write does.
    ThreadDeliveries.forgetExpected()
  }

  struct Node: Hashable {
    let binding: ObjectIdentifier
    let side: BindingSide

    init(_ binding: BindingCore, _ side: BindingSide) {
      self.binding = ObjectIdentifier(binding)
      self.side = side
    }
  }

  /// The bindings of the first delivery that another one leads to.
  private let downstream: Set<Node>
  /// The registrations that at least two keys of the wave reach by more than their last component, in their order.
  let kept: ContiguousArray<(order: UInt32, registration: ObjectIdentifier)>

  fileprivate init(downstream: Set<Node>, kept: ContiguousArray<(order: UInt32, registration: ObjectIdentifier)>) {
    self.downstream = downstream
    self.kept = kept
  }

  func isDownstream(_ binding: BindingCore, _ side: BindingSide) -> Bool {
    !downstream.isEmpty && downstream.contains(Node(binding, side))
  }

  /// Returns the index of a registration that is kept; nil for any other one.
  func index(of registration: Registration) -> Int? {
    if kept.isEmpty { return nil }
    let index = kept.firstIndex(notBefore: registration.order) { $0.order }
    return index < kept.count && kept[index].registration == ObjectIdentifier(registration) ? index : nil
  }
}

/// Finds the order of a wave: the graph of what its bindings trigger, the components in which they lead to each other, and
/// their ranks.
///
/// It consists of loops, since a chain of bindings has any length.
struct WaveGraph {
  private struct Vertex {
    let binding: BindingCore
    let side: BindingSide
    var followers: [Int] = []
    /// The number of the component; nil until it is found.
    var component: Int?
    var index = -1
    var low = 0
    var isOnStack = false
  }

  private var vertices: [Vertex] = []
  private var vertexIndexes: [WaveOrder.Node: Int] = [:]
  /// How many keys reach each registration by more than its last component.
  private var reached: [ObjectIdentifier: (order: UInt32, count: Int)] = [:]
  private var ranks: [Int32] = []
  /// The number of vertices whose components have been begun to be found.
  private var foundCount = 0
  /// The registrations that one write reaches which sets several keys.
  private var reachedByUpdate: Set<ObjectIdentifier>?

  /// Returns the order of the wave that a change of a key begins; nil if none of its bindings leads to another one.
  static func order(
    _ key: InternedKey, of object: AnyObject, _ registrar: ObserverRegistrar, by writer: BindingCore?
  ) -> WaveOrder? {
    var graph = WaveGraph()
    return graph.order(from: graph.follow(key, of: object, registrar, except: writer))
  }

  /// Returns the order of the wave that a change with plans of its own begins.
  static func order(of plans: [ChangePlan], by writer: BindingCore?) -> WaveOrder? {
    // Most bindings set what nobody observes.
    let leads = plans.contains { plan in
      plan.hasBindings
        && plan.steps.contains { step in
          guard let binding = step.registration.kind.binding, binding !== writer else { return false }
          guard let written = written(by: binding, binding.side(of: step.registration)) else { return false }
          return written.isUpdate || written.registrar.hasEntries(of: written.key)
        }
    }
    if !leads { return nil }
    var graph = WaveGraph()
    var start: [Int] = []
    for plan in plans {
      plan.forEachNotified { registration, isDirect in
        if let found = graph.add(registration, isDirect: isDirect, except: writer) { start.append(found) }
      }
    }
    return graph.order(from: start)
  }

  /// Returns what a binding sets when one of its sides changes, and whether further keys of the object change with it;
  /// nil if nobody observes the object.
  private static func written(
    by binding: BindingCore, _ side: BindingSide
  ) -> (object: AnyObject, registrar: ObserverRegistrar, key: InternedKey, isUpdate: Bool)? {
    guard let (object, key) = binding.written(from: side), let observable = object as? any KVObservable,
      let registrar = ObserverRegistrar.existing(of: observable)
    else { return nil }
    return (object, registrar, key, object is any Updating)
  }

  private mutating func vertexIndex(_ binding: BindingCore, _ side: BindingSide) -> Int {
    let node = WaveOrder.Node(binding, side)
    if let known = vertexIndexes[node] { return known }
    vertexIndexes[node] = vertices.count
    vertices.append(Vertex(binding: binding, side: side))
    return vertices.count - 1
  }

  /// Returns the bindings that a change of a key triggers, and counts the other registrations that depend on it.
  private mutating func follow(
    _ key: InternedKey, of object: AnyObject, _ registrar: ObserverRegistrar, except own: BindingCore?
  ) -> [Int] {
    var result: [Int] = []
    registrar.forEachNotified(of: key, object) { registration, isDirect in
      if let found = add(registration, isDirect: isDirect, except: own) { result.append(found) }
    }
    return result
  }

  /// Returns the place of a binding that is notified of a change; counts any other registration that depends on the key.
  private mutating func add(_ registration: Registration, isDirect: Bool, except own: BindingCore?) -> Int? {
    if let binding = registration.kind.binding {
      let side = binding.side(of: registration)
      let isIgnored = binding.ignores(side) && (isDirect || binding.endpoint(side).path.count == 1)
      return binding === own || isIgnored ? nil : vertexIndex(binding, side)
    }
    if !isDirect {
      let id = ObjectIdentifier(registration)
      if reachedByUpdate?.insert(id).inserted == false { return nil }
      reached[id] = (registration.order, (reached[id]?.count ?? 0) + 1)
    }
    return nil
  }

  private mutating func order(from start: [Int]) -> WaveOrder? {
    var (next, hasEdges) = (0, false)
    while next < vertices.count {
      let (binding, side) = (vertices[next].binding, vertices[next].side)
      if let (object, registrar, key, isUpdate) = Self.written(by: binding, side) {
        reachedByUpdate = isUpdate ? [] : nil
        vertices[next].followers = (isUpdate ? registrar.keysWithEntries : [key]).flatMap {
          follow($0, of: object, registrar, except: binding)
        }
        if !vertices[next].followers.isEmpty { hasEdges = true }
      }
      next += 1
    }
    let kept = reached.filter { $0.value.count > 1 }
      .map { (order: $0.value.order, registration: $0.key) }.ordered { $0.order }
    guard hasEdges || !kept.isEmpty else {
      for vertex in vertices { vertex.binding.setRank(0, vertex.side) }
      return nil
    }
    for index in vertices.indices where vertices[index].index < 0 { findComponents(from: index) }
    for vertex in vertices { vertex.binding.setRank(vertex.component.map { ranks[$0] } ?? 0, vertex.side) }
    var downstream: Set<WaveOrder.Node> = []
    let starting = Set(start)
    for vertex in vertices {
      for follower in vertex.followers
      where starting.contains(follower) && vertices[follower].component != vertex.component {
        let found = vertices[follower]
        downstream.insert(WaveOrder.Node(found.binding, found.side))
      }
    }
    return WaveOrder(downstream: downstream, kept: ContiguousArray(kept))
  }

  /// Finds the components that one vertex leads to: each after all that it leads to (Tarjan, 1972).
  private mutating func findComponents(from root: Int) {
    var calls = [(vertex: root, follower: 0)]
    var stack: [Int] = []
    while let call = calls.last {
      let vertex = call.vertex
      if call.follower == 0 {
        (vertices[vertex].index, vertices[vertex].low) = (foundCount, foundCount)
        foundCount += 1
        stack.append(vertex)
        vertices[vertex].isOnStack = true
      }
      if call.follower < vertices[vertex].followers.count {
        calls[calls.count - 1].follower += 1
        let follower = vertices[vertex].followers[call.follower]
        if vertices[follower].index < 0 {
          calls.append((follower, 0))
        } else if vertices[follower].isOnStack {
          vertices[vertex].low = min(vertices[vertex].low, vertices[follower].index)
        }
        continue
      }
      calls.removeLast()
      if let parent = calls.last?.vertex { vertices[parent].low = min(vertices[parent].low, vertices[vertex].low) }
      if vertices[vertex].low == vertices[vertex].index { closeComponent(of: vertex, &stack) }
    }
  }

  private mutating func closeComponent(of vertex: Int, _ stack: inout [Int]) {
    let (component, start) = (ranks.count, stack.lastIndex(of: vertex) ?? 0)
    let members = stack[start...]
    for member in members { (vertices[member].component, vertices[member].isOnStack) = (component, false) }
    let downstream = members.flatMap { vertices[$0].followers }.compactMap { vertices[$0].component }
      .filter { $0 != component }.map { ranks[$0] }
    ranks.append((downstream.max() ?? -1) + 1)
    stack.removeSubrange(start...)
  }
}
