import Synchronization

/// What an observable object tells of its changes; the hook between a model and those who listen to it.
///
/// An object has none until somebody observes it, and pays nothing then but the test for it. KVBinding installs a
/// subclass, which keeps the listeners. A change is told twice, before and after it, in one form for all kinds
/// (``KVChangeNotice``): settings, to-many changes, and changes told by hand.
///
/// It is safe from any thread. The two notifications come on the thread that makes the change.
open class KVRegistrar: @unchecked Sendable {  // guard: all of its state is atomic or locked
  @usableFromInline let observedKeys = Atomic<UInt64>(0)
  @usableFromInline let willChangeKeys = Atomic<UInt64>(0)
  @usableFromInline let oldValueKeys = Atomic<UInt64>(0)
  /// The changes that the properties' own setters are not to tell, on the thread that makes them; innermost last.
  private let suppressions = Locked(Suppressions())
  @usableFromInline let suppressionCount = Atomic<Int>(0)

  private struct Suppressions: @unchecked Sendable {  // guard: each thread asks for its own writes only
    var notifications: [SuppressedNotification] = []

    func last(_ key: KVKey, _ thread: UInt) -> Int? {
      notifications.lastIndex { $0.key == key && $0.thread == thread }
    }
  }

  /// Makes a registrar that nobody listens to.
  public init() {}

  /// Says which keys are observed; from then on changes of these keys are told, and perhaps of others.
  ///
  /// - Parameter keys: All keys that anybody observes, but for those that notify by hand only (KVO.15); both calls come
  ///   for them.
  /// - Complexity: O(*n*) in the number of keys.
  public final func setObservedKeys(_ keys: some Sequence<KVKey>) {
    let mask = keys.reduce(0) { $0 | $1.bit }
    setMasks(observedKeys: mask, willChangeKeys: mask, oldValue: mask)
  }

  /// Sets the masks: the bits of the observed keys, of those with observers that run before a change as well, and of those
  /// with observers that want the old value.
  @inlinable @inline(__always)
  package final func setMasks(observedKeys: UInt64, willChangeKeys: UInt64, oldValue: UInt64) {
    self.willChangeKeys.store(willChangeKeys, ordering: .releasing)
    oldValueKeys.store(oldValue, ordering: .releasing)
    self.observedKeys.store(observedKeys, ordering: .releasing)
  }

  /// The masks; see ``setMasks(observedKeys:willChangeKeys:oldValue:)``.
  @inlinable @inline(__always)
  package final var masks: (observedKeys: UInt64, willChangeKeys: UInt64, oldValue: UInt64) {
    (
      observedKeys.load(ordering: .acquiring), willChangeKeys.load(ordering: .acquiring),
      oldValueKeys.load(ordering: .acquiring)
    )
  }

  /// Stores the masks as they are, so that what was written before is seen by whoever loads them.
  @inlinable @inline(__always)
  package final func publishMasks() { observedKeys.store(observedKeys.load(ordering: .relaxed), ordering: .releasing) }

  /// Whether anybody may be observing a key: false is certain, true is not.
  ///
  /// One bit stands for one key in 64, so that the test costs one load.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether a change of the key has to be told.
  @inlinable @inline(__always)
  public final func mayObserve(_ key: KVKey) -> Bool { observedKeys.load(ordering: .acquiring) & key.bit != 0 }

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
  open func objectDidDeallocate() {}

  /// Called once, at the start of the `deinit` of a ``KVObject``.
  ///
  /// Does nothing by itself.
  open func objectWillDeallocate() {}

  /// Tells what is about to happen, if somebody wants to know before.
  package final func begin(_ change: borrowing KVChangeNotice) -> AnyObject? {
    needsWillChange(change.key) ? willChange(change) : nil
  }

  /// Whether somebody may want to know of changes of a key before they happen.
  @inlinable @inline(__always)
  final func needsWillChange(_ key: KVKey) -> Bool { willChangeKeys.load(ordering: .acquiring) & key.bit != 0 }

  /// Whether a change in place has to keep the old value: an observer wants it, or runs before the change.
  @inlinable @inline(__always)
  final func needsOldValue(_ key: KVKey) -> Bool {
    (willChangeKeys.load(ordering: .acquiring) | oldValueKeys.load(ordering: .acquiring)) & key.bit != 0
  }

  /// Whether a setter has anything to find out: some keys are told, or somebody tells of changes in its place.
  @inlinable @inline(__always)
  final var isBusy: Bool { observedKeys.load(ordering: .acquiring) != 0 || isSuppressing }

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
    try bracket(change, suppressing: .everything, body)
  }

  /// Tells of a change around a body that makes it, and that reaches the property by some way.
  final func bracket<Result, Failure: Error>(
    _ change: borrowing KVChangeNotice, suppressing mode: SuppressedNotification.Mode,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard mayObserve(change.key) else { return try body() }
    let beginning = begin(change)
    defer { didChange(change, since: beginning) }
    return try suppressing(change.key, mode, body)
  }

  /// Runs a body, and drops what the property's own setter tells of a key meanwhile.
  final func suppressing<Result, Failure: Error>(
    _ key: KVKey, _ mode: SuppressedNotification.Mode, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = currentThread()
    suppressions.withLock { $0.notifications.append(SuppressedNotification(key: key, thread: thread, mode: mode)) }
    suppressionCount.add(1, ordering: .relaxed)
    defer {
      suppressionCount.subtract(1, ordering: .relaxed)
      suppressions.withLock { suppressions in
        if let last = suppressions.last(key, thread) { suppressions.notifications.remove(at: last) }
      }
    }
    return try body()
  }

  /// Whether a write by key is to tell of itself, rather than being the change that somebody tells already.
  final func shouldNotifyKeyedWrite(_ key: KVKey) -> Bool {
    guard mayObserve(key) else { return false }
    guard suppressionCount.load(ordering: .relaxed) != 0 else { return true }
    let thread = currentThread()
    return suppressions.withLock { suppressions in
      guard let last = suppressions.last(key, thread) else { return true }
      switch suppressions.notifications[last].mode {
      case .everything: return false
      case .setter, .consumed: return true
      case .write:
        suppressions.notifications[last].mode = .setter
        return false
      }
    }
  }

  /// Whether a property whose setter was called has to notify, rather than being the change that is notified already.
  final func shouldNotifySetter(_ key: KVKey) -> Bool {
    guard mayObserve(key) else { return false }
    guard suppressionCount.load(ordering: .relaxed) != 0 else { return true }
    let thread = currentThread()
    return suppressions.withLock { suppressions in
      guard let last = suppressions.last(key, thread) else { return true }
      switch suppressions.notifications[last].mode {
      case .everything, .setter: return false
      case .consumed: return true
      case .write:
        suppressions.notifications[last].mode = .consumed
        return false
      }
    }
  }

  /// Whether notifications of some setter are suppressed, on some thread.
  @inlinable @inline(__always)
  final var isSuppressing: Bool { suppressionCount.load(ordering: .relaxed) != 0 }
}
