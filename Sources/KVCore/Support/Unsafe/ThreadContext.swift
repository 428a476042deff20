/// The state of the library on one thread.
///
/// It is created at its first use on a thread, and released when the thread ends.
package final class ThreadContext {
  /// The context of this thread, not retained: the thread retains it.
  package static var current: _KVReference<ThreadContext> {
    ThreadSlot.address.map { _KVReference(.fromOpaque($0)) } ?? make()
  }

  @inline(never)
  private static func make() -> _KVReference<ThreadContext> {
    let made = _KVReference.retaining(ThreadContext())
    ThreadSlot.address = made.unmanaged.toOpaque()
    return made
  }

  /// The stack of this thread.
  let stack = StackSpace()
  /// The log of the innermost transaction.
  var writeLog: WriteLog?
  /// The notifications that are suppressed on this thread, innermost last.
  #if compiler(>=6.2)
    @safe
  #endif
  @exclusivity(unchecked) var suppressed: ContiguousArray<SuppressedNotification> = []
  /// The deliveries of KVBinding, which the context retains.
  #if compiler(>=6.2)
    @safe
  #endif
  @exclusivity(unchecked) private var deliveries: _KVReference<AnyObject>?

  /// The deliveries of this thread, not retained; set once, to retained ones.
  package static var deliveries: _KVReference<AnyObject>? {
    get { current.borrow { $0.deliveries } }
    set { current.borrow { $0.deliveries = newValue } }
  }

  private init() {}

  deinit { deliveries?.release() }
}
