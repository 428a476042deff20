import KVBinding
import KVControllers
import KVCore

/// Every kind of registration.
enum EndingKind: String, CaseIterable {
  case record, typed, severalPaths, owned, ownedTyped, observer, target, severalActions
  case path, pathThroughStruct, middle, dependent, dependentOnPath
  case array, set, members, operatorWithElements, operatorWithoutElements, elements, ownedElements, relationship
  case distinct, coalesced, coalescedTarget
  case binding, bindingBack, mirroredBinding, transformer, section

  /// Whether the owner keeps the registration.
  var isOwned: Bool {
    switch self {
    case .owned, .ownedTyped, .observer, .target, .severalActions, .ownedElements, .relationship, .coalescedTarget: true
    default: false
    }
  }

  /// Whether ending it does not end the observation whose handler is called: that is of the binding's target.
  var isBinding: Bool { self == .binding || self == .bindingBack || self == .mirroredBinding }

  /// The phases in which its handler is called; what is called while it is registered is initial.
  var phases: [EndingPhase] {
    switch self {
    case .observer, .target, .severalActions, .coalescedTarget, .relationship: [.initial, .change]
    case .binding, .bindingBack, .mirroredBinding: [.prior, .change]
    case .transformer, .section: [.initial, .change]
    default: EndingPhase.allCases
    }
  }

  /// Registers a handler at a root.
  ///
  /// - Returns: What keeps the registration, and how it is cancelled; nil in place of the first if the owner keeps it.
  func register(
    at root: EndingNode, owner: EndingOwner, _ handler: @escaping (EndingPhase) -> Void
  ) throws -> (kept: AnyObject?, cancel: () -> Void) {
    let options: KVObservingOptions = [.old, .new, .initial, .prior]
    func token(_ token: KVObservation) -> (AnyObject?, () -> Void) { (token, { [weak token] in token?.cancel() }) }
    func observe(_ path: String, _ more: KVObservingOptions = []) throws -> (AnyObject?, () -> Void) {
      token(try root.observe(path, options: options.union(more)) { handler(EndingPhase($0)) })
    }
    switch self {
    case .record: return try observe("name")
    case .typed: return token(try root.observe("name", as: String.self, options: options) { handler($0.phase) })
    case .severalPaths:
      return token(try root.observe(["name", "next.name"], options: options) { handler(EndingPhase($0)) })
    case .owned:
      let token = try root.observe("name", options: options, owner: owner) { handler(EndingPhase($1)) }
      return (nil, { token.cancel() })
    case .ownedTyped:
      let token = try root.observe("name", as: String.self, options: options, owner: owner) { handler($1.phase) }
      return (nil, { token.cancel() })
    case .observer:
      let token = try owner.observe(root, ["name", "next.number"]) { _, _, _, _ in handler(.change) }
      return (nil, { token.cancel() })
    case .target, .severalActions, .coalescedTarget:
      owner.notify = handler
      let paths: [KVKeyPath] = self == .target ? ["name"] : ["name", "next.name", "total"]
      if self == .coalescedTarget {
        try root.addTarget(owner, EndingOwner.note, forKeyPaths: paths, options: [.initial, .coalesced])
      } else {
        try root.addTarget(owner, EndingOwner.note, forKeyPaths: paths, options: .initial)
      }
      return (
        nil,
        { [weak owner, weak root] in
          guard let owner, let root else { return }
          for path in paths { try? root.removeTarget(owner, EndingOwner.note, forKeyPath: path) }
        }
      )
    case .path: return try observe("next.next.name")
    case .pathThroughStruct: return try observe("next.place.city")
    case .middle: return try observe("next.number")
    case .dependent: return try observe("label")
    case .dependentOnPath: return try observe("total")
    case .array: return try observe("items")
    case .set: return try observe("tags")
    case .members: return try observe("items[0].name")
    case .operatorWithElements: return try observe("items.@sum.number")
    case .operatorWithoutElements: return try observe("items.@count")
    case .elements:
      return token(try root.observeElements(of: "items", "name", options: options) { handler(EndingPhase($0)) })
    case .ownedElements:
      let token = try root.observeElements(of: "items", "name", options: options, owner: owner) {
        handler(EndingPhase($1))
      }
      return (nil, { token.cancel() })
    case .relationship:
      let token = try owner.observeRelationship(
        root, "items", change: { _, _, _ in handler(.change) }, insertion: { _, _, _ in handler(.change) },
        removal: { _, _, _ in handler(.change) },
        replacement: { _, _, _, _ in handler(.change) })
      return (nil, { token.cancel() })
    case .distinct: return try observe("next.name", .distinct)
    case .coalesced: return try observe("next.name", .coalesced)
    case .binding, .bindingBack, .mirroredBinding, .transformer, .section:
      return try registerBinding(at: root, owner: owner, handler)
    }
  }

  private func registerBinding(
    at root: EndingNode, owner: EndingOwner, _ handler: @escaping (EndingPhase) -> Void
  ) throws -> (kept: AnyObject?, cancel: () -> Void) {
    let other = EndingNode.make()
    switch self {
    case .mirroredBinding:
      let binding = try KVPathBinding(from: root, "items", to: other, "items", options: .twoWay)
      let token = try other.observe("items", options: [.old, .new, .prior]) { handler(EndingPhase($0)) }
      return (EndingKept(other, binding, token), { [weak binding] in binding?.cancel() })
    case .transformer:
      let binding = try other.bind("name", to: "next.name", of: root) { (name: String) in
        handler(.change)
        return name
      }
      return (EndingKept(other, binding), { [weak binding] in binding?.cancel() })
    case .section:
      let section = KVObservingListSection<String> { (node: EndingNode) in node.name }
      section.delegate = owner
      owner.notify = handler
      try section.observe("items", of: root)
      return (section, { [weak section] in section?.cancel() })
    default:
      let binding =
        self == .binding
        ? try KVPathBinding(from: root, "next.name", to: other, "name", options: .twoWay)
        : try KVPathBinding(from: other, "name", to: root, "next.name", options: .twoWay)
      let token = try other.observe("name", options: [.old, .new, .prior]) { handler(EndingPhase($0)) }
      return (EndingKept(other, binding, token), { [weak binding] in binding?.cancel() })
    }
  }
}

/// What belongs to one registration.
private final class EndingKept {
  private let parts: [AnyObject]
  init(_ parts: AnyObject...) { self.parts = parts }
}

extension KVValueChange {
  fileprivate var phase: EndingPhase { isInitial ? .initial : isPrior ? .prior : .change }
}
