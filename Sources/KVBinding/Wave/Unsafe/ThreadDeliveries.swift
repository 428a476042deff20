import KVCore

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

  let propagation = Propagation()
  let stack = DeliveryStack()
  /// The outermost change of this thread.
  let boundary = ChangeBoundary()
  /// The number of coalescing scopes of the thread that have begun and not ended.
  var scopeDepth = 0
  /// What counts the outermost scope while somebody wants to know when outermost changes end.
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
  /// The changes that are being made and have dependent keys, innermost last.
  var enclosing: ContiguousArray<_KVReference<ChangeRun>> = []
  /// The runs that have ended, for further changes.
  var spareRuns: ContiguousArray<ChangeRun> = []
  /// What changes inside the elements of the objects that are being updated, innermost last.
  var changesOfElements: [ChangeOfElements] = []
  /// The dependent keys that are being cancelled, and wait for their turn; nil if none is.
  var endingKeys: [DependentKey]?
  /// The bindings that were notified while bindings are suspended; nil if they are not.
  var suspended: [BindingCore]?
  /// How many deallocations the thread notifies of, inside each other.
  var deallocations = 0
  /// The bindings that have propagated in the outermost transaction of this thread; nil if none is running.
  var transacted: TransactedBindings?

  /// The thread ends; a scope that it has not committed is dropped with its records (COA.1).
  deinit {
    stack.retire()
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
