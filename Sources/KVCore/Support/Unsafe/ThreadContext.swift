/// The state of the library on one thread.
///
/// It is created at its first use on a thread, and released when the thread ends.
package final class ThreadContext {
  private static let slot = ThreadSlot()

  /// The context of this thread, not retained: the thread retains it.
  package static var current: Unmanaged<ThreadContext> { slot.address.map { .fromOpaque($0) } ?? make() }

  @inline(never)
  private static func make() -> Unmanaged<ThreadContext> {
    let made = Unmanaged.passRetained(ThreadContext())
    slot.address = made.toOpaque()
    return made
  }

  /// The log of the innermost transaction.
  var writeLog: WriteLog?
  /// The notifications that are suppressed on this thread, innermost last.
  @exclusivity(unchecked) var suppressed: ContiguousArray<SuppressedNotification> = []
  /// The deliveries of KVBinding, which the context retains.
  @exclusivity(unchecked) private var deliveries: Unmanaged<AnyObject>?

  /// The deliveries of this thread, not retained; set once, to retained ones.
  package static var deliveries: Unmanaged<AnyObject>? {
    get { current._withUnsafeGuaranteedRef { $0.deliveries } }
    set { current._withUnsafeGuaranteedRef { $0.deliveries = newValue } }
  }

  private init() {}

  deinit { deliveries?.release() }
}
