/// What the rules KVO, DEP, LIF, BND and COA of Docs/Contract.md say of a small graph; it uses nothing of the library.
///
/// A root refers to a middle object by `next`. `root.next.name` is observed and bound to `view.text`; `root.label`
/// depends on `root.name` and on `root.next.name`. An owner ends registrations. Values are numbers.
struct InterleavingModel {
  enum Phase: UInt8 { case initial, prior, change }

  /// What a handler receives.
  struct Notification: Equatable {
    /// The number of the registration.
    var receiver: Int
    var phase: Phase
    var old: Int?
    var new: Int?
  }

  /// What a scope defers for a registration (COA.3).
  struct Deferred {
    /// The position in the order of the first changes (COA.5).
    var position: Int
    var isInitial: Bool
    var old: Int?
    var new: Int?
  }

  struct Registration {
    /// The number, which is the position in the order of registration (KVO.6).
    let number: Int
    let kind: InterleavingKind
    /// Whether the program still has the token.
    var hasToken = true
    var isPaused = false
    var deferred: Deferred?
  }

  struct Binding {
    let number: Int
    let isTwoWay: Bool
  }

  /// Whether the program, or somebody else, keeps the root, and the view and the owner.
  var (holdsRoot, holdsOwner) = (true, true)
  var (isRootAlive, isViewAlive) = (true, true)
  var rootName = 0
  /// The name of `root.next`; nil if there is none.
  var middle: Int? = 1
  /// The name of the middle object before its last change.
  var previous: Int?
  var hasFormer = false
  var text = 2
  var registrations: [Registration] = []
  var binding: Binding?
  var depth = 0
  /// What the last operation notified, in order.
  var notified: [Notification] = []

  /// Whether the owner of registrations is the view.
  let isOwnerView: Bool
  /// The value that the next change sets.
  private(set) var nextValue = 3
  private var nextNumber = 0
  private var nextPosition = 0

  init(isOwnerView: Bool) { self.isOwnerView = isOwnerView }

  /// The value of the dependent key.
  var label: Int { Self.label(rootName, middle) }

  static func label(_ name: Int, _ next: Int?) -> Int { name &* 1_000_003 &+ (next ?? -1) }

  /// The values that a label was made of.
  static func parts(ofLabel label: Int) -> (name: Int, next: Int?) {
    let name = (label + 1) / 1_000_003
    let next = label - name * 1_000_003
    return (name, next < 0 ? nil : next)
  }

  // MARK: Operations

  func isPossible(_ move: InterleavingMove) -> Bool {
    switch move {
    case .register(let kind):
      (kind.path == .text ? holdsOwner : holdsRoot) && (!kind.hasOwner || holdsOwner)
    case .change: middle != nil || hasFormer
    case .changeEqually: middle != nil
    case .changeBack: middle != nil && previous != nil
    case .changeRoot, .replaceMiddle, .dropRoot: holdsRoot
    case .removeMiddle: holdsRoot && middle != nil
    case .changeText, .dropOwner: holdsOwner
    case .cancel(let index), .drop(let index): index < registrations.count && registrations[index].hasToken
    case .pause(let index):
      index < registrations.count && registrations[index].hasToken && !registrations[index].isPaused
    case .resume(let index):
      index < registrations.count && registrations[index].hasToken && registrations[index].isPaused
    case .begin: depth < 2
    case .commit: depth > 0
    case .bindOneWay, .bindTwoWay: holdsRoot && holdsOwner && binding == nil
    case .unbind: holdsOwner && binding != nil
    }
  }

  mutating func make(_ move: InterleavingMove) {
    notified.removeAll(keepingCapacity: true)
    switch move {
    case .register(let kind): register(kind)
    case .change:
      // Nobody observes the former middle object (KVO.11).
      if hasFormer { nextValue += 1 }
      if middle != nil { changeMiddle(to: fresh()) }
    case .changeEqually: changeMiddle(to: middle)
    case .changeBack: changeMiddle(to: previous)
    case .changeRoot:
      let (name, old) = (fresh(), label)
      notify([.label], old: { _ in old }, storing: { $0.rootName = name }, new: { model, _ in model.label })
    case .changeText: changeText(to: fresh(), byBinding: false)
    case .replaceMiddle:
      if middle != nil { hasFormer = true }
      changeMiddle(to: fresh())
      previous = nil
    case .removeMiddle:
      hasFormer = true
      changeMiddle(to: nil)
      previous = nil
    case .dropRoot: holdsRoot = false
    case .dropOwner: holdsOwner = false
    case .cancel(let index): registrations.remove(at: index)
    case .drop(let index):
      registrations[index].hasToken = false
      registrations.removeAll { !$0.hasToken && !$0.kind.hasOwner }
    case .pause(let index): registrations[index].isPaused = true
    case .resume(let index): registrations[index].isPaused = false
    case .begin: depth += 1
    case .commit: commit()
    case .bindOneWay: bind(isTwoWay: false)
    case .bindTwoWay: bind(isTwoWay: true)
    case .unbind: binding = nil
    }
    endDead()
  }

  private mutating func fresh() -> Int {
    defer { nextValue += 1 }
    return nextValue
  }

  private mutating func number() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  // MARK: Registering

  private mutating func register(_ kind: InterleavingKind) {
    let registration = Registration(number: number(), kind: kind)
    registrations.append(registration)
    guard kind.hasInitial else { return }
    receive(registrations.count - 1, .initial, old: nil, new: value(of: kind.path))
  }

  private func value(of path: InterleavingKind.Path) -> Int? {
    switch path {
    case .name: middle
    case .label: label
    case .text: text
    }
  }

  private mutating func bind(isTwoWay: Bool) {
    // The target takes the source's value, if there is one (BND.2, BND.10) and if it differs (BND.4).
    let number = number()
    if let middle, middle != text { changeText(to: middle, byBinding: true) }
    binding = Binding(number: number, isTwoWay: isTwoWay)
  }

  // MARK: Changing

  /// Changes the value of `root.next.name`: the name, or the middle object with it.
  private mutating func changeMiddle(to new: Int?, byBinding: Bool = false) {
    let (old, oldLabel) = (middle, label)
    previous = old
    guard isRootAlive else { return middle = new }
    notify(
      [.name, .label], binding: byBinding ? nil : .source,
      old: { $0 == .name ? old : oldLabel }, storing: { $0.middle = new },
      new: { model, path in path == .name ? new : model.label })
  }

  private mutating func changeText(to new: Int, byBinding: Bool) {
    let old = text
    notify(
      [.text], binding: byBinding || binding?.isTwoWay == false ? nil : .target, old: { _ in old },
      storing: { $0.text = new }, new: { _, _ in new })
  }

  private enum Side { case source, target }

  /// Notifies the observers of some paths in the order of registration: before the change and after it.
  private mutating func notify(
    _ paths: Set<InterleavingKind.Path>, binding side: Side? = nil, old: (InterleavingKind.Path) -> Int?,
    storing store: (inout InterleavingModel) -> Void, new: (InterleavingModel, InterleavingKind.Path) -> Int?
  ) {
    let receivers = registrations.indices.filter { paths.contains(registrations[$0].kind.path) }
    for index in receivers where registrations[index].kind.hasPrior {
      receive(index, .prior, old: old(registrations[index].kind.path), new: nil)
    }
    store(&self)
    var bindingNumber = side == nil ? nil : binding?.number
    for index in receivers {
      if let number = bindingNumber, number < registrations[index].number {
        bindingNumber = nil
        propagate(from: side)
      }
      let path = registrations[index].kind.path
      receive(index, .change, old: old(path), new: new(self, path))
    }
    if bindingNumber != nil { propagate(from: side) }
  }

  /// Gives the other endpoint of the binding the value of the one that changed (BND.3, BND.4, BND.5, BND.10).
  private mutating func propagate(from side: Side?) {
    guard let middle, middle != text else { return }
    if side == .source { changeText(to: middle, byBinding: true) } else { changeMiddle(to: text, byBinding: true) }
  }

  private mutating func receive(_ index: Int, _ phase: Phase, old: Int?, new: Int?) {
    let registration = registrations[index]
    guard !registration.isPaused else { return }
    if phase == .change, registration.kind.isDistinct, old == new { return }
    guard registration.kind.isCoalesced, depth > 0, phase != .prior else {
      return notified.append(Notification(receiver: registration.number, phase: phase, old: old, new: new))
    }
    if registration.deferred == nil {
      registrations[index].deferred = Deferred(position: nextPosition, isInitial: phase == .initial, old: old, new: new)
      nextPosition += 1
    } else {
      registrations[index].deferred?.new = new
    }
  }

  private mutating func commit() {
    depth -= 1
    guard depth == 0 else { return }
    let waiting = registrations.filter { $0.deferred != nil }
      .sorted { ($0.deferred?.position ?? 0) < ($1.deferred?.position ?? 0) }
    for number in waiting.map(\.number) {
      // The delivery of another one may have ended the last reference to the root or to the owner.
      guard let index = registrations.firstIndex(where: { $0.number == number }) else { continue }
      deliver(registrations[index])
      registrations[index].deferred = nil
      endDead()
    }
  }

  private mutating func deliver(_ registration: Registration) {
    guard !registration.isPaused, let deferred = registration.deferred else { return }
    if registration.kind.isDistinct, !deferred.isInitial, deferred.old == deferred.new { return }
    notified.append(
      Notification(
        receiver: registration.number, phase: deferred.isInitial ? .initial : .change, old: deferred.old,
        new: deferred.new))
  }

  // MARK: Lifetimes

  /// Ends what belongs to objects that nothing retains any more: the program does, and what is deferred (COA.7).
  private mutating func endDead() {
    var count: Int
    repeat {
      count = registrations.count
      let retained = registrations.filter { $0.deferred != nil }.map(\.kind.path)
      if !holdsRoot, !retained.contains(where: { $0 != .text }) { isRootAlive = false }
      if !holdsOwner, !retained.contains(.text) { isViewAlive = false }
      if !(isOwnerView ? isViewAlive : holdsOwner) { registrations.removeAll { $0.kind.hasOwner } }
      if !isRootAlive { registrations.removeAll { $0.kind.path != .text } }
      if !isViewAlive { registrations.removeAll { $0.kind.path == .text } }
    } while registrations.count != count
    if !isRootAlive || !isViewAlive { binding = nil }
  }
}
