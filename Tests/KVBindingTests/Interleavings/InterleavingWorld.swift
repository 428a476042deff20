import KVBinding
import KVCore

/// The real objects beside the model; every operation is made on both.
final class InterleavingWorld {
  private struct Witness {
    weak var object: AnyObject?
  }

  private struct Token {
    let number: Int
    var token: KVObservation?
  }

  private(set) var model: InterleavingModel
  private let captures = LifeCapture.Count()
  private var root: InterleavingNode?
  private var view: InterleavingView?
  private var owner: (any KVObserver)?
  private var middle: InterleavingNode?
  private var former: InterleavingNode?
  private weak var anyRoot: InterleavingNode?
  private weak var anyView: InterleavingView?
  /// Every middle object but the present one and the one before.
  private var middles: [Witness] = []
  /// The tokens of the registrations that exist, in the order of the model's.
  private var tokens: [Token] = []
  private var number = 0
  private var notified: [InterleavingModel.Notification] = []

  /// Makes the graph.
  ///
  /// - Parameter isOwnerView: Whether the owner is the view, a `KVObject`; otherwise it is no observable object.
  init(isOwnerView: Bool) {
    model = InterleavingModel(isOwnerView: isOwnerView)
    let middle = InterleavingNode(1)
    let (root, view) = (InterleavingNode(0, next: middle), InterleavingView(2))
    (self.middle, self.root, self.view) = (middle, root, view)
    owner = isOwnerView ? view : LifeOwner()
    (anyRoot, anyView) = (root, view)
  }

  /// Makes an operation that is possible; returns what differs from the model.
  ///
  /// - Parameter isChecked: Whether values, listings and lifetimes are compared, too.
  func make(_ move: InterleavingMove, isChecked: Bool = true) -> String? {
    notified.removeAll(keepingCapacity: true)
    let before = model
    model.make(move)
    do { try perform(move, before) } catch { return "\(error)" }
    let alive = Set(model.registrations.map(\.number))
    let isLate = tokens.contains { !alive.contains($0.number) && $0.token?.isActive == true }
    tokens.removeAll { !alive.contains($0.number) }
    if notified != model.notified { return "notified \(texts(notified)), not \(texts(model.notified))" }
    // An owner that is no observable object has ended its observations when they are listed (LIF.1).
    if isLate, model.isOwnerView { return "a token is active" }
    return isChecked ? fault() : nil
  }

  private func texts(_ notifications: [InterleavingModel.Notification]) -> [String] {
    notifications.map {
      "\($0.receiver) \($0.phase): \($0.old.map { "\($0)" } ?? "nil") → \($0.new.map { "\($0)" } ?? "nil")"
    }
  }

  private func perform(_ move: InterleavingMove, _ before: InterleavingModel) throws {
    let value = before.nextValue
    switch move {
    case .register(let kind): try register(kind)
    case .change:
      former?.name = value
      try set(before.hasFormer ? value + 1 : value)
    case .changeEqually: try set(before.middle ?? 0)
    case .changeBack: try set(before.previous ?? 0)
    case .changeRoot: root?.name = value
    case .changeText: view?.text = value
    case .replaceMiddle: try replaceMiddle(by: InterleavingNode(value))
    case .removeMiddle: try replaceMiddle(by: nil)
    case .dropRoot: root = nil
    case .dropOwner: (owner, view) = (nil, nil)
    case .cancel(let index):
      tokens[index].token?.cancel()
    case .drop(let index): tokens[index].token = nil
    case .pause(let index): tokens[index].token?.pause()
    case .resume(let index): tokens[index].token?.resume()
    case .begin: KVCoalescing.begin()
    case .commit: KVCoalescing.commit()
    case .bindOneWay: try bind(.oneWay)
    case .bindTwoWay: try bind(.twoWay)
    case .unbind: view?.unbindAll()
    }
  }

  /// Sets the name of the middle object: even values in Swift, odd ones by key.
  private func set(_ value: Int) throws {
    if value % 2 == 0 { middle?.name = value } else { try middle?.setValue(value, forKey: "name") }
  }

  private func replaceMiddle(by new: InterleavingNode?) throws {
    if let middle {
      if let former { middles.append(Witness(object: former)) }
      former = middle
    }
    middle = new
    if let new, new.name % 2 == 0 { root?.next = new } else { try root?.setValue(new, forKey: "next") }
  }

  private func bind(_ options: KVBindingOptions) throws {
    guard let root, let view else { return }
    number += 1
    try view.bind("text", to: "next.name", of: root, options: options)
  }

  private func register(_ kind: InterleavingKind) throws {
    let number = number
    self.number += 1
    // The initial notification finds the registration in the list.
    tokens.append(Token(number: number))
    var options: KVObservingOptions = [.old, .new]
    if kind.isCoalesced { options.insert(.coalesced) }
    if kind.isDistinct { options.insert(.distinct) }
    if kind.hasPrior { options.insert(.prior) }
    if kind.hasInitial { options.insert(.initial) }
    let capture = LifeCapture(captures)
    let note: (KVChange) -> Void = { [unowned self] change in
      withExtendedLifetime(capture) { self.note(number, change) }
    }
    if kind.path == .text {
      tokens[tokens.count - 1].token = try view.map { try register("text", of: $0, options, kind.hasOwner, note) }
    } else {
      let path = kind.path == .name ? "next.name" : "label"
      tokens[tokens.count - 1].token = try root.map { try register(path, of: $0, options, kind.hasOwner, note) }
    }
  }

  private func register(
    _ path: String, of object: some KVObservable, _ options: KVObservingOptions, _ hasOwner: Bool,
    _ note: @escaping (KVChange) -> Void
  ) throws -> KVObservation {
    guard hasOwner, let owner else { return try object.observe(path, options: options, handler: note) }
    return try observe(object, path, options, by: owner, note)
  }

  private func observe<Owner: KVObserver>(
    _ object: some KVObservable, _ path: String, _ options: KVObservingOptions, by owner: Owner,
    _ note: @escaping (KVChange) -> Void
  ) throws -> KVObservation {
    try object.observe(path, options: options, owner: owner) { _, change in note(change) }
  }

  private func note(_ number: Int, _ change: KVChange) {
    let phase: InterleavingModel.Phase = change.isPrior ? .prior : change.isInitial ? .initial : .change
    notified.append(.init(receiver: number, phase: phase, old: change.old as? Int, new: change.new as? Int))
  }

  // MARK: Comparing

  private func fault() -> String? {
    // Listing ends what belongs to owners that are gone (LIF.1), and with it perhaps the objects.
    if let anyRoot { _ = KVDiagnostics.observations(of: anyRoot) }
    if let anyView { _ = KVDiagnostics.observations(of: anyView) }
    if let fault = faultOfListings() { return fault }
    if (anyRoot != nil) != model.isRootAlive { return "the root is alive: \(!model.isRootAlive)" }
    if (anyView != nil) != model.isViewAlive { return "the view is alive: \(!model.isViewAlive)" }
    if middles.contains(where: { $0.object != nil }) { return "a middle object is left" }
    if let anyRoot, anyRoot.name != model.rootName || anyRoot.next?.name != model.middle { return "values of the root" }
    if let anyView, anyView.text != model.text { return "the text is \(anyView.text), not \(model.text)" }
    if captures.alive != model.registrations.count { return "\(captures.alive) closures are alive" }
    for (token, registration) in zip(tokens, model.registrations) {
      guard let object = token.token else { continue }
      if !object.isActive { return "\(token.number) has ended" }
      if object.isPaused != registration.isPaused { return "\(token.number) is paused: \(object.isPaused)" }
    }
    return nil
  }

  private func faultOfListings() -> String? {
    let paths: [InterleavingKind.Path] = [.name, .label]
    if let anyRoot, let fault = faultOfListing(anyRoot, paths) { return fault }
    if let anyView, let fault = faultOfListing(anyView, [.text]) { return fault }
    let follows = model.isRootAlive && (model.binding != nil || model.registrations.contains { $0.kind.path != .text })
    if let middle, isUnentered(middle) == (follows && model.middle != nil) { return "the middle object: \(!follows)" }
    if let former, !isUnentered(former) { return "the former middle object has entries" }
    return nil
  }

  private func faultOfListing(_ object: some KVObservable, _ paths: [InterleavingKind.Path]) -> String? {
    let listed = KVDiagnostics.observations(of: object).filter { !$0.style.hasPrefix("binding") }
    for path in paths {
      let text = path == .name ? "next.name" : path == .label ? "label" : "text"
      let expected = model.registrations.filter { $0.kind.path == path }
      let found = listed.filter { $0.keyPath.description == text }
      guard found.map(\.isPaused) == expected.map(\.isPaused),
        found.map({ $0.options.contains(.coalesced) }) == expected.map(\.kind.isCoalesced)
      else { return "listed are \(listed)" }
    }
    let bindings = KVDiagnostics.bindings(of: object)
    guard bindings.count == (model.binding == nil ? 0 : 1) else { return "listed are \(bindings)" }
    let state: KVBindingState = model.middle == nil ? .unresolved : .active
    if let binding = bindings.first, binding.state != state { return "the binding is \(binding.state)" }
    return nil
  }

  private func isUnentered(_ node: InterleavingNode) -> Bool {
    (node.registrarSlot.registrar?.masks ?? (0, 0, 0, 0)) == (0, 0, 0, 0)
  }

  // MARK: The end

  /// Ends the scopes, lets go of everything, and returns what stays nevertheless.
  func faultOfDropping() -> String? {
    var fault: String?
    while model.depth > 0 { fault = make(.commit, isChecked: false) ?? fault }
    if let fault { return fault }
    let witnesses = [root, view, owner, middle, former].map { Witness(object: $0) } + middles
    (root, view, owner, middle, former, tokens) = (nil, nil, nil, nil, nil, [])
    if witnesses.contains(where: { $0.object != nil }) { return "an object is left" }
    return captures.alive == 0 ? nil : "\(captures.alive) closures are left"
  }
}
