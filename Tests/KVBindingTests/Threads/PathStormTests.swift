import KVBinding
import KVCore
import KVTestSupport
import Testing

/// Paths and dependent keys while several threads change what they lead through.
@Suite("THR.1: storms on paths")
struct PathStormTests {
  @Test("THR.1, KVO.11: middles replaced while others register and cancel: paths follow the actual objects afterwards")
  func replacedMiddles() throws {
    let nodes = (0..<5).map { _ in KVUncheckedSendable(StormNode()) }
    // Whether a key is observed at all is asked before a write; so that all writes are told, all keys are.
    var constant: [KVObservation] = []
    for node in nodes { constant.append(try node.value.observe(["next", "name"], options: []) { _ in }) }
    let watches = Mutexed<[StormWatch]>([])
    WorkerThread.run(4) { number in
      var random = ScopeRandom(seed: UInt64(number + 1))
      var own: [StormWatch] = []
      for round in 0..<600 {
        let node = nodes[random.below(5)].value
        switch random.below(8) {
        case 0, 1, 2: try? node.setValue(random.below(6) == 0 ? nil : nodes[random.below(5)].value, forKey: "next")
        case 3: try? node.setValue(round, forKey: "name")
        case 4, 5:
          if own.count < 12, let watch = StormWatch(node, StormWatch.paths[random.below(4)]) { own.append(watch) }
        default: if !own.isEmpty { own.remove(at: random.below(own.count)).token.cancel() }
        }
      }
      watches.withLock { [own] in $0 += own }
    }
    let left = watches.withLock { $0 }
    #expect(!left.isEmpty)
    for (index, node) in nodes.enumerated() {
      left.forEach { watch in watch.received.withLock { $0 = 0 } }
      try node.value.setValue(-1 - index, forKey: "name")
      for watch in left {
        #expect(watch.received.withLock { $0 } == (watch.concerns(node.value) ? 1 : 0), "\(watch.path)")
      }
    }
    left.forEach { $0.token.cancel() }
    constant.forEach { $0.cancel() }
    for node in nodes {
      #expect(isUnobserved(node.value))
      try node.value.setValue(nil, forKey: "next")
    }
  }

  @Test(
    "THR.1, DEP.1, WAV.9: a dependent key that threads begin and cease to observe at once: each receives its own changes",
    arguments: [["label", "total"], ["total", "total"]] as [[KVKeyPath]])
  func dependents(keys: [KVKeyPath]) throws {
    let nodes = [KVUncheckedSendable(StormNode()), KVUncheckedSendable(StormNode())]
    nodes[0].value.next = nodes[1].value
    nodes[1].value.next = nodes[0].value
    let missed = Mutexed(0)
    WorkerThread.run(4) { number in
      for round in 0..<1_000 {
        let (node, next) = (nodes[(round + number) % 2].value, nodes[(round + number + 1) % 2].value)
        guard let watch = StormWatch(node, keys[number % 2]) else {
          missed.withLock { $0 += 1 }
          continue
        }
        try? (round % 3 == 0 ? node : next).setValue(round, forKey: "name")
        if watch.received.withLock({ $0 }) == 0 { missed.withLock { $0 += 1 } }
        watch.token.cancel()
      }
    }
    #expect(missed.withLock { $0 } == 0)
    let watch = try #require(StormWatch(nodes[0].value, "total"))
    try nodes[1].value.setValue(-1, forKey: "name")
    #expect(watch.received.withLock { $0 } == 1)
    watch.token.cancel()
    // Keys that depend on each other watch each other until they do not any more.
    for node in nodes { try node.value.setValue(nil, forKey: "next") }
    for node in nodes { #expect(isUnobserved(node.value)) }
  }

  @Test("THR.1, WAV.3, WAV.9: the order of a wave is found while other threads end the plans of the keys that it asks")
  func orders() throws {
    let nodes = (0..<3).map { _ in KVUncheckedSendable(StormNode()) }
    for (node, next) in zip(nodes, nodes.dropFirst()) { try next.value.bind("name", to: "name", of: node.value) }
    // Keys with dependent keys have plans; long ones take time to be looked through.
    let constant = (0..<300).compactMap { _ in StormWatch(nodes[1].value, "label") }
    let missed = Mutexed(0)
    WorkerThread.run(4) { number in
      for round in 0..<1_000 {
        guard number > 0 else {
          try? nodes[0].value.setValue(round, forKey: "name")
          continue
        }
        let watch = StormWatch(nodes[1].value, "label")
        if watch == nil { missed.withLock { $0 += 1 } }
        watch?.token.cancel()
      }
    }
    #expect(missed.withLock { $0 } == 0)
    #expect(nodes.map(\.value.name) == [999, 999, 999])
    constant.forEach { $0.token.cancel() }
  }

  @Test("THR.1, LIF.1: the registrar of an object whose dependent keys were observed goes with it")
  func nothingIsLeft() throws {
    var node: StormNode? = StormNode()
    node?.next = StormNode()
    node?.next?.next = node
    weak let registrar = try {
      let token = try node?.observe(["total", "next.total", "label"]) { _ in }
      token?.cancel()
      return node?.registrarSlot.registrar
    }()
    #expect(registrar != nil)
    node?.next?.next = nil
    node = nil
    #expect(registrar == nil)
  }
}

/// An observation that counts what it hears.
private struct StormWatch: Sendable {
  static let paths: [KVKeyPath] = ["next.next.name", "label", "next.next.label", "next.next.next.next.name"]

  let root: KVUncheckedSendable<StormNode>
  let path: KVKeyPath
  let received = Mutexed(0)
  let token: KVObservation

  init?(_ root: StormNode, _ path: KVKeyPath) {
    guard let token = try? root.observe(path, options: .new, handler: { [received] _ in received.withLock { $0 += 1 } })
    else { return nil }
    (self.root, self.path, self.token) = (KVUncheckedSendable(root), path, token)
  }

  /// Whether the name of a node is part of what the path leads to now.
  func concerns(_ node: StormNode) -> Bool {
    var owner: StormNode? = root.value
    for component in path.description.split(separator: ".").dropLast() where component == "next" { owner = owner?.next }
    guard let owner else { return false }
    return owner === node || path.description.hasSuffix("label") && owner.next === node
  }
}

/// A model that its author made thread-safe.
private final class StormNode: KVObject {
  private let storedName = Mutexed(0)
  private let storedNext = Mutexed<KVUncheckedSendable<StormNode>?>(nil)

  var name: Int {
    get { storedName.withLock { $0 } }
    set { storedName.withLock { $0 = newValue } }
  }

  var next: StormNode? {
    get { storedNext.withLock { $0 }?.value }
    set { storedNext.withLock { $0 = newValue.map { KVUncheckedSendable($0) } } }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: StormNode.self) { key in
      key("name", \.name)
      key("next", \.next)
      key("label") { "\($0.name) \($0.next?.name ?? 0)" }.affected(by: "name", "next.name")
      key("total") { $0.name + ($0.next?.name ?? 0) }.affected(by: "name", "next.total")
    }
  }
}
