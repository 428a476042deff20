import KVCore
import Synchronization

/// An observation of a key path from a root object.
///
/// Subclasses override ``deliver(_:_:)`` for records, typed values, owners, targets and elements. An observation of a
/// single key is itself the entry in the list of the key. An observation of a longer path has a ``PathChain``.
// guard: `state` is atomic; `chain`, `registrar` and `key` are set in `attach`, before the observation is shared
class Observation: Listener, PathObserver, @unchecked Sendable {
  /// The conditions under which a record is not delivered at once.
  struct State {
    static let ended: UInt8 = 1
    static let paused: UInt8 = 2
    /// The observation is `distinct` or `coalesced`.
    static let special: UInt8 = 4
  }

  final let path: KVKeyPath
  final let options: KVObservingOptions
  private let state: Atomic<UInt8>
  private let number = RegistrationOrder.next()
  /// The source file that registered the observation.
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

  // MARK: For subclasses

  /// Delivers a record that ``receive(_:_:)`` has not dropped or deferred.
  func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) {}

  /// Called once, when the observation is registered, before its initial record.
  func didBegin() {}

  /// Called once, when the observation ends for any reason.
  func didEnd() {}

  /// A description for listings.
  var summary: String { "closure" }

  /// A description of the owner; nil if the observation belongs to the holder of its token.
  var ownerDescription: String? { nil }

  /// Returns whether the observation is a closure that an object owns (OBS.3).
  func belongs(to object: AnyObject) -> Bool { false }

  /// Whether the owner or target has been deallocated.
  var isOrphaned: Bool { false }

  // MARK: Lifetime

  /// Registers the observation at a root, and delivers the initial record if the options contain `initial`.
  ///
  /// - Throws: ``KVError`` if the path does not exist, or can never notify (KVO.13).
  final func begin(at root: some KVObservable) throws(KVError) {
    try attach(to: root)
    if wantsInitial { receiveInitial(root) }
  }

  /// Begins several observations; if one fails, cancels all of them.
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

  /// Registers the observation at a root, and delivers nothing.
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
        // An operator that cannot compute a value fails now.
        if path.hasOperator { _ = try Reader(path).value(of: root) }
        if options.contains(.elements) { chain.insert(try beginOperands(at: root)) }
      }
    } catch {
      _ = cancelWithoutReport()
      throw error.located(path: path.description, root: "\(type(of: root))")
    }
    // It may have been cancelled meanwhile: reading values can run any code.
    if isEnded { registrar?.removeEntry(self) }
    KVDiagnostics.report(.debug, .registration, path, root, site) {
      "\(type(of: root)).\(self.path): \(summary) registered [\(options)]"
    }
    didBegin()
  }

  final func receiveInitial(_ root: AnyObject) {
    receive(root, key, old: nil, new: wantsNew ? value(of: root, from: 0) : nil, .initial)
  }

  /// Cancels the observation; safe at any time, on any thread, and more than once (KVO.9).
  final func cancel() {
    guard cancelWithoutReport() else { return }
    KVDiagnostics.report(.debug, .registration, path, chain?.root, site) { "\(path): \(summary) ended" }
  }

  /// Cancels the observation; false if it has ended before.
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

  /// Whether records are delivered at once: nothing drops, defers or traces them.
  @inline(__always)
  final var isUnhindered: Bool { state.load(ordering: .acquiring) == 0 && !KVDiagnostics.isTracing }

  // MARK: Options

  /// Whether the observation observes the elements of a collection, too.
  var isElementwise: Bool { false }

  final var wantsOld: Bool { options.contains(.old) || options.contains(.distinct) }
  final var wantsNew: Bool { options.contains(.new) || options.contains(.distinct) }
  final var wantsInitial: Bool { options.contains(.initial) }

  /// The kinds of collection changes that the observation receives as settings of the whole collection.
  var kindsReportedAsSetting: PartialKinds { [] }
  /// Whether such a setting includes the collection before the change.
  var includesOldCollection: Bool { true }

  override var order: UInt32 { number }
  override var needsWillChange: Bool { options.contains(.prior) || !kindsReportedAsSetting.isEmpty }
  final var needsWillChangeAtLeaf: Bool { needsWillChange }
  override final var needsOldValue: Bool { wantsOld }
  final var takesTails: Bool { !isElementwise && !needsWillChange }

  /// Returns the value of the path from a component on; a value that cannot be read is nil, and the error is reported.
  final func value(of owner: AnyObject, from depth: Int) -> Any? {
    do throws(KVError) { return try Reader(path).value(of: owner, from: depth) } catch {
      // A missing key of an object on the path was reported when the path was resolved; a missing key of elements was
      // not.
      if error.code != .indexOutOfRange, chain == nil || error.code != .undefinedKey || path.hasOperator {
        KVDiagnostics.report(.error, .faultyPath, path, owner, site) { "observing \"\(self.path)\": \(error)" }
      }
      return nil
    }
  }

  /// The object of a record; nil if it is the root of a longer path and is being deallocated.
  ///
  /// The object of a single key can be in its `deinit`, which notifies of the properties that it sets (LIF.1).
  @inline(__always)
  final func root(_ notice: borrowing KVChangeNotice) -> AnyObject? {
    if let chain { return chain.root }
    return notice.object
  }

  /// Returns the object of a record that is stored; nil if the object is being deallocated, since it cannot be
  /// retained.
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
    // The link was added between the begin and the end of the change, so that `willChange` was not called.
    receive(
      notice.object, notice.key, old: nil, isOldKnown: false,
      new: wantsNew ? value(of: notice.object, from: depth) : nil, .change)
  }

  override func objectDidDeallocate(_ broken: inout [any PathObserver]) { cancel() }
  final func rootDidDeallocate() { cancel() }

  // MARK: Delivery

  /// Delivers a record of a setting with boxed values; it is always distinct if the old value is unknown.
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

  /// Delivers a record, adds it to the coalescing scope of the thread, or drops it.
  @inline(__always)
  final func receive(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    if isUnhindered { return deliver(notice, phase) }
    receiveSlowly(notice, phase)
  }

  @inline(never)
  private func receiveSlowly(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    // An observation of elements follows the collection while it is paused, too; each element is paused itself.
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

  /// Returns whether a change replaces values by equal ones, so that it is not distinct (KVO.5).
  static func isUnchanged(_ kind: KVChange.Kind, _ old: Any?, _ new: Any?) -> Bool {
    (kind == .setting || kind == .replacement) && Equality.areEqual(old, new)
  }

  /// Delivers a record, and reports it if deliveries are traced.
  final func deliverTraced(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    if KVDiagnostics.isTracing {
      let (old, new, kind, object) = (notice.oldValue, notice.newValue, notice.kind, notice.object)
      KVDiagnostics.report(.verbose, .delivery, path, object, site) {
        "\(type(of: object)).\(self.path): \(kind) \(KVChange.text(old)) → \(KVChange.text(new)) (\(phase))"
      }
    }
    deliver(notice, phase)
  }

  /// Creates the record with the values that the options contain.
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
