import KVBinding
import KVCore

/// What can happen to the small graph.
enum LifeStep: CaseIterable, Sendable {
  case registerToken, registerOwner, change, cancel, dropToken, dropRoot, dropOwner, replaceMiddle
}

/// A root, a middle and a leaf, who observes them, and a model of what has to be heard.
final class LifeWorld {
  enum Ownership: Sendable { case object, plain }

  var received: [String] = []

  private var root: LifeNode?
  private var owner: AnyObject?
  private var tokens: [(id: Int, token: KVObservation)] = []
  /// Every middle that ever was, and its leaf; the last is the one that stands.
  private var middles: [LifeNode] = []
  private let captures: LifeCapture.Count
  private var number = 0

  /// The model: who still hears.
  private var tokenIDs: [Int] = []
  private var ownerIDs: [Int] = []

  init(_ ownership: Ownership, _ captures: LifeCapture.Count) {
    self.captures = captures
    middles = [LifeNode("middle", next: LifeNode("leaf"))]
    root = LifeNode("root", next: middles[0])
    owner = ownership == .object ? LifeNode("owner") : LifeOwner()
  }

  func isPossible(_ step: LifeStep) -> Bool {
    switch step {
    case .registerToken, .dropRoot, .replaceMiddle: root != nil
    case .registerOwner: root != nil && owner != nil
    case .change: true
    case .cancel, .dropToken: !tokens.isEmpty
    case .dropOwner: owner != nil
    }
  }

  /// Does a step; returns what had to be heard of it.
  func take(_ step: LifeStep) throws -> [String] {
    let before = polled
    number += 1
    switch step {
    case .registerToken: try registerToken()
    case .registerOwner: try registerOwner()
    case .cancel:
      tokens.last?.token.cancel()
      tokenIDs.removeAll { $0 == tokens.last?.id }
    case .dropToken:
      let id = tokens.removeFirst().id
      tokenIDs.removeAll { $0 == id }
    case .dropRoot:
      root = nil
      tokenIDs = []
      ownerIDs = []
    case .dropOwner:
      owner = nil
      ownerIDs = []
    case .change:
      for middle in middles { middle.next?.name = "changed \(number)" }
      return expected(before)
    case .replaceMiddle:
      middles.append(LifeNode("middle \(number)", next: LifeNode("leaf \(number)")))
      root?.next = middles.last
      return expected(before)
    }
    return []
  }

  private func expected(_ before: String) -> [String] { (tokenIDs + ownerIDs).map { "\($0): \(before) → \(polled)" } }

  private var polled: String { root?.next?.next?.name ?? "nil" }

  private func registerToken() throws {
    let id = number
    let capture = LifeCapture(captures)
    guard let root else { return }
    let token = try root.observe("next.next.name") { [unowned self] change in
      withExtendedLifetime(capture) { note(id, change) }
    }
    tokens.append((id, token))
    tokenIDs.append(id)
  }

  private func registerOwner() throws {
    let id = number
    let capture = LifeCapture(captures)
    guard let root, let owner else { return }
    try root.observe("next.next.name", owner: owner) { [unowned self] _, change in
      withExtendedLifetime(capture) { note(id, change) }
    }
    ownerIDs.append(id)
  }

  private func note(_ id: Int, _ change: KVChange) {
    received.append("\(id): \(change.old ?? "nil") → \(change.new ?? "nil")")
  }

  // MARK: What is left

  /// What is wrong with what is registered where.
  var faultOfListings: String? {
    let live = tokenIDs.count + ownerIDs.count
    if let root, KVDiagnostics.observations(of: root).count != live {
      return "listed are \(KVDiagnostics.observations(of: root)), not \(live)"
    }
    for (index, middle) in middles.enumerated() {
      let isObserved = root != nil && live > 0 && index == middles.count - 1
      if isUnentered(middle) == isObserved { return "middle \(index) has entries: \(!isObserved)" }
      if let leaf = middle.next, isUnentered(leaf) == isObserved { return "leaf \(index) has entries: \(!isObserved)" }
    }
    return nil
  }

  private func isUnentered(_ node: LifeNode) -> Bool {
    (node.registrarSlot.registrar?.masks ?? (0, 0, 0, 0)) == (0, 0, 0, 0)
  }

  /// Lets go of everything, and looks whether something stays.
  func faultOfDropping() -> String? {
    struct Weak { weak var object: AnyObject? }
    var witnesses = [Weak(object: root), Weak(object: owner)]
    for middle in middles { witnesses += [Weak(object: middle), Weak(object: middle.next)] }
    // Owners first, then the objects, then the tokens: the other orders are among the steps.
    owner = nil
    root = nil
    middles = []
    tokens = []
    return witnesses.contains { $0.object != nil } ? "an object is left" : nil
  }
}
