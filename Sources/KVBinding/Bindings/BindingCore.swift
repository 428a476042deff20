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
  let source: BindingEndpoint
  /// Further sources, whose values are combined with the first one's.
  let others: [BindingEndpoint]
  let combiner: KVCombiner?
  let target: BindingEndpoint
  let options: KVBindingOptions
  let transform: KVTransformer?
  /// The functions of the transformer, where their types are known.
  let maps: TypedMaps?
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
  @exclusivity(unchecked) var transfers: (forward: TypedTransfer, backward: TypedTransfer?)?
  /// Whether the target takes over what the source has made of its value.
  @exclusivity(unchecked) var reconciles = true
  let run = Run()

  let flags = Atomic<UInt8>(0)
  let status = Locked(Status())
  let isTraced: Atomic<Bool>

  struct Status {
    var state = KVBindingState.active
    var error: KVError?
    /// The value of the end that was changed last, where it waits for the executor.
    var queued: Queued?
    /// Whether a change of the target waits to be committed.
    var hasEdit = false
  }

  enum Flag {
    static let ended: UInt8 = 1
    /// The state is another than active.
    static let troubled: UInt8 = 2
  }

  init(
    _ source: BindingEndpoint, others: [BindingEndpoint] = [], combiner: KVCombiner? = nil, _ target: BindingEndpoint,
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
    BindingFailures.notify(self, error)
  }

  func set(_ state: KVBindingState, _ error: KVError?) {
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
    return "\(sources) \(options.direction.arrow) \(target.description)"
  }

  func report(_ level: KVDiagnostics.Level, _ message: () -> String) {
    KVDiagnostics.report(level, .binding, source.path, source.object, site) { "binding of \(summary): \(message())" }
  }

  /// Whether somebody wants to hear all that it does.
  var isTracing: Bool { isTraced.load(ordering: .relaxed) || KVDiagnostics.isTracing }

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
