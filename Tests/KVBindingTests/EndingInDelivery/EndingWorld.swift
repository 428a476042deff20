import KVBinding
import KVCore
import KVTestSupport

/// Two registrations of one kind at one root; the handler of the first ends something in one of its calls.
final class EndingWorld {
  /// What the handler ends.
  enum Victim: String, CaseIterable {
    case itself, itselfDropped, other, otherDropped, owner, otherOwner, root, middle, elements, everything
    case scope, bothPaused, changedAgain
  }

  /// One of the two.
  final class Entry {
    var kept: AnyObject?
    var cancel: () -> Void = {}
    var owner: EndingOwner? = EndingOwner()
    var calls = 0
    weak var witness: EndingOwner?

    init() { witness = owner }

    func drop() {
      kept = nil
      cancel = {}
    }
  }

  var root: EndingNode? = .make()
  weak var witness: EndingNode?
  var first = Entry()
  var second = Entry()
  private(set) var hasStruck = false

  private let kind: EndingKind
  private let victim: Victim
  private let phase: EndingPhase
  private let onOtherThread: Bool

  init(_ kind: EndingKind, _ victim: Victim, _ phase: EndingPhase, onOtherThread: Bool) {
    (self.kind, self.victim, self.phase, self.onOtherThread) = (kind, victim, phase, onOtherThread)
    witness = root
  }

  func register() throws {
    try register(first) { [unowned self] in strike($0) }
    try register(second) { _ in }
  }

  private func register(_ entry: Entry, _ handler: @escaping (EndingPhase) -> Void) throws {
    guard let root, let owner = entry.owner else { return }
    var isRegistering = true
    let registration = try kind.register(at: root, owner: owner) { [unowned entry] phase in
      entry.calls += 1
      handler(isRegistering ? .initial : phase)
    }
    isRegistering = false
    entry.kept = registration.kept
    entry.cancel = registration.cancel
  }

  private func strike(_ phase: EndingPhase) {
    guard phase == self.phase, !hasStruck else { return }
    hasStruck = true
    if onOtherThread {
      let shared = KVUncheckedSendable(self)
      WorkerThread { shared.value.end() }.runToEnd()
    } else {
      end()
    }
    (first.calls, second.calls) = (0, 0)
  }

  private func end() {
    switch victim {
    case .itself: first.cancel()
    case .itselfDropped: first.drop()
    case .other: second.cancel()
    case .otherDropped: second.drop()
    case .owner: first.owner = nil
    case .otherOwner: second.owner = nil
    case .root: root = nil
    case .middle: root?.next = nil
    case .elements: root?.items = []
    case .everything:
      (first.owner, second.owner) = (nil, nil)
      first.drop()
      second.drop()
      root?.next = nil
      root?.items = []
      root = nil
    case .scope: KVCoalescing.commit()
    case .bothPaused: for token in [first, second] { (token.kept as? KVObservation)?.pause() }
    case .changedAgain: change()
    }
  }

  /// Whether the handlers must not be called any more.
  var mustBeSilent: (first: Bool, second: Bool) {
    // What is registered is ended only when the call that registers it has returned, and a change that has been announced
    // to the target of a binding is made.
    let isEnded = phase != .initial && !(kind.isBinding && phase == .prior)
    switch victim {
    case .itself: return (isEnded, false)
    case .itselfDropped: return (isEnded && !kind.isOwned, false)
    case .other: return (false, isEnded)
    case .otherDropped: return (false, isEnded && !kind.isOwned)
    case .owner: return (isEnded && kind.isOwned, false)
    case .otherOwner: return (false, isEnded && kind.isOwned)
    default: return (false, false)
    }
  }

  /// Makes one change of each kind; the root may be gone after any of them.
  func change() {
    root?.name = "b"
    root?.next?.name = "c"
    root?.next?.next?.name = "d"
    root?.next?.place.city = "Bonn"
    root?.next?.number = 2
    root?.items.first?.name = "e"
    root?.items.first?.number = 3
    root?.items.append(EndingNode())
    try? root?.mutableArray(forKey: "items").insert(EndingNode(), at: 0)
    try? root?.mutableArray(forKey: "items").remove(at: 0)
    root?.tags.insert(1)
    try? root?.mutableSet(forKey: "tags").add(2)
    try? root?.setValue("f", forKeyPath: "next.name")
    try? root?.setValue(["n", "o"], forKeyPath: "items.name")
    root?.withChange(forKey: "plain") {}
    root?.next = EndingNode.make()
    root?.next?.name = "g"
    root?.items = [EndingNode(), EndingNode()]
    root?.items.last?.number = 4
  }

  /// Makes the changes of ``change()`` in a scope, and in a transaction that fails.
  func changeInScopes() {
    struct Failure: Error {}
    KVCoalescing.coalesce { change() }
    try? KVTransaction.run { () throws(Failure) in
      change()
      throw Failure()
    }
  }

  /// Lets go of all that the world holds.
  func release() {
    root = nil
    first.drop()
    second.drop()
    (first.owner, second.owner) = (nil, nil)
  }
}
