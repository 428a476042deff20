import KVCore
import Synchronization

/// What the bindings of one thread are doing right now: a chain of those that set each other off.
///
/// There is one a thread, made when its first binding works and kept until it ends; nobody else touches it.
final class Propagation {
  private static let ofThread = ThreadLocal<Propagation>(releasesAtExit: true)
  private static let numbers = Atomic<UInt>(0)

  /// Those that are busy, each set off by the one before.
  @exclusivity(unchecked) private var chain: ContiguousArray<Unmanaged<BindingCore>> = []
  /// What waits until the chain is through, since it has become too long for the stack.
  @exclusivity(unchecked) private var waiting: [(core: BindingCore, side: BindingSide)] = []
  /// Tells all that one change has set off from what came before.
  @exclusivity(unchecked) private(set) var number: UInt = 0
  /// Whether a binding has been set off again: then it is counted how often each of them works.
  @exclusivity(unchecked) var hasCycle = false
  /// How many executors have been gone through since the change that began it.
  @exclusivity(unchecked) private(set) var hops = 0
  @exclusivity(unchecked) private var isFinishing = false

  /// How long a chain goes into the stack.
  private static let maximumDepth = 50

  /// The one of this thread.
  @inline(__always)
  static var current: Unmanaged<Propagation> { ofThread.unmanaged ?? make() }

  @inline(never)
  private static func make() -> Unmanaged<Propagation> {
    let made = Unmanaged.passRetained(Propagation())
    ofThread.unmanaged = made
    return made
  }

  /// Whether a further binding would make the chain too long.
  @inline(__always)
  var isFull: Bool { chain.count >= Self.maximumDepth }

  /// Puts a binding at the end of the chain.
  @inline(__always)
  func push(_ core: BindingCore, _ payload: BindingPayload?) {
    if chain.isEmpty, !isFinishing {
      hops = payload == nil ? 0 : (payload as? TransformedValue)?.hops ?? 0
      number = Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue
      hasCycle = false
    }
    chain.append(.passUnretained(core))
  }

  /// Takes the last binding from the chain; with the first one, does what was left for later.
  @inline(__always)
  func pop() {
    chain.removeLast()
    guard chain.isEmpty, !isFinishing else { return }
    if !waiting.isEmpty { finish() }
    hops = 0
  }

  /// Leaves a binding for later.
  func postpone(_ core: BindingCore, _ side: BindingSide) { waiting.append((core, side)) }

  @inline(never)
  private func finish() {
    isFinishing = true
    // A round that is longer than a chain may be shows in nothing else.
    hasCycle = true
    var next = 0
    while next < waiting.count {
      let (core, side) = waiting[next]
      next += 1
      core.propagate(from: side, nil, nil)
    }
    waiting = []
    isFinishing = false
  }

  /// Names the bindings that led from one back to it; only that one if something else of the program did.
  func cycle(of core: BindingCore) -> String {
    let cores = chain.suffix(10).map { $0.takeUnretainedValue() }
    let start = cores.lastIndex { $0 === core } ?? 0
    return cores[start...].map(\.locatedSummary).joined(separator: ", ")
  }
}
