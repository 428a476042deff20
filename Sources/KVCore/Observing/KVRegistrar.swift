import Synchronization

/// What an observable object tells of its changes; the hook between a model and those who listen to it.
///
/// An object has none until somebody observes it, and pays nothing then but the test for it. KVBinding installs a
/// subclass, which keeps the listeners. A change is told twice, before and after it, in one form for all kinds
/// (``KVChangeNotice``): settings, to-many changes, and changes told by hand.
///
/// It is safe from any thread. The two notifications come on the thread that makes the change.
open class KVRegistrar: @unchecked Sendable {  // guard: all of its state is atomic or locked
  @usableFromInline let told = Atomic<UInt64>(0)
  @usableFromInline let asked = Atomic<UInt64>(0)
  /// The keys whose properties' own setters are not to tell, on the thread that sets them.
  private let held = Locked<[(key: KVKey, thread: UInt)]>([])
  private let heldCount = Atomic<Int>(0)

  /// Makes a registrar that nobody listens to.
  public init() {}

  /// Says which keys are observed; from then on changes of these keys are told, and perhaps of others.
  ///
  /// - Parameter keys: All keys that anybody observes, but for those that notify by hand only (KVO.15); both calls come
  ///   for them.
  /// - Complexity: O(*n*) in the number of keys.
  public final func setObservedKeys(_ keys: some Sequence<KVKey>) {
    let mask = keys.reduce(0) { $0 | $1.bit }
    setMasks(told: mask, asked: mask)
  }

  /// Says by their bits which keys are told, and which of them before the change as well.
  @inlinable @inline(__always)
  package final func setMasks(told: UInt64, asked: UInt64) {
    self.asked.store(asked, ordering: .releasing)
    self.told.store(told, ordering: .releasing)
  }

  /// The bits of the keys that are told, and of those that are told before as well.
  @inlinable @inline(__always)
  package final var masks: (told: UInt64, asked: UInt64) {
    (told.load(ordering: .acquiring), asked.load(ordering: .acquiring))
  }

  /// Stores the masks as they are, so that what was written before is seen by whoever loads them.
  @inlinable @inline(__always)
  package final func publishMasks() { told.store(told.load(ordering: .relaxed), ordering: .releasing) }

  /// Whether anybody may be observing a key: false is certain, true is not.
  ///
  /// One bit stands for one key in 64, so that the test costs one load.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether a change of the key has to be told.
  @inlinable @inline(__always)
  public final func mayObserve(_ key: KVKey) -> Bool { told.load(ordering: .acquiring) & key.bit != 0 }

  /// Called before a change of a key that may be observed by somebody who wants to be told before.
  ///
  /// - Parameter change: What is about to happen; valid during the call.
  /// - Returns: Whatever is to be handed to ``didChange(_:since:)``. The default returns nil.
  open func willChange(_ change: borrowing KVChangeNotice) -> AnyObject? { nil }

  /// Called after a change of a key that may be observed.
  ///
  /// Does nothing by itself.
  ///
  /// - Parameters:
  ///   - change: What has happened; valid during the call.
  ///   - beginning: What ``willChange(_:)`` returned, or nil if it was not called.
  open func didChange(_ change: borrowing KVChangeNotice, since beginning: AnyObject?) {}

  /// Called once, when the object dies: at the end of its `deinit`, or while its stored properties are released.
  ///
  /// Does nothing by itself.
  open func objectDied() {}

  /// Called once, at the start of the `deinit` of a ``KVObject``.
  ///
  /// Does nothing by itself.
  open func objectWillDie() {}

  /// Tells what is about to happen, if somebody wants to know before.
  package final func begin(_ change: borrowing KVChangeNotice) -> AnyObject? {
    asks(change.key) ? willChange(change) : nil
  }

  /// Whether somebody may want to know of changes of a key before they happen.
  @inlinable @inline(__always)
  final func asks(_ key: KVKey) -> Bool { asked.load(ordering: .acquiring) & key.bit != 0 }

  /// Tells of a change around a body that makes it.
  ///
  /// What the property's own setter tells of the key meanwhile is dropped: the change is told once, by the kind that
  /// the caller knows. A change told by hand holds nothing back; see `withChange(forKey:)` in KVBinding.
  ///
  /// - Parameters:
  ///   - change: What is about to happen. Its addresses must stay valid until the body has returned.
  ///   - body: Makes the change. It is called once, observed or not.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws. The end is told then, too, since something may have changed.
  public final func bracket<Result, Failure: Error>(
    _ change: borrowing KVChangeNotice, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard mayObserve(change.key) else { return try body() }
    let beginning = begin(change)
    defer { didChange(change, since: beginning) }
    return try holding(change.key, body)
  }

  /// Runs a body, and drops what the property's own setter tells of a key meanwhile.
  final func holding<Result, Failure: Error>(
    _ key: KVKey, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = currentThread()
    held.withLock { $0.append((key, thread)) }
    heldCount.add(1, ordering: .relaxed)
    defer {
      heldCount.subtract(1, ordering: .relaxed)
      held.withLock { held in
        if let last = held.lastIndex(where: { $0.key == key && $0.thread == thread }) { held.remove(at: last) }
      }
    }
    return try body()
  }

  private func isHeld(_ key: KVKey) -> Bool {
    let thread = currentThread()
    return held.withLock { $0.contains { $0.key == key && $0.thread == thread } }
  }

  /// Whether a change of the key is to be told by the property that makes it.
  final func tells(_ key: KVKey) -> Bool {
    mayObserve(key) && (heldCount.load(ordering: .relaxed) == 0 || !isHeld(key))
  }
}
