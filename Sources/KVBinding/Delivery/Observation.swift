import KVCore
import Synchronization

/// A registration: a path from an object, and somebody who hears of its changes.
///
/// Its subclasses are the styles: closures that take records, typed closures, owners and targets, elements. All hear
/// through ``receive(_:_:)``. Of a single key it is itself the entry in the list of the key; else it has a chain.
// guard: `state` is atomic; `chain`, like `registrar` and `key`, is set as it begins, before it is shared
class Observation: Listener, PathObserver, @unchecked Sendable {
  /// What keeps a record from being delivered just so.
  struct State {
    static let ended: UInt8 = 1
    static let paused: UInt8 = 2
    /// It is `distinct` or `coalesced`.
    static let special: UInt8 = 4
  }

  final let path: KVKeyPath
  final let options: KVObservingOptions
  private let state: Atomic<UInt8>
  private let number = RegistrationOrder.next()
  /// Where it was registered: a file of the program.
  final let file: StaticFile
  @exclusivity(unchecked) final private(set) var chain: PathChain?

  init(_ path: KVKeyPath, _ options: KVObservingOptions, _ site: Site) {
    self.path = path
    self.options = options
    file = site.file
    let isSpecial = options.contains(.distinct) || options.contains(.coalesced)
    state = Atomic(isSpecial ? State.special : 0)
    super.init(key: .none, line: site.line)
  }

  // MARK: The style's part

  /// Delivers a record, which has passed all tests.
  func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) {}

  /// Called once, when it listens, and before its initial record.
  func didBegin() {}

  /// Called once, when it ends for whatever reason.
  func didEnd() {}

  /// What it is, for listings.
  var summary: String { "closure" }

  /// Whom it belongs to; nil if to the holder of its token.
  var ownerDescription: String? { nil }

  /// Whether it is a closure of an object's (OBS.3).
  func belongs(to object: AnyObject) -> Bool { false }

  /// Whether its owner or target is gone.
  var isOrphaned: Bool { false }

  // MARK: Lifetime

  /// Begins to listen at a root, and delivers the first record if that is wanted.
  ///
  /// - Throws: ``KVError`` if the path does not exist, or can never notify (KVO.13).
  final func begin(at root: some KVObservable) throws(KVError) {
    try attach(to: root)
    if wantsInitial { receiveInitial(root) }
  }

  /// Begins all of some observations, or none.
  ///
  /// - Throws: As for a single one.
  static func begin(_ observations: [Observation], at root: some KVObservable) throws(KVError) {
    for observation in observations {
      do throws(KVError) { try observation.begin(at: root) } catch {
        for observation in observations { observation.cancel() }
        throw error
      }
    }
  }

  /// Begins to listen at a root, and delivers nothing yet.
  ///
  /// - Throws: As ``begin(at:)``.
  final func attach(to root: some KVObservable) throws(KVError) {
    do throws(KVError) {
      if path.count == 1, path.first.observedName != nil, !isElementwise, !options.contains(.elements) {
        if let accessor = path.observedAccessor(of: root) {
          let registrar = ObserverRegistrar.of(object: root)
          (self.registrar, key) = (registrar, accessor.key)
          registrar.addEntry(self, accessor, root)
        } else {
          let component = try ResolvedComponent(root, path, 0)
          guard let registrar = component.registrar, let key = component.key, component.canNotify else {
            throw notObservableError(root)
          }
          (self.registrar, self.key) = (registrar, key)
          registrar.addEntry(self, component)
        }
      } else {
        let chain = PathChain(path, root: root)
        self.chain = chain
        guard try chain.attach(root, from: 0, self) else { throw notObservableError(root) }
        // What an operator cannot compute is found out now.
        if path.hasOperator { _ = try Reader(path).value(of: root) }
        if options.contains(.elements) { chain.insert(try beginOperands(at: root)) }
      }
    } catch {
      _ = cancelWithoutReport()
      throw error.located(path: path.description, root: "\(type(of: root))")
    }
    // Ended meanwhile: reading values may run anything.
    if isEnded { registrar?.removeEntry(self) }
    KVDiagnostics.report(.debug, .registration, path, root, site) {
      "\(type(of: root)).\(self.path): \(summary) registered [\(options)]"
    }
    didBegin()
  }

  final func receiveInitial(_ root: AnyObject) {
    receive(root, key, old: nil, new: wantsNew ? value(of: root, from: 0) : nil, .initial)
  }

  /// Ends it; safe at any moment from any thread, and more than once (KVO.9).
  final func cancel() {
    guard cancelWithoutReport() else { return }
    KVDiagnostics.report(.debug, .registration, path, chain?.root, site) { "\(path): \(summary) ended" }
  }

  /// Ends it; false if it has ended before.
  private func cancelWithoutReport() -> Bool {
    guard state.bitwiseOr(State.ended, ordering: .acquiringAndReleasing).oldValue & State.ended == 0
    else { return false }
    if let chain { chain.cancel() } else { registrar?.removeEntry(self) }
    didEnd()
    return true
  }

  func setPaused(_ isPaused: Bool) {
    if isPaused {
      state.bitwiseOr(State.paused, ordering: .releasing)
    } else {
      state.bitwiseAnd(~State.paused, ordering: .releasing)
    }
  }

  final var isEnded: Bool { state.load(ordering: .acquiring) & State.ended != 0 }
  final var isPaused: Bool { state.load(ordering: .acquiring) & State.paused != 0 }

  /// Whether nothing keeps a record from being delivered just so.
  @inline(__always)
  final var isUnhindered: Bool { state.load(ordering: .acquiring) == 0 && !KVDiagnostics.isTracing }

  // MARK: Options

  /// Whether it watches the elements of a collection, too.
  var isElementwise: Bool { false }

  final var wantsOld: Bool { options.contains(.old) || options.contains(.distinct) }
  final var wantsNew: Bool { options.contains(.new) || options.contains(.distinct) }
  final var wantsInitial: Bool { options.contains(.initial) }

  /// The changes in part of a collection that it hears of as of settings, with the whole collections.
  var kindsReportedAsSetting: PartialKinds { [] }
  /// Whether it wants to know the collection before those changes, too.
  var includesOldCollection: Bool { true }

  override var order: UInt32 { number }
  override var needsWillChange: Bool { options.contains(.prior) || !kindsReportedAsSetting.isEmpty }
  final var needsWillChangeAtLeaf: Bool { needsWillChange }
  override final var needsOldValue: Bool { wantsOld }
  final var takesTails: Bool { !isElementwise && !needsWillChange }

  /// Returns the value of the path from a component on; what cannot be read is nil, and reported.
  final func value(of owner: AnyObject, from depth: Int) -> Any? {
    do throws(KVError) { return try Reader(path).value(of: owner, from: depth) } catch {
      // What a key on the way lacks was reported when its object appeared; what elements lack was not.
      if error.code != .indexOutOfRange, chain == nil || error.code != .undefinedKey || path.hasOperator {
        KVDiagnostics.report(.error, .faultyPath, path, owner, site) { "observing \"\(self.path)\": \(error)" }
      }
      return nil
    }
  }

  /// The object that records name; nil if it is the root of a longer path, and dying.
  ///
  /// The object of a single key may be dying as well: it tells of what its `deinit` sets, and has to be named (LIF.1).
  @inline(__always)
  final func root(_ notice: borrowing KVChangeNotice) -> AnyObject? {
    if let chain { return chain.root }
    return notice.object
  }

  /// The object that records name, for those who keep it: nil if it is dying, since it cannot be kept alive.
  final func livingRoot(_ notice: borrowing KVChangeNotice) -> AnyObject? {
    guard let root = root(notice), !isDeinitializing(root) else { return nil }
    return root
  }

  // MARK: Notifications

  override func willChange(_ change: PendingChange, _ changedKey: PendingChange.ChangedKey) {
    change.add(self, changedKey, depth: 0, isLeaf: true)
  }

  override func didChange(_ notice: borrowing KVChangeNotice) {
    if notice.hasNewValue || notice.kind != .setting { return receive(notice, .change) }
    receive(
      notice.object, notice.key, old: notice.oldValue, isOldKnown: notice.hasOldValue,
      new: wantsNew ? value(of: notice.object, from: 0) : nil, .change)
  }

  func willChange(_ change: PendingChange, _ changedKey: PendingChange.ChangedKey, depth: Int, isLeaf: Bool) {
    change.add(self, changedKey, depth: depth, isLeaf: isLeaf)
  }

  func didChange(_ notice: borrowing KVChangeNotice, depth: Int, isLeaf: Bool) {
    if isLeaf { return receive(notice, .change) }
    // It came between the beginning of the change and its end, so it was not asked before.
    receive(
      notice.object, notice.key, old: nil, isOldKnown: false,
      new: wantsNew ? value(of: notice.object, from: depth) : nil, .change)
  }

  override func objectDidDeallocate(_ broken: inout [any PathObserver]) { cancel() }
  final func rootDidDeallocate() { cancel() }

  // MARK: Delivery

  /// Delivers a record of a setting whose values are at hand as `Any`; one whose old value nobody knows is always
  /// distinct.
  final func receive(
    _ object: AnyObject, _ key: KVKey, old: Any?, isOldKnown: Bool = true, new: Any?, _ phase: Phase
  ) {
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in
        receive(
          KVChangeNotice(
            object: object, key: key, valueType: Any?.self, oldAddress: isOldKnown ? UnsafeRawPointer(old) : nil,
            newAddress: new, boxer: BoxedValue.self), phase)
      }
    }
  }

  /// Delivers a record, or merges it into what is held back; drops it if it is not wanted.
  @inline(__always)
  final func receive(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    if isUnhindered { return deliver(notice, phase) }
    receiveSlowly(notice, phase)
  }

  @inline(never)
  private func receiveSlowly(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    // What watches elements has to follow in a pause as well; they are paused each.
    if isEnded || isPaused && !isElementwise { return }
    if phase == .change, notice.hasOldValue, options.contains(.distinct),
      Self.isUnchanged(notice.kind, notice.oldValue, notice.newValue)
    {
      return
    }
    if options.contains(.coalesced), let scope = CoalescingScope.unmanaged,
      scope._withUnsafeGuaranteedRef({ $0.add(self, notice, phase) })
    {
      return
    }
    deliverTraced(notice, phase)
  }

  /// Whether a change puts equal values in place of what was there, so that nothing is distinct (KVO.5).
  static func isUnchanged(_ kind: KVChange.Kind, _ old: Any?, _ new: Any?) -> Bool {
    (kind == .setting || kind == .replacement) && Equality.areEqual(old, new)
  }

  /// Delivers a record, and says so.
  final func deliverTraced(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    if KVDiagnostics.isTracing {
      let (old, new, kind, object) = (notice.oldValue, notice.newValue, notice.kind, notice.object)
      KVDiagnostics.report(.verbose, .delivery, path, object, site) {
        "\(type(of: object)).\(self.path): \(kind) \(KVChange.text(old)) → \(KVChange.text(new)) (\(phase))"
      }
    }
    deliver(notice, phase)
  }

  /// Makes the record that the options ask for.
  @inline(__always)
  final func record(_ notice: borrowing KVChangeNotice, _ root: AnyObject, _ phase: Phase) -> KVChange {
    KVChange(
      object: root, keyPath: path, kind: notice.kind,
      old: options.contains(.old) && phase != .initial ? notice.oldValue : nil,
      new: options.contains(.new) && phase != .prior ? notice.newValue : nil, indexes: notice.indexes,
      isPrior: phase == .prior, isInitial: phase == .initial)
  }

  final var site: Site? { Site(file: file, line: line) }

  private func notObservableError(_ root: some KVObservable) -> KVError {
    ResolvedComponent.notObservableError(path, root)
  }
}
