import Synchronization

/// The hook that an observable object notifies of its changes.
///
/// It is not API.
///
/// An object has no registrar until it is observed, and pays only for the test. KVBinding installs a subclass, which
/// stores the observers. There are two notifications for each change, before and after it. Settings, to-many changes
/// and manual changes all use a ``_KVChangeNotice``.
///
/// A registrar can be used on any thread. Both notifications are sent on the thread that makes the change.
open class _KVRegistrar: @unchecked Sendable {  // guard: all state is atomic or locked
  @usableFromInline let observedKeys = Atomic<UInt64>(0)
  @usableFromInline let willChangeKeys = Atomic<UInt64>(0)
  @usableFromInline let oldValueKeys = Atomic<UInt64>(0)
  private let newValueKeys = Atomic<UInt64>(0)
  /// The number of notifications that threads suppress; see ``suppressing(_:_:_:)``.
  @usableFromInline let suppressionCount = Atomic<Int32>(0)

  /// Whether deliveries are reported with their values, so that each observer wants both.
  package static let reportsValues = Atomic<Bool>(false)

  /// Whether the registrar is that of many objects, of which none may suppress what another one notifies of; it is set
  /// before the registrar is used.
  package final var isShared = false

  /// Creates a registrar without observed keys.
  public init() {}

  /// Sets the observed keys.
  ///
  /// The registrar is then notified of changes of these keys, and perhaps of other keys.
  ///
  /// - Parameter keys: All observed keys except those with manual notification (KVO.15). Both ``willChange(_:)`` and
  ///   ``didChange(_:since:)`` are called for them.
  /// - Complexity: O(*n*) in the number of keys.
  package final func setObservedKeys(_ keys: some Sequence<InternedKey>) {
    let mask = keys.reduce(0) { $0 | $1.bit }
    setMasks(observedKeys: mask, willChangeKeys: mask, oldValue: mask, newValue: mask)
  }

  /// Sets the masks: the bits of the observed keys, of the keys with observers that run before a change as well, and of
  /// the keys with observers that want the old and the new value.
  package final func setMasks(observedKeys: UInt64, willChangeKeys: UInt64, oldValue: UInt64, newValue: UInt64) {
    self.willChangeKeys.store(willChangeKeys, ordering: .releasing)
    oldValueKeys.store(oldValue, ordering: .releasing)
    newValueKeys.store(newValue, ordering: .releasing)
    self.observedKeys.store(observedKeys, ordering: .releasing)
  }

  /// The masks; see ``setMasks(observedKeys:willChangeKeys:oldValue:newValue:)``.
  package final var masks: (observedKeys: UInt64, willChangeKeys: UInt64, oldValue: UInt64, newValue: UInt64) {
    (
      observedKeys.load(ordering: .acquiring), willChangeKeys.load(ordering: .acquiring),
      oldValueKeys.load(ordering: .acquiring), newValueKeys.load(ordering: .acquiring)
    )
  }

  /// Adds the bit of a key to masks; see ``setMasks(observedKeys:willChangeKeys:oldValue:newValue:)``.
  ///
  /// Callers hold a lock, so that no bit is lost without an atomic addition, which would cost 5 ns for each mask.
  package final func addToMasks(
    _ key: InternedKey, observed: Bool, willChange: Bool, oldValue: Bool, newValue: Bool
  ) {
    if willChange { willChangeKeys.store(willChangeKeys.load(ordering: .relaxed) | key.bit, ordering: .releasing) }
    if oldValue { oldValueKeys.store(oldValueKeys.load(ordering: .relaxed) | key.bit, ordering: .releasing) }
    if newValue { newValueKeys.store(newValueKeys.load(ordering: .relaxed) | key.bit, ordering: .releasing) }
    if observed { observedKeys.store(observedKeys.load(ordering: .relaxed) | key.bit, ordering: .releasing) }
  }

  /// Returns whether a key may have observers: `false` is certain, `true` is not.
  ///
  /// One bit stands for every 64th key, so that the test costs one load.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether the registrar has to be notified of a change of the key.
  @inlinable @inline(__always)
  package final func mayObserve(_ key: InternedKey) -> Bool { observedKeys.load(ordering: .acquiring) & key.bit != 0 }

  /// Called before a change of a key that may have observers that run before the change.
  ///
  /// - Parameter change: The change, valid during the call.
  /// - Returns: An object that ``didChange(_:since:)`` is passed. The default implementation returns nil.
  open func willChange(_ change: borrowing _KVChangeNotice) -> AnyObject? { nil }

  /// Returns whether handlers have run before a change, which may have changed the object.
  ///
  /// - Parameter beginning: The result of ``willChange(_:)``.
  open func hasRunHandlers(_ beginning: AnyObject) -> Bool { true }

  /// Returns whether nobody has to be notified after a setter has failed: no observer was called before it.
  ///
  /// - Parameter beginning: The result of ``willChange(_:)``.
  open func isAbandoned(_ beginning: AnyObject) -> Bool { false }

  /// Called after a change of a key that may have observers.
  ///
  /// The default implementation does nothing.
  ///
  /// - Parameters:
  ///   - change: The change, valid during the call.
  ///   - beginning: The result of ``willChange(_:)``, or nil if it was not called.
  open func didChange(_ change: borrowing _KVChangeNotice, since beginning: AnyObject?) {}

  /// Called once, while the object is deallocated: after its `deinit`, when its stored properties are released.
  ///
  /// The default implementation does nothing.
  open func objectDidDeallocate() {}

  /// Called once, at the start of the `deinit` of a ``KVObject``.
  ///
  /// The default implementation does nothing.
  open func objectWillDeallocate() {}

  /// Calls ``willChange(_:)`` before a setting if the key may have observers that run before a change.
  @inlinable @inline(never)
  final func begin<Value>(_ key: InternedKey, of object: AnyObject, from old: Value, to new: Value) -> AnyObject? {
    _KVChangeNotice.with(key, of: object, from: old, to: new) { begin($0) }
  }

  /// Calls ``didChange(_:since:)`` after a setting.
  @inlinable @inline(never)
  final func didChange<Value>(
    _ key: InternedKey, of object: AnyObject, from old: Value, to new: Value, since beginning: AnyObject?
  ) {
    _KVChangeNotice.with(key, of: object, from: old, to: new) { didChange($0, since: beginning) }
  }

  /// Calls ``didChange(_:since:)`` after a setting of a key without observers that run before it.
  final func didChange<Value>(
    _ key: InternedKey, of object: AnyObject, from old: AddressOf<Value>, to new: AddressOf<Value>
  ) {
    didChange(
      _KVChangeNotice(
        object: object, key: key, valueType: Value.self, oldAddress: Address(old), newAddress: Address(new),
        boxer: valueBoxer(of: Value.self)), since: nil)
  }

  /// Calls ``didChange(_:since:)`` after a setting whose values nobody wants.
  @usableFromInline
  final func didChange(_ key: InternedKey, of object: AnyObject) {
    didChange(_KVChangeNotice(object: object, key: key), since: nil)
  }

  /// Calls ``willChange(_:)`` if the key may have observers that run before a change.
  @usableFromInline
  package final func begin(_ change: borrowing _KVChangeNotice) -> AnyObject? {
    needsWillChange(change.key) ? willChange(change) : nil
  }

  /// Returns whether a key may have observers that run before a change.
  @inlinable @inline(__always)
  final func needsWillChange(_ key: InternedKey) -> Bool { willChangeKeys.load(ordering: .acquiring) & key.bit != 0 }

  /// Returns whether a change in place has to copy the old value: an observer wants it, or runs before the change.
  @inlinable @inline(__always)
  final func needsOldValue(_ key: InternedKey) -> Bool {
    (willChangeKeys.load(ordering: .acquiring) | oldValueKeys.load(ordering: .acquiring)) & key.bit != 0
  }

  /// Returns whether some observer may want the old value of a key.
  final func wantsOldValue(_ key: InternedKey) -> Bool {
    oldValueKeys.load(ordering: .acquiring) & key.bit != 0 || Self.reportsValues.load(ordering: .relaxed)
  }

  /// Returns whether some observer may want the new value of a key.
  @usableFromInline
  final func wantsNewValue(_ key: InternedKey) -> Bool {
    newValueKeys.load(ordering: .acquiring) & key.bit != 0 || Self.reportsValues.load(ordering: .relaxed)
  }

  /// Whether a setter has to find its key: some keys are observed, or notifications are suppressed.
  @inlinable @inline(__always)
  final var isBusy: Bool { observedKeys.load(ordering: .acquiring) != 0 || isSuppressing }

  /// Notifies of a change before and after a body that makes it.
  ///
  /// Notifications of the key by the property's own setter are suppressed in the body. Observers are therefore notified
  /// once, with the kind that the caller passes. A manual change suppresses nothing; see `withChange(forKey:)` in
  /// KVBinding.
  ///
  /// - Parameters:
  ///   - change: The change. Its addresses must stay valid until the body has returned.
  ///   - mode: Which notifications are suppressed.
  ///   - body: A closure that makes the change. It is called once, whether the key is observed or not.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body. ``didChange(_:since:)`` is called nevertheless, since something may have changed.
  final func bracket<Result, Failure: Error>(
    _ change: borrowing _KVChangeNotice, suppressing mode: SuppressedNotification.Mode,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard mayObserve(change.key) else { return try body() }
    let beginning = begin(change)
    defer { didChange(change, since: beginning) }
    return try suppressing(change.key, mode, body)
  }

  /// Calls a body, and suppresses notifications of a key by the property's own setter on this thread meanwhile.
  final func suppressing<Result, Failure: Error>(
    _ key: InternedKey, _ mode: SuppressedNotification.Mode, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isShared { return try body() }
    let context = ThreadContext.current
    context.borrow { $0.suppressed.append(SuppressedNotification(key.number, of: self, mode)) }
    suppressionCount.add(1, ordering: .relaxed)
    defer {
      suppressionCount.subtract(1, ordering: .relaxed)
      context.borrow { _ = $0.suppressed.removeLast() }
    }
    return try body()
  }

  /// Calls a body whose changes of a key on this thread observers are not notified of.
  package final func withoutNotifying<Failure: Error>(
    of key: InternedKey, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    try suppressing(key, .everything, body)
  }

  /// Returns whether a write by key has to notify; `false` if its caller notifies of the same change.
  @inline(__always)
  final func shouldNotifyKeyedWrite(_ key: InternedKey) -> Bool {
    mayObserve(key) && (!isSuppressing || allowsNotification(of: key) { $0.allowsKeyedWrite() })
  }

  /// Returns whether the setter of a property has to notify; `false` if its caller notifies of the same change.
  @usableFromInline
  final func shouldNotifySetter(_ key: InternedKey) -> Bool {
    mayObserve(key) && (!isSuppressing || allowsNotification(of: key) { $0.allowsSetter() })
  }

  @inline(never)
  private final func allowsNotification(
    of key: InternedKey, by allows: (inout SuppressedNotification) -> Bool
  ) -> Bool {
    ThreadContext.current.borrow { context in
      let last = context.suppressed.lastIndex { $0.key == key.number && $0.registrar == ObjectIdentifier(self) }
      return last.map { allows(&context.suppressed[$0]) } ?? true
    }
  }

  /// Whether notifications of some setter are suppressed, on some thread.
  @inlinable @inline(__always)
  final var isSuppressing: Bool { suppressionCount.load(ordering: .relaxed) != 0 }
}
