import KVCore
import Synchronization

/// A binding: two ends, and the rule by which values go from one to the other.
///
/// Whichever end hears of a change asks the binding to carry over what that end holds now. While it does so on some
/// thread, it is *busy* there: what it hears meanwhile is either its own write, which it ignores (BND.5), or something
/// that it looks at again when it is through. So bindings that set each other off go round in a loop that can be counted
/// (BND.5), and not ever deeper into the stack.
// guard: `busy` says who may use the fields of `Run`; `status` is locked
final class BindingCore: OwnedRegistration, @unchecked Sendable {
  let source: BindingEnd
  /// Further sources, whose values are combined with the first one's.
  let others: [BindingEnd]
  let combiner: KVCombiner?
  let target: BindingEnd
  let options: KVBindingOptions
  let transform: KVTransformer?
  /// The functions of the transformer, where their types are known.
  private let maps: TypedMaps?
  let site: Site
  let ownerID: ObjectIdentifier
  /// The name under which a set keeps it.
  let name: String?
  /// Its place in the order in which bindings were made.
  let number = RegistrationOrder.next()
  /// Whether a value goes over just as it is.
  let isPlain: Bool
  /// Whether each change of the source goes over at once, whatever else has happened.
  let isSimple: Bool
  /// The accessors by which values go over unboxed; nil where it takes more than one key, or types differ.
  @exclusivity(unchecked) private(set) var ways: (forward: TypedWay, backward: TypedWay?)?
  /// Whether the target takes over what the source has made of its value.
  @exclusivity(unchecked) private(set) var settles = true
  let run = Run()

  private let flags = Atomic<UInt8>(0)
  private let status = Locked(Status())
  let isTraced: Atomic<Bool>

  private struct Status {
    var state = KVBindingState.active
    var error: KVError?
    /// The value of the end that was changed last, where it waits for the executor.
    var queued: Queued?
    /// Whether a change of the target waits to be committed.
    var hasEdit = false
  }

  private enum Flag {
    static let ended: UInt8 = 1
    /// The state is another than active.
    static let troubled: UInt8 = 2
  }

  init(
    _ source: BindingEnd, others: [BindingEnd] = [], combiner: KVCombiner? = nil, _ target: BindingEnd,
    _ options: KVBindingOptions, transform: KVTransformer? = nil, maps: TypedMaps? = nil,
    name: String? = nil, site: Site
  ) {
    self.source = source
    self.others = others
    self.combiner = combiner
    self.target = target
    self.options = options
    self.transform = transform ?? options.transformer
    self.maps = maps
    self.site = site
    self.name = name
    ownerID = target.object.map { ObjectIdentifier($0) } ?? ObjectIdentifier(target)
    isTraced = Atomic(options.isTraced)
    isPlain =
      (self.transform == nil || maps != nil) && combiner == nil && options.nullPlaceholder == nil
      && options.fallback == nil && !options.validates && source.usesAccessors && target.usesAccessors
    if case .anyThread = options.concurrency {
      isSimple = options.direction.goesForward && options.trigger == .onChange
    } else {
      isSimple = false
    }
  }

  // MARK: Beginning and end

  /// Begins to listen, and brings the ends in step (BND.2).
  ///
  /// - Throws: ``KVError`` if an end cannot be bound, or the first value cannot be carried over; it is over then.
  func begin() throws(KVError) {
    do throws(KVError) {
      try checkDirection()
      try checkReceivers()
      // Before anybody can be heard.
      if isPlain { ways = typedWays() }
      if options.direction != .once { try listen() }
      try synchronise()
    } catch {
      end()
      throw error
    }
    if options.direction == .once {
      // What an executor has still to set ends it then.
      return status.withLock { $0.queued != nil } ? () : end()
    }
    if let target = target.object { Owners.add(self, to: target) }
    BindingRegistry.add(self)
    // Ended meanwhile, by another thread or by a handler.
    if isEnded { forget() }
  }

  private func checkDirection() throws(KVError) {
    if options.direction.goesBackward || options.initialSync == .fromTarget { try checkCanReverse() }
  }

  /// Refuses ends that cannot be set, even where no value comes yet.
  private func checkReceivers() throws(KVError) {
    if options.direction != .toSource {
      try checkReceiver(target)
    } else if let target = target.object {
      settles = (try? KVC.checkSettable(self.target.path, of: target)) != nil
    }
    if options.direction.goesBackward { try checkReceiver(source) }
  }

  private func checkReceiver(_ end: BindingEnd) throws(KVError) {
    guard end.usesAccessors, let object = end.object else { return }
    do throws(KVError) { try KVC.checkSettable(end.path, of: object) } catch {
      guard error.code == .undefinedKey else { throw error }
      // A hook may set what cannot be read.
      report(.warning) { "\(end.description) cannot be read, and perhaps not be set: \(error)" }
    }
  }

  /// Refuses to carry values back where that cannot be done.
  func checkCanReverse() throws(KVError) {
    let obstacle: String
    if let transform, !transform.isReversible {
      obstacle = "\(transform) has no way back. Give it a reverse function, or bind one-way."
    } else if combiner != nil {
      obstacle = "it combines several sources, so nothing can be carried back to them. Bind one-way."
    } else {
      return
    }
    throw KVError(
      .notReversible, "the binding of \(summary) would carry values back to its source, but \(obstacle)",
      keyPath: target.path.description, rootType: target.typeName)
  }

  private func listen() throws(KVError) {
    if options.direction.goesBackward {
      try target.listen(for: self, .target)
    } else {
      try target.listenToHolder(for: self, .target)
    }
    for end in [source] + others {
      if options.direction.goesForward { try end.listen(for: self, .source) } else { try listenForDeath(of: end) }
    }
  }

  /// Listens to a source that follows, so that its death is known and it is listed.
  private func listenForDeath(of end: BindingEnd) throws(KVError) {
    do throws(KVError) { try end.listen(for: self, .source) } catch {
      guard error.code == .notObservable else { throw error }
      try end.listenToHolder(for: self, .source)
    }
  }

  private func typedWays() -> (forward: TypedWay, backward: TypedWay?)? {
    guard source.path.count == 1, target.path.count == 1, let from = source.object, let to = target.object,
      let first = source.leaf(of: from), let last = target.leaf(of: to), first.owner === from, last.owner === to,
      let forward = TypedWay(from: first.accessor, to: last.accessor, by: maps?.forward)
    else { return nil }
    let isOneWay = maps != nil && maps?.backward == nil
    return (forward, isOneWay ? nil : TypedWay(from: last.accessor, to: first.accessor, by: maps?.backward))
  }

  private func synchronise() throws(KVError) {
    let side: BindingSide
    switch options.initialSync {
    case .none: return
    case .fromSource: side = .source
    case .fromTarget: side = .target
    case .automatic: side = options.direction == .toSource ? .target : .source
    }
    switch options.concurrency {
    case .dispatched(let executor) where !executor.isCurrent: return try queue(side, executor)
    case .only(let executor) where !executor.isCurrent: throw wrongThread
    default: carry(from: side, nil, nil)
    }
    if let error = status.withLock({ $0.error }) { throw error }
    if options.direction == .once, state == .unresolved, options.fallback == nil {
      throw KVError(
        .unresolvedPath,
        "the binding of \(summary) is made once, and a path leads nowhere now: bind later, one-way, or with a fallback.",
        keyPath: source.path.description, rootType: source.typeName)
    }
  }

  /// Ends it; safe at any moment from any thread, and more than once.
  func end() {
    guard flags.bitwiseOr(Flag.ended, ordering: .acquiringAndReleasing).oldValue & Flag.ended == 0 else { return }
    source.end()
    for end in others { end.end() }
    target.end()
    status.withLock { status in
      status.state = .ended
      status.queued = nil
      status.hasEdit = false
    }
    forget()
    trace { "ended" }
  }

  func cancel() { end() }

  private func forget() {
    Owners.forget(self)
    BindingRegistry.remove(self)
  }

  var isEnded: Bool { flags.load(ordering: .acquiring) & Flag.ended != 0 }
  var owner: AnyObject? { target.object }

  // MARK: Hearing

  /// Hears of a change of one end.
  ///
  /// - Parameter object: The object at that end, where it is known to be alive.
  @inline(__always)
  func hear(_ side: BindingSide, _ object: Unmanaged<AnyObject>?, _ cargo: BindingCargo?) {
    if BindingRest.isAnywhere, BindingRest.note(self) { return }
    if isSimple, side == .source { carry(from: .source, object, cargo) } else { hearSlowly(side, object, cargo) }
  }

  @inline(never)
  private func hearSlowly(_ side: BindingSide, _ object: Unmanaged<AnyObject>?, _ cargo: BindingCargo?) {
    if run.isOwn(side) { return }
    let from: BindingSide
    switch options.direction {
    case .oneWay, .once:
      from = .source
      // What the target does by itself is its own affair, unless another object stands there now.
      if side == .target, !target.hasNewHolder() { return }
    case .toSource:
      from = .target
      // What the source does by itself is its own affair, unless another object stands there now.
      if !end(side).hasNewHolder(), side == .source { return }
    // Another object at the end of the target's path knows nothing yet: it gets the source's value.
    case .twoWay: from = side == .target && target.hasNewHolder() ? .source : side
    }
    if options.trigger == .explicit { return }
    if options.trigger == .onCommit {
      if from == .target {
        status.withLock { $0.hasEdit = true }
        return trace { "a change of the target waits for its commit" }
      }
      if hasEdit { return trace { "a change of the source waits until the target's is committed or discarded" } }
    }
    let cargo = side == from ? cargo : nil
    let object = side == from ? object : nil
    switch options.concurrency {
    case .anyThread: carry(from: from, object, cargo)
    case .only(let executor):
      guard executor.isCurrent else { return fail(wrongThread) }
      carry(from: from, object, cargo)
    case .dispatched(let executor):
      do throws(KVError) { try queue(from, executor) } catch { fail(error) }
    }
  }

  private var wrongThread: KVError {
    KVError(
      .wrongThread,
      """
      the binding of \(summary) works on one executor only, and the change was made elsewhere; it was not carried over. \
      Make the change there, or let the binding be dispatched to it.
      """, keyPath: source.path.description, rootType: source.typeName)
  }

  /// Reads a value here and now, and leaves setting it to an executor.
  private func queue(_ side: BindingSide, _ executor: any KVExecutor) throws(KVError) {
    let hops = Propagation.current._withUnsafeGuaranteedRef { $0.hops } + 1
    if hops > Self.maximumRounds { throw unsettled(rounds: hops - 1) }
    let value = Queued(side: side, value: ReadyValue(try outgoing(from: side), hops: hops))
    let waits = status.withLock { status in
      defer { status.queued = value }
      return status.queued != nil
    }
    // The end that was changed last is the one whose value counts when the executor comes to it.
    if waits { return }
    executor.enqueue { [self] in
      let queued = status.withLock { status in
        defer { status.queued = nil }
        return status.queued
      }
      if let queued { carry(from: queued.side, nil, queued.value) }
      if options.direction == .once { end() }
    }
  }

  /// A value on its way to the executor.
  private struct Queued: @unchecked Sendable {  // guard: handed from one thread to another, and used by one at a time
    let side: BindingSide
    let value: ReadyValue
  }

  /// Carries the value over that counts, after a transaction was undone.
  func bringInStep() {
    if options.trigger == .onChange { hear(options.direction == .toSource ? .target : .source, nil, nil) }
  }

  // MARK: By hand

  /// Carries a value over now, whatever the trigger (BND.12 aside).
  func update(from side: BindingSide) throws(KVError) {
    if isEnded { throw KVError(.unsupported, "the binding of \(summary) has ended; make another one.") }
    switch options.concurrency {
    case .dispatched(let executor) where !executor.isCurrent: return try queue(side, executor)
    case .only(let executor) where !executor.isCurrent:
      fail(wrongThread)
      throw wrongThread
    default: carry(from: side, nil, nil)
    }
    if let error = status.withLock({ $0.error }) { throw error }
    status.withLock { $0.hasEdit = false }
  }

  var hasEdit: Bool { status.withLock { $0.hasEdit } }

  func commit() throws(KVError) {
    if hasEdit { try update(from: .target) }
  }

  func discard() throws(KVError) {
    if hasEdit { try update(from: .source) }
  }

  // MARK: State

  var state: KVBindingState { status.withLock { $0.state } }
  var error: KVError? { status.withLock { $0.error } }

  func succeed() {
    guard flags.load(ordering: .relaxed) & Flag.troubled != 0 else { return }
    set(.active, nil)
  }

  /// Notes that a path leads nowhere; that is no error.
  func unresolved() {
    set(.unresolved, nil)
    trace { "unresolved" }
  }

  func fail(_ error: KVError) {
    set(.failed, error)
    report(.error) { "\(error)" }
  }

  private func set(_ state: KVBindingState, _ error: KVError?) {
    status.withLock { status in
      guard status.state != .ended else { return }
      status.state = state
      status.error = error
      if state == .active {
        flags.bitwiseAnd(~Flag.troubled, ordering: .relaxed)
      } else {
        flags.bitwiseOr(Flag.troubled, ordering: .relaxed)
      }
    }
  }

  // MARK: Description

  var summary: String {
    let sources = ([source] + others).map(\.description).joined(separator: ", ")
    return "\(sources) \(arrow) \(target.description)"
  }

  private var arrow: String {
    switch options.direction {
    case .oneWay: "→"
    case .twoWay: "⇄"
    case .once: "⇢"
    case .toSource: "←"
    }
  }

  private func report(_ level: KVDiagnostics.Level, _ message: () -> String) {
    KVDiagnostics.report(level, .binding, source.path, source.object, site) { "binding of \(summary): \(message())" }
  }

  /// Whether somebody wants to hear all that it does.
  var isWatched: Bool { isTraced.load(ordering: .relaxed) || KVDiagnostics.isTracing }

  /// Says what it does, if somebody wants to know.
  func trace(_ message: () -> String) {
    if isTraced.load(ordering: .relaxed) {
      KVDiagnostics.report(always: .verbose, .binding, source.path, source.object, site) {
        "binding of \(summary): \(message())"
      }
    } else {
      report(.verbose, message)
    }
  }
}

/// The functions of a binding between two types.
struct TypedMaps {
  let forward: TypedMap?
  var backward: TypedMap?

  init?(_ forward: TypedMap?, _ backward: TypedMap? = nil) {
    guard let forward else { return nil }
    self.forward = forward
    self.backward = backward
  }
}
