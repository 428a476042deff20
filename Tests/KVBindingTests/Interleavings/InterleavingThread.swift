import KVBinding
import KVCore
import KVTestSupport
import TestModels

/// What one of several threads does with objects that all of them use.
struct InterleavingThread {
  /// An observation of a shared object, and what it has received.
  struct Watch: Sendable {
    let root: KVUncheckedSendable<InterleavingSharedNode>
    let path: String
    let token: KVObservation
    let received: Mutexed<Int>

    /// Whether the name of a node is part of the value of the path.
    func concerns(_ node: InterleavingSharedNode) -> Bool {
      var owner: InterleavingSharedNode? = root.value
      for component in path.split(separator: ".") where component == "next" { owner = owner?.next }
      guard let owner else { return false }
      return owner === node || path.hasSuffix("label") && owner.next === node
    }
  }

  static let paths = ["name", "next.name", "label", "next.label", "next.next.name"]

  let nodes: [KVUncheckedSendable<InterleavingSharedNode>]
  /// Tokens that every thread may cancel and pause.
  let common: Mutexed<[KVObservation]>
  var random: SplitMix64
  private(set) var watches: [Watch] = []
  private var plainOwner = LifeOwner()
  private var owner = InterleavingView(0)

  init(
    _ nodes: [KVUncheckedSendable<InterleavingSharedNode>], _ common: Mutexed<[KVObservation]>, seed: UInt64
  ) {
    (self.nodes, self.common) = (nodes, common)
    random = SplitMix64(seed: seed)
  }

  private mutating func node() -> InterleavingSharedNode { nodes[random.below(nodes.count)].value }

  /// Makes one random operation.
  mutating func operate() throws {
    let node = node()
    switch random.below(20) {
    case 0, 1, 2: try node.setValue(random.below(1_000), forKey: "name")
    case 3, 4: try node.setValue(random.below(5) == 0 ? nil : self.node(), forKey: "next")
    case 5:
      // A node that dies on the thread that replaces it.
      let brief = InterleavingSharedNode()
      brief.next = self.node()
      try node.setValue(brief, forKey: "next")
    case 6, 7: try watch(node)
    case 8: if !watches.isEmpty { watches.remove(at: random.below(watches.count)).token.cancel() }
    case 9: if !watches.isEmpty { watches.remove(at: random.below(watches.count)) }
    case 10: try share(node)
    case 11: common.withLock { $0.last }?.cancel()
    case 12:
      let token = common.withLock { $0.first }
      if random.below(2) == 0 { token?.pause() } else { token?.resume() }
    case 13: try node.observe("next.name", options: [.new, .coalesced], owner: plainOwner) { _, _ in }
    case 14: try node.observe("label", options: [.old, .prior], owner: owner) { _, _ in }
    case 15: if random.below(2) == 0 { (plainOwner, owner) = (LifeOwner(), InterleavingView(0)) }
    case 16: _ = KVDiagnostics.observations(of: node).map(\.description)
    case 17: try node.bind("copy", to: "name", of: self.node())
    case 18: if !KVDiagnostics.bindings(of: node).isEmpty { node.unbindAll() }
    default:
      let (number, other) = (random.below(1_000), self.node())
      try KVCoalescing.coalesce {
        try node.setValue(number, forKey: "name")
        try other.setValue(number, forKey: "name")
      }
    }
  }

  private mutating func watch(_ node: InterleavingSharedNode) throws {
    guard watches.count < 8 else { return }
    let (received, path) = (Mutexed(0), Self.paths[random.below(Self.paths.count)])
    let token = try node.observe(path, options: random.below(2) == 0 ? .new : [.old, .new, .coalesced]) { _ in
      received.withLock { $0 += 1 }
    }
    watches.append(Watch(root: KVUncheckedSendable(node), path: path, token: token, received: received))
  }

  /// Registers what any thread may end; the token that ends now is dropped outside of the lock.
  private mutating func share(_ node: InterleavingSharedNode) throws {
    let token = try node.observe(Self.paths[random.below(Self.paths.count)], options: [.old, .new, .coalesced]) { _ in }
    let ended = common.withLock { tokens in
      tokens.append(token)
      return tokens.count > 16 ? tokens.removeFirst() : nil
    }
    withExtendedLifetime(ended) {}
  }
}
