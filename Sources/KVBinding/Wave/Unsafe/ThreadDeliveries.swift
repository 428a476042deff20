import KVCore
import Synchronization

/// The deliveries on one thread: what is deferred, which bindings are busy, and which are suspended.
final class ThreadDeliveries {
  /// The deliveries of this thread, not retained: the context of the thread retains them.
  @inline(__always)
  static var current: _KVReference<ThreadDeliveries> {
    guard let deliveries = ThreadContext.deliveries else { return make() }
    return deliveries.typed(as: ThreadDeliveries.self)
  }

  @inline(never)
  private static func make() -> _KVReference<ThreadDeliveries> {
    let made = _KVReference.retaining(ThreadDeliveries())
    ThreadContext.deliveries = made.typed(as: AnyObject.self)
    return made
  }

  /// The state that each delivery uses.
  struct State {
    /// The number of the last wave; each thread counts from a number of its own, so that threads do not wait for each other.
    var lastWave = ThreadDeliveries.threads.wrappingAdd(1, ordering: .relaxed).newValue << Wave.bitsOfThread
    /// The innermost wave that is under way, which its delivery retains; nil if none is.
    var wave: _KVReference<Wave>?
    /// The version at which none of the bindings that are delivered leads to another one; zero if one does.
    var unorderedVersion: UInt64 = 0
    /// Whether bindings have their turns at once.
    var isUnordered: Bool { unorderedVersion != 0 }
    /// Whether no wave is under way, and no binding has its turn.
    var isIdle: Bool { wave == nil && unorderedVersion == 0 && running == nil }
    /// The binding that has its turn, which is retained meanwhile, and the side that has changed.
    var running: (binding: _KVReference<BindingCore>, side: BindingSide)?
    /// Whether what is being delivered is the write of that binding, so that further bindings wait for their turns.
    var isWriteOfBinding = false
    /// The key that the binding is about to set, and the address of its object.
    var expected: (key: InternedKey, object: UInt)?
    /// The number of executors in sequence since the first change.
    var hops = 0
    /// The waves that have ended, for further changes.
    var spareWaves: ContiguousArray<Wave> = []
    /// The changes that are being made and have dependent keys, innermost last.
    var enclosing: ContiguousArray<_KVReference<ChangeRun>> = []
    /// The runs that have ended, for further changes.
    var spareRuns: ContiguousArray<ChangeRun> = []
    /// The bindings that have propagated in the outermost transaction of this thread; nil if none is running.
    var transacted: TransactedBindings?
  }

  /// At an address, since each access of a property of an object would be checked for exclusivity.
  let state: AddressOf<State>
  /// The number of threads so far.
  fileprivate static let threads = Atomic<UInt64>(0)

  let stack = DeliveryStack()
  /// The outermost change of this thread.
  let boundary = ChangeBoundary()
  /// The number of coalescing scopes of the thread that have begun and not ended.
  var scopeDepth = 0
  /// The boundary that counts the outermost scope while outermost changes are tracked.
  var scopeBoundary: ChangeBoundary?
  /// Whether the scope of the task is not used; see ``CoalescingScope/leaving(_:)``.
  var hasLeftScopes = false
  /// The coalescing scope, which is made when it is first used, and lives until its last commit.
  var scope: _KVReference<CoalescingScope>?
  /// The deliveries that were caused by another one of the same key.
  #if compiler(>=6.2)
    @safe
  #endif
  @exclusivity(unchecked) var nested = NestedDeliveries()
  /// The changes inside the elements of the objects that are being updated, innermost last.
  var changesOfElements: [ChangeOfElements] = []
  /// The dependent keys that are being cancelled, and wait for their turn; nil if none is.
  var endingKeys: [DependentKey]?
  /// The bindings that were notified while bindings are suspended; nil if they are not.
  var suspended: [BindingCore]?
  /// The objects that compute a value and may ask others for theirs, innermost last.
  var computing: [KVObject] = []
  /// How many deallocations the thread notifies of, inside each other.
  var deallocations = 0

  private init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  /// Returns whether a change is the one that the binding which has its turn has announced; the next one is not.
  static func takesExpected(_ key: InternedKey, _ object: UInt, _ thread: AddressOf<State>) -> Bool {
    guard let expected = thread.pointee.expected, expected.key == key, expected.object == object else { return false }
    thread.pointee.expected = nil
    return true
  }

  /// Lets no change of this thread be the announced one.
  static func forgetExpected() {
    ThreadContext.deliveries?.typed(as: ThreadDeliveries.self).borrow { $0.state.pointee.expected = nil }
  }

  /// The thread ends; a scope that it has not committed is dropped with its records (COA.1).
  deinit {
    stack.retire()
    state.deinitialize(count: 1)
    state.deallocate()
    guard scopeDepth > 0 else { return }
    KVDiagnostics.report(.warning, .unmatchedChange, nil, nil) {
      """
      a thread ended between KVCoalescing.begin() and commit(): what the scope deferred is not delivered. \
      KVCoalescing.coalesce { } cannot be left unmatched.
      """
    }
    scope?.release()
  }
}
