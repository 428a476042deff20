import KVCore
import Synchronization

/// A registration for the changes of a key path from a root object: a path, options, a lifetime and a ``Sink``.
///
/// It lives until it is cancelled: by its token, with its owner, or with its root. The registration of a single key is
/// itself the entry in the list of the key. The registration of a longer path has a ``PathChain``.
// guard: `state` is atomic; `chain`, `registrar` and `key` are set in `attach`, before the registration is shared;
// `deferredDelivery` is set once, before the bit `deferring` of the state
@usableFromInline
final class Registration: Listener, OwnedRegistration, PausableRegistration, @unchecked Sendable {
  /// The conditions under which a record is not delivered at once.
  private enum State {
    static let ended: UInt8 = 1
    static let paused: UInt8 = 2
    /// The registration is `distinct` or `coalesced`, or has a rate limit.
    static let hasDeliveryOptions: UInt8 = 4
    /// The registration has a rate limit.
    static let limited: UInt8 = 16
    /// Attached successfully; only then does ending it end the binding.
    static let attached: UInt8 = 8
    /// The registration has a ``DeferredDelivery``.
    static let deferring: UInt8 = 32
    /// A collection that is reported as a setting comes without the collection before the change.
    static let omitsOldCollection: UInt8 = 64
    /// The registration wants to know whether a change of its key has begun.
    static let counting: UInt8 = 128
    /// The bits that delay or drop a record.
    static let requiresGeneralDelivery = ended | paused | hasDeliveryOptions
  }

  // The small properties are first, where the entry leaves room for them: there is a registration for each observer.
  @usableFromInline let options: KVObservingOptions
  private let state: Atomic<UInt8>
  /// The kinds of collection changes that it receives as settings of the whole collection.
  let kindsReportedAsSetting: PartialKinds
  /// The changes of its key that have begun and are not made yet, if it counts them.
  let changes = ChangeCount()
  private let line: UInt32
  private let file: StaticFile
  @usableFromInline let path: KVKeyPath
  let sink: Sink
  var kind: Sink.Kind { sink.kind }
  private let ownerReference: WeakReference<AnyObject>?
  private(set) var chain: PathChain?
  private var deferredDelivery: DeferredDelivery?
  /// Whether it counts the changes of its key: it is that of a single key, on which the path of a binding goes on.
  var countsChanges: Bool { state.load(ordering: .relaxed) & State.counting != 0 }
  /// Whether it has a rate limit.
  var isLimited: Bool { state.load(ordering: .acquiring) & State.limited != 0 }
  /// Held while a registration gets its ``DeferredDelivery``.
  private static let deferringLock = Locked(())

  /// Creates a registration, which ``begin(at:)`` or ``attach(to:_:)`` registers.
  ///
  /// - Parameters:
  ///   - owner: The object with which it ends; nil if a token owns it.
  ///   - order: The position in the order of registration; nil for the last one.
  init(
    _ path: consuming KVKeyPath, _ options: KVObservingOptions = [], _ site: Site, owner: AnyObject? = nil,
    reportedAsSetting: PartialKinds = [], includesOldCollection: Bool = true, countsChanges: Bool = false,
    order: UInt32? = nil, _ sink: consuming Sink
  ) {
    let needsWillChange =
      options.contains(.prior) || !reportedAsSetting.isEmpty || sink.kind.needsWillChange || countsChanges
    let order = order ?? (sink.kind.isRecorder ? RegistrationOrder.first : RegistrationOrder.next())
    let isOfBinding = sink.kind.binding != nil
    // Both values decide whether a policy refuses the notification (SEC.2).
    let needsBoth = options.contains(.distinct) || path.isLimited
    let key = InternedKey.none
    self.options = options
    (file, line) = (site.file, site.line)
    ownerReference = owner.map { WeakReference($0) }
    kindsReportedAsSetting = reportedAsSetting
    let isSpecial = options.contains(.distinct) || options.contains(.coalesced)
    state = Atomic(
      (isSpecial ? State.hasDeliveryOptions : 0) | (includesOldCollection ? 0 : State.omitsOldCollection)
        | (countsChanges ? State.counting : 0))
    // Nothing is called from here on, so that the compiler moves both without counting references.
    self.path = consume path
    self.sink = consume sink
    super.init(
      key: key, order: order, needsWillChange: needsWillChange,
      needsOldValue: options.contains(.old) || needsBoth,
      needsNewValue: options.contains(.new) || needsBoth, isOfBinding: isOfBinding)
  }

  // MARK: Lifetime

  /// The object with which it ends (LIF.2); nil if a token owns it, or the object is dead.
  var owner: AnyObject? { ownerReference?.object }
  /// The identity of the owner, also after its death.
  var ownerID: ObjectIdentifier? { ownerReference?.id }

  /// Registers at a root, and delivers the initial record if the options contain `initial`.
  ///
  /// - Throws: ``KVError`` if the path does not exist, can never notify, or leads to an object that never notifies of its
  ///   key (KVO.13).
  func begin(at root: any KVObservable) throws(KVError) {
    try attach(to: root, requiresNotification: true)
    if wantsInitial { receiveInitial(root) }
  }

  /// Begins several registrations; if one fails, cancels all of them.
  ///
  /// - Throws: As for a single one.
  static func begin(_ registrations: [Registration], at root: any KVObservable) throws(KVError) {
    for registration in registrations {
      do throws(KVError) { try registration.begin(at: root) } catch {
        for registration in registrations { registration.cancel() }
        throw error
      }
    }
  }

  /// Registers at a root, and delivers nothing.
  ///
  /// - Throws: As ``begin(at:)``; if not `requiresNotification`, some key of the path has to notify, whichever it is.
  func attach(
    to root: any KVObservable, _ build: DependentBuild? = nil, requiresNotification: Bool = false
  ) throws(KVError) {
    do throws(KVError) {
      guard try addEntries(at: root, build, requiresNotification: requiresNotification) else {
        throw ResolvedComponent.notObservableError(path, root)
      }
      // An operator that cannot compute a value fails now.
      if !kind.isInternal, chain != nil, path.hasOperator { _ = try Reader(path).value(of: root) }
      try beginOperands(at: root, build)
    } catch {
      _ = cancelWithoutReport()
      throw error.located(path: path.description, root: "\(type(of: root))")
    }
    // It may have been cancelled meanwhile: reading values can run any code.
    if isEnded, let registrar { registrar.removeEntry(self) }
    markAttached()
    if kind.isInternal { return }
    reportBegin()
    if ownerID != nil { Owners.adopt(self) }
  }

  /// Registers for a key that notifies, at a registrar that its object does not have yet.
  func attach(to registrar: ObserverRegistrar, _ key: InternedKey) {
    (self.registrar, self.key) = (registrar, key)
    _ = registrar.add(self, isManual: false)
    markAttached()
  }

  private func markAttached() {
    if case .binding(_, endsWithRegistration: true) = kind { state.bitwiseOr(State.attached, ordering: .relaxed) }
  }

  /// Adds the entries of the path from a root.
  ///
  /// - Throws: ``KVError`` if a key does not exist or cannot be observed. The entries before it remain.
  /// - Returns: Whether some key of the path can notify.
  func addEntries(
    at root: any KVObservable, _ build: DependentBuild? = nil, requiresNotification: Bool = false
  ) throws(KVError) -> Bool {
    if path.count == 1, kind.tracker == nil, let accessor = path.observedAccessor(of: root) {
      accessor.borrow { accessor in
        registrar = ObserverRegistrar.of(object: root)
        key = accessor.key
        withUnretained(registrar) { $0.addEntry(self, accessor, root, build) }
      }
      return true
    }
    let isOfResolver = path.isLimited && TypeInfo.of(root).resolvesObservedPaths
    guard path.count == 1, path.first.observedName != nil, kind.tracker == nil, !isOfResolver else {
      let chain = PathChain(path, root: root, requiresNotification: requiresNotification)
      self.chain = chain
      return try chain.attach(root, from: 0, self, PathChain.Resolution(build: build))
    }
    let component = try ResolvedComponent(root, path, 0)
    guard let registrar = component.registrar, let key = component.key else { return false }
    (self.registrar, self.key) = (registrar, key)
    registrar.addEntry(self, component, build)
    return component.canNotify
  }

  /// Cancels the registration; safe at any time, on any thread, and more than once (KVO.9).
  func cancel() {
    if cancelWithoutReport(), !kind.isInternal { reportEnd() }
  }

  /// Cancels the registration; false if it has ended before.
  private func cancelWithoutReport() -> Bool {
    // A token that is dropped after it was cancelled only tests.
    if isEnded { return false }
    let before = state.bitwiseOr(State.ended, ordering: .acquiringAndReleasing).oldValue
    if before & State.ended != 0 { return false }
    if before & State.deferring != 0 { deferredDelivery?.cancel(self) }
    if let chain {
      chain.cancel()
    } else {
      withUnretained(registrar) { $0.removeEntry(self) }
    }
    switch kind {
    case .elements(let tracker): tracker.cancelAll()
    case .sequence(let finish): finish()
    // If the registration could not begin, the binding decides whether it ends.
    case .binding(let core, endsWithRegistration: true): if before & State.attached != 0 { core.cancel() }
    default: break
    }
    if ownerID != nil, !kind.isInternal { Owners.forget(self) }
    return true
  }

  /// Sets the limit of how often changes are delivered (COA.10).
  func setLimit(_ limit: ObservationLimit) {
    if let tracker = kind.tracker { return tracker.setLimit(limit) }
    deferred.setLimit(limit)
    state.bitwiseOr(State.hasDeliveryOptions | State.limited, ordering: .releasing)
    // It may have been cancelled meanwhile.
    if isEnded { deferred.cancel(self) }
  }

  /// The deliveries that coalescing scopes and the rate limit defer, which cancelling drops; created at the first of
  /// them.
  var deferred: DeferredDelivery {
    if state.load(ordering: .acquiring) & State.deferring != 0, let deferredDelivery { return deferredDelivery }
    return Self.deferringLock.withLock { _ in
      if let deferredDelivery { return deferredDelivery }
      let deferred = DeferredDelivery()
      deferredDelivery = deferred
      state.bitwiseOr(State.deferring, ordering: .acquiringAndReleasing)
      return deferred
    }
  }

  func setPaused(_ isPaused: Bool) {
    guard let tracker = kind.tracker else { return setOwnPaused(isPaused) }
    tracker.setPaused(isPaused) { setOwnPaused(isPaused) }
  }

  private func setOwnPaused(_ isPaused: Bool) {
    if isPaused {
      state.bitwiseOr(State.paused, ordering: .releasing)
    } else {
      state.bitwiseAnd(~State.paused, ordering: .releasing)
    }
  }

  /// The source location that registered it.
  var site: Site { Site(file: file, line: line) }
  /// Whether a setting that stands for a change of elements includes the collection before the change.
  var includesOldCollection: Bool { state.load(ordering: .relaxed) & State.omitsOldCollection == 0 }
  var isEnded: Bool { state.load(ordering: .acquiring) & State.ended != 0 }
  var isPaused: Bool { state.load(ordering: .acquiring) & State.paused != 0 }
  /// Whether the owner or target has been deallocated.
  var isOrphaned: Bool { ownerID != nil && owner == nil }

  /// Whether records are delivered at once: nothing drops, defers or traces them.
  @inline(__always)
  var deliversImmediately: Bool {
    state.load(ordering: .acquiring) & State.requiresGeneralDelivery == 0 && !KVDiagnostics.isTracing
  }

  // MARK: The entry of a single key

  override func join(_ builder: PlanBuilder, _ changedKey: PlanBuilder.ChangedKey) {
    join(builder, changedKey, depth: 0, isLeaf: true)
  }

  override func didChange(_ notice: borrowing _KVChangeNotice) { didChange(notice, depth: 0, isLeaf: true) }
  override func objectDidDeallocate(_ broken: inout [PathLink]) {
    cancel()
    if case .recorder(_, let objectDidDeallocate) = kind { objectDidDeallocate() }
  }

  // MARK: Options

  var wantsNew: Bool { needsNewValue }
  var wantsInitial: Bool { options.contains(.initial) }
  /// Whether it accepts notices whose values were read from structs; see ``StructTail``.
  var acceptsTails: Bool { !needsWillChange }

  // MARK: Listings

  /// A description for listings.
  var summary: String {
    switch kind {
    case .records: "closure"
    case .values: ownerID == nil ? "typed closure" : "typed closure with owner"
    case .ownedRecords: "closure with owner"
    case .action(let name, _): "action \"\(name)\""
    case .sequence: "sequence"
    case .binding(let core, _): "binding of \(core.summary)"
    case .elements(let tracker): "each element, by \"\(tracker.elementPath)\""
    case .recorder: "recorder"
    case .dependency, .operand: "part of another registration"
    }
  }

  /// A description of the owner; nil if the registration belongs to the holder of its token.
  var ownerDescription: String? {
    if ownerID == nil { nil } else { owner.map { "\(type(of: $0))" } ?? "an owner that is gone" }
  }

  /// Returns whether the registration is a closure that an object owns (OBS.3).
  func belongs(to object: AnyObject) -> Bool { owner === object && !kind.isAction }
}
