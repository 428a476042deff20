import KVCore
import Synchronization

/// A binding: two endpoints, and the options by which it propagates values between them.
///
/// When an endpoint changes, the binding propagates its present value to the other endpoint. Meanwhile the binding is
/// *busy* on the thread. A notification on that thread is then either of the binding's own write, which it ignores, or
/// starts another round after the present one. Bindings that trigger each other therefore loop in rounds that are
/// counted (BND.5), instead of growing the stack.
// guard: only the thread in `busy` uses the fields of `Run`; `status` is locked
package final class BindingCore: OwnedRegistration, @unchecked Sendable {
  package let source: BindingEndpoint
  /// Further sources, whose values are combined with that of the first.
  let others: [BindingEndpoint]
  let combiner: KVCombiner?
  let target: BindingEndpoint
  let options: KVBindingOptions
  let transform: KVTransformer?
  /// The functions of the transformer, if their types are known.
  let maps: TypedMaps?
  let site: Site
  let ownerID: ObjectIdentifier?
  /// The name of the binding in a set.
  let name: String?
  /// The remedies that errors name to the author of the binding.
  let cures: BindingCures
  /// The position in the order in which bindings were made.
  let number = RegistrationOrder.next()
  /// Whether no option changes or checks a value.
  let isPlain: Bool
  /// Whether no option changes or checks a value of the source that is not nil.
  let isPlainForward: Bool
  /// Whether each change of the source, and of the target, is propagated at once, without further tests.
  let isImmediate: (source: Bool, target: Bool)
  /// The transfers of unboxed values; nil if a path has several components, or the types differ.
  var transfers: (forward: TypedTransfer, backward: TypedTransfer?)?
  /// Whether the target is set again if the setter of the source stores another value.
  var reconciles = true
  /// Whether the registrar of each source has an entry of the binding.
  var isListedAtSources = true
  /// The timer of the rate limit; nil without one.
  private(set) var limiter: RateLimiter?
  let run = Run()
  /// The rank of each side; see ``WaveOrder``.
  private let sourceRank = Atomic<Int32>(0)
  private let targetRank = Atomic<Int32>(0)
  /// The number of the wave in which each side waits for its turn; zero if it does not.
  private let sourceWaits = Atomic<UInt64>(0)
  private let targetWaits = Atomic<UInt64>(0)

  let flags = Atomic<UInt8>(0)
  let status = Locked(Status())
  let isTraced: Atomic<Bool>
  /// The calls that throw the error of the binding, which is not reported as well.
  let throwingCalls = Locked<[ThrowingCall]>([])
  let handle = Locked(Handle())

  struct Status {
    var state = KVBindingState.active
    var error: KVError?
    /// The value of the endpoint that changed last, if it is queued for the executor.
    var queued: Queued?
    /// The change of the target that has not been committed yet.
    var edit: PendingEdit?
    /// Whether the source knows that the binding has an edit; see ``EditorHost``.
    var isReportedEditor = false
    /// The endpoint that changed last, if the rate limit defers its value, and the number of executors before.
    var limited: (side: BindingSide, hops: Int)?
    /// Called with each error.
    var onError: ((KVError) -> Void)?
  }

  /// A call that propagates a value.
  struct ThrowingCall {
    let thread: UInt
    /// The last error of the call.
    var error: KVError?
  }

  enum Flag {
    static let ended: UInt8 = 1
    /// The state is not active.
    static let troubled: UInt8 = 2
  }

  init(
    _ source: BindingEndpoint, others: [BindingEndpoint] = [], combiner: KVCombiner? = nil, _ target: BindingEndpoint,
    _ options: KVBindingOptions, transform: KVTransformer? = nil, maps: TypedMaps? = nil,
    name: String? = nil, cures: BindingCures = .code, site: Site
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
    self.cures = cures
    ownerID = target.object.map { ObjectIdentifier($0) } ?? ObjectIdentifier(target)
    isTraced = Atomic(options.isTraced)
    isPlainForward =
      (self.transform == nil || maps != nil) && combiner == nil && !options.validates && source.usesAccessors
      && target.usesAccessors
    isPlain = isPlainForward && options.nullPlaceholder == nil && options.fallback == nil
    var followsOnAnyThread = options.trigger == .onChange
    if case .anyThread = options.concurrency {} else { followsOnAnyThread = false }
    isImmediate = (
      followsOnAnyThread && options.direction.goesForward,
      // The object that has the last key of a longer path may be another one than before.
      followsOnAnyThread && options.direction == .twoWay && target.path.count == 1
    )
    if case .limited(let limit) = options.concurrency {
      limiter = RateLimiter(limit) { [weak self] in self?.propagateLimited() }
    }
  }

  // MARK: Waves

  /// Returns the side of a registration of the binding.
  func side(of registration: Registration) -> BindingSide { target.isObserved(by: registration) ? .target : .source }

  /// Returns what the binding sets at once when one of its sides changes; nil if it sets nothing then.
  func written(from side: BindingSide) -> (object: AnyObject, key: InternedKey)? {
    guard !isEnded, options.trigger != .explicit, options.trigger == .onChange || side == .source else { return nil }
    switch options.concurrency {
    case .dispatched, .limited: return nil
    case .anyThread, .only: break
    }
    switch options.direction {
    case .oneWay, .once: return target.written()
    case .toSource: return source.written()
    case .twoWay: return endpoint(side.other).written()
    }
  }

  /// Whether the binding does not react to a change of the last key of a side.
  func ignores(_ side: BindingSide) -> Bool {
    switch options.direction {
    case .oneWay, .once: side == .target
    case .toSource: side == .source
    case .twoWay: false
    }
  }

  /// Announces that the binding is about to set an endpoint: the change that this makes belongs to its wave (WAV.2).
  @inline(__always)
  func announce(_ key: InternedKey, of object: AnyObject, _ thread: AddressOf<ThreadDeliveries.State>) {
    thread.pointee.expected = (key, _KVReference(object).identity)
  }

  /// The same, of an endpoint that is set by key.
  func announce(_ side: BindingSide) {
    if let (object, key) = endpoint(side).written() {
      announce(key, of: object, ThreadDeliveries.current.borrow { $0.state })
    }
  }

  /// Calls a function that sets an endpoint by key, and announces that.
  func setting<Result>(_ side: BindingSide, _ body: () throws(KVError) -> Result) throws(KVError) -> Result {
    run.receiver = side
    announce(side)
    defer {
      ThreadDeliveries.current.borrow { $0.state.pointee.expected = nil }
      run.receiver = nil
    }
    return try body()
  }

  func rank(_ side: BindingSide) -> Int32 {
    side == .source ? sourceRank.load(ordering: .relaxed) : targetRank.load(ordering: .relaxed)
  }

  func setRank(_ rank: Int32, _ side: BindingSide) {
    if side == .source {
      sourceRank.store(rank, ordering: .relaxed)
    } else {
      targetRank.store(rank, ordering: .relaxed)
    }
  }

  /// Records that a side waits for its turn in a wave, which has a number; returns the number of the wave in which it did.
  func beginWaiting(_ side: BindingSide, _ wave: UInt64) -> UInt64 {
    side == .source ? sourceWaits.exchange(wave, ordering: .relaxed) : targetWaits.exchange(wave, ordering: .relaxed)
  }

  /// Whether a side waits for its turn, in some wave of some thread.
  func isWaiting(_ side: BindingSide) -> Bool {
    (side == .source ? sourceWaits.load(ordering: .relaxed) : targetWaits.load(ordering: .relaxed)) != 0
  }

  /// Records that a side has its turn in a wave; it waits in an outer one of the thread as before.
  func endWaiting(_ side: BindingSide, _ wave: UInt64, outer: UInt64) {
    if side == .source {
      _ = sourceWaits.compareExchange(expected: wave, desired: outer, ordering: .relaxed)
    } else {
      _ = targetWaits.compareExchange(expected: wave, desired: outer, ordering: .relaxed)
    }
  }

  // MARK: State

  var state: KVBindingState { status.withLock { $0.state } }
  var error: KVError? { status.withLock { $0.error } }

  @inline(__always)
  func succeed() {
    if flags.load(ordering: .relaxed) & Flag.troubled != 0 { recover() }
  }

  @inline(never)
  private func recover() {
    // A path that could not be resolved may lead through a control now.
    if state == .unresolved, options.direction.goesForward {
      do throws(KVError) { for endpoint in [source] + others { try endpoint.refuseControls() } } catch {
        return fail(error)
      }
    }
    set(.active, nil)
  }

  /// Sets the state for a path that cannot be resolved, which is not an error.
  func unresolved() {
    set(.unresolved, nil)
    trace { "unresolved" }
  }

  /// Sets the state for an error, and reports it unless it is thrown to the caller.
  func fail(_ error: KVError, isThrown: Bool = false) {
    set(.failed, error)
    if !isThrown, !isThrowing(error) { report(.error) { "\(error)" } }
    BindingFailures.notify(self, error)
    status.withLock { $0.onError }?(error)
  }

  // MARK: Description

  var summary: String { Self.summary([source] + others, options.direction, target) }

  static func summary(
    _ sources: [BindingEndpoint], _ direction: KVBindingDirection, _ target: BindingEndpoint
  ) -> String {
    "\(sources.map(\.description).joined(separator: ", ")) \(direction.arrow) \(target.description)"
  }

  func report(_ level: KVDiagnostics.Level, _ message: () -> String) {
    KVDiagnostics.report(level, .binding, source.path, source.object, site) { "binding of \(summary): \(message())" }
  }

  /// Whether the binding or all bindings are traced.
  var isTracing: Bool { isTraced.load(ordering: .relaxed) || KVDiagnostics.isTracing }

  /// Reports an action if the binding is traced.
  func trace(_ message: () -> String) {
    if isTraced.load(ordering: .relaxed) {
      KVDiagnostics.report(
        always: .verbose, .binding, source.path, id: source.object.map { ObjectIdentifier($0) }, site, isTraced: true
      ) { "binding of \(summary): \(message())" }
    } else {
      report(.verbose, message)
    }
  }
}

/// The functions of a typed transformer.
struct TypedMaps {
  let forward: TypedMap?
  var backward: TypedMap?

  init?(_ forward: TypedMap?, _ backward: TypedMap? = nil) {
    guard let forward else { return nil }
    self.forward = forward
    self.backward = backward
  }
}
