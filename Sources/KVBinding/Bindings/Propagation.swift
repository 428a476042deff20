import KVCore
import Synchronization

/// The bindings that are busy on one thread: a chain, in which each was triggered by the one before.
///
/// Each thread has its own; see ``ThreadDeliveries``.
final class Propagation {
  /// The number of threads that have propagated a value so far.
  private static let threads = Atomic<UInt64>(0)

  /// The last binding of the chain; each has the one before it in its ``BindingCore/Run``.
  private var end: _KVReference<BindingCore>?
  /// The number of bindings in the chain.
  private var count = 0
  /// The bindings that are postponed until the chain is finished, because it is too long for the stack.
  #if compiler(>=6.2)
    @safe
  #endif
  @exclusivity(unchecked) private var waiting: [(core: BindingCore, side: BindingSide)] = []
  /// The number of the propagation, which distinguishes all that one change triggers from earlier changes.
  ///
  /// Each thread counts from a number of its own, so that threads do not wait for each other.
  private(set) var number = threads.wrappingAdd(1, ordering: .relaxed).newValue << 40
  /// Whether a binding was triggered again: the transfers of each binding are then limited.
  var hasCycle = false
  /// The number of executors in sequence since the first change.
  private(set) var hops = 0
  private var isFinishing = false

  /// The binding that was triggered last and has not ended.
  var last: BindingCore? { end?.object }

  /// The maximum length of the chain.
  private static let maximumDepth = 50

  /// Whether a further binding would make the chain too long.
  @inline(__always)
  var isFull: Bool { count > 0 && (count >= Self.maximumDepth || DeliveryStack.isLow) }

  /// Appends a busy binding to the chain, calls a function, and removes the binding; if it was the first, runs the
  /// postponed bindings.
  @inline(__always)
  func run(_ core: BindingCore, _ payload: BindingPayload?, _ body: () -> Void) {
    if count == 0, !isFinishing {
      hops = payload?.hops ?? 0
      number &+= 1
      hasCycle = false
    }
    // The binding is not busy any more when the function returns, so that another thread may have it in its chain.
    let previous = end
    core.run.previous = previous
    end = _KVReference(core)
    count &+= 1
    body()
    end = previous
    count &-= 1
    guard count == 0, !isFinishing else { return }
    if !waiting.isEmpty { finish() }
    hops = 0
  }

  /// Postpones a binding.
  func postpone(_ core: BindingCore, _ side: BindingSide) { waiting.append((core, side)) }

  @inline(never)
  private func finish() {
    isFinishing = true
    // A cycle that is longer than the chain cannot be detected otherwise.
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

  /// Describes the bindings that led from one binding back to it; only that one if other code did.
  func cycle(of core: BindingCore) -> String {
    var cores: [BindingCore] = []
    var next = last
    while let core = next, cores.count < 10 {
      cores.append(core)
      next = core.run.isBusyHere ? core.run.previous?.object : nil
    }
    if let start = cores.firstIndex(where: { $0 === core }) { cores.removeSubrange((start + 1)...) }
    return cores.reversed().map(\.locatedSummary).joined(separator: ", ")
  }
}
