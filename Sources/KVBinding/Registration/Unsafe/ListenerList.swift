import Synchronization

/// The entries of one key of one object, in the order of registration after ``sort()``.
///
/// A delivery iterates over the list that it found. The list changes in place while no delivery iterates over it, and
/// in a copy otherwise. Registering and cancelling therefore cost O(1), and a delivery never sees a change of its list.
/// A cancelled entry leaves a gap. The gaps are closed when there are more gaps than entries.
///
/// The list changes under the lock of the registrar only. Iterations are not counted by references but by two counters,
/// which costs one atomic operation instead of four. One counts the iterations that have begun, under the lock. The
/// other counts those that have ended, without the lock. The table of the registrar retains the list until it replaces
/// it. ``retire(_:)`` then subtracts the begun iterations from the ended ones. The call that brings the result to zero
/// releases the list (Docs/Decisions/0010).
final class ListenerList: ManagedBuffer<ListenerList.Header, _KVReference<Listener>?> {
  struct Header {
    let key: InternedKey
    /// The number of iterations that have begun.
    var iterationsBegun = 0
    let capacity: Int32
    var count: Int32 = 0
    /// The number of entries without the gaps.
    var live: Int32 = 0
    /// The number of entries that need to run before a change.
    var willChangeCount: Int32 = 0
    /// The number of entries that want the old value.
    var needingOldValue: Int32 = 0
    /// The number of entries that want the new value.
    var needingNewValue: Int32 = 0
    /// The number of entries of bindings.
    var ofBindings: Int32 = 0
    /// Whether the entries are in the order of registration.
    var isSorted = true
    /// Whether the key has manual notification (KVO.15).
    let isManual: Bool
    /// Whether the key depends on others, which its setter may set.
    var isDependent = false
    /// Whether the class may override the property, so that its notices do not have the values of the object.
    var mayBeOverridden = false
    /// The plans that another entry, or one less, ends; nil if there are none.
    var plans: ListPlans?
    /// The version at which no binding led from those of the list to another one; see ``WaveOrder``.
    var unorderedVersion: UInt64 = 0
  }

  /// Creates an empty list.
  static func make(key: InternedKey, isManual: Bool, capacity: Int32 = 1) -> ListenerList {
    let buffer = create(minimumCapacity: Int(capacity) + 1) { _ in
      Header(key: key, capacity: capacity, isManual: isManual)
    }
    let list = unsafeDowncast(buffer, to: ListenerList.self)
    list.iterationsEnded.initialize(to: Atomic(0))
    return list
  }

  deinit {
    _ = iterationsEnded.pointee.load(ordering: .acquiring)
    for index in 0..<Int(info.pointee.count) { entries[index]?.release() }
  }

  private var info: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }
  /// The entries; the first element of the buffer is ``iterationsEnded``.
  private var entries: UnsafeMutablePointer<_KVReference<Listener>?> { withUnsafeMutablePointerToElements { $0 + 1 } }
  /// The number of iterations that have ended; negative while a retired list is still iterated over.
  private var iterationsEnded: UnsafeMutablePointer<Atomic<Int>> {
    withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Atomic<Int>.self) }
  }

  // MARK: Iterations

  /// Begins an iteration, under the lock of the registrar.
  ///
  /// The list does not change until the iteration ends.
  @inline(__always)
  func beginIteration() { info.pointee.iterationsBegun &+= 1 }

  /// Ends an iteration, on any thread.
  ///
  /// This may release the list.
  @inline(__always)
  static func endIteration(_ list: _KVReference<ListenerList>) {
    let iterationsEnded = list.borrow { list in
      list.iterationsEnded.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    }
    if iterationsEnded == 0 { list.release() }
  }

  /// Retires a list that no further iteration can find.
  ///
  /// The last iteration to end releases it.
  static func retire(_ list: _KVReference<ListenerList>) {
    let iterationsEnded = list.borrow { list in
      list.iterationsEnded.pointee.wrappingSubtract(list.info.pointee.iterationsBegun, ordering: .acquiringAndReleasing)
        .newValue
    }
    if iterationsEnded == 0 { list.release() }
  }

  /// Whether a delivery iterates over the list, so that it must not change.
  var isIterating: Bool { info.pointee.iterationsBegun != iterationsEnded.pointee.load(ordering: .acquiring) }

  var key: InternedKey { info.pointee.key }
  var live: Int32 { info.pointee.live }
  var needsWillChange: Bool { info.pointee.willChangeCount > 0 || isDependent || mayBeOverridden }
  /// Whether no entry needs to run before a change.
  var onlyEncloses: Bool { info.pointee.willChangeCount == 0 }
  var isDependent: Bool {
    get { info.pointee.isDependent }
    set { info.pointee.isDependent = newValue }
  }
  var mayBeOverridden: Bool {
    get { info.pointee.mayBeOverridden }
    set { info.pointee.mayBeOverridden = newValue }
  }
  /// Whether no binding leads from those of the list to another one.
  var isUnordered: Bool { info.pointee.unorderedVersion == WaveOrder.version }
  func setUnordered(_ version: UInt64) { info.pointee.unorderedVersion = version }

  /// The plans that a change of the list ends; nil if there are none.
  var plans: ListPlans? { info.pointee.plans }
  /// The same; they are made if there are none.
  var ownPlans: ListPlans {
    let plans = info.pointee.plans ?? ListPlans()
    info.pointee.plans = plans
    return plans
  }
  var needsOldValue: Bool { info.pointee.needingOldValue > 0 }
  var needsNewValue: Bool { info.pointee.needingNewValue > 0 }
  var hasBindings: Bool { info.pointee.ofBindings > 0 }
  var isManual: Bool { info.pointee.isManual }
  var isSorted: Bool { info.pointee.isSorted }
  var isFull: Bool { info.pointee.count == info.pointee.capacity }
  /// Whether there are more gaps than entries.
  var isSparse: Bool { info.pointee.count > 16 && info.pointee.live * 2 < info.pointee.count }

  /// Ends and returns the plans, which the caller releases outside of the lock.
  func endPlans() -> ListPlans? {
    guard let plans = info.pointee.plans else { return nil }
    info.pointee.plans = nil
    plans.end()
    return plans
  }

  /// Calls a function with each entry.
  @inline(__always)
  func forEach(_ body: (Listener) -> Void) {
    let entries = entries
    for index in 0..<Int(info.pointee.count) {
      entries[index]?.borrow { body($0) }
    }
  }

  /// Appends an entry; the list must not be full.
  ///
  /// The entry of a path that has just been resolved to this object may belong before others; see ``sort()``.
  func add(_ listener: Listener) {
    let index = Int(info.pointee.count)
    // The last element is never a gap.
    if index > 0, let last = entries[index - 1]?.borrow({ $0.order }),
      RegistrationOrder.isEarlier(listener.order, than: last)
    {
      info.pointee.isSorted = false
    }
    (entries + index).initialize(to: .retaining(listener))
    listener.position = Int32(index)
    info.pointee.count += 1
    info.pointee.live += 1
    if listener.needsWillChange { info.pointee.willChangeCount += 1 }
    if listener.needsOldValue { info.pointee.needingOldValue += 1 }
    if listener.needsNewValue { info.pointee.needingNewValue += 1 }
    if listener.isOfBinding { info.pointee.ofBindings += 1 }
  }

  /// Sorts the entries in the order of registration (KVO.6) and closes the gaps.
  ///
  /// The list is sorted when an iteration begins. Many paths that are added one after the other therefore cost one
  /// sort.
  ///
  /// - Complexity: O(*n* log *n*).
  @inline(never)
  func sort() {
    let sorted = (0..<Int(info.pointee.count)).compactMap { entries[$0] }.sorted { left, right in
      left.borrow { left in
        right.borrow { RegistrationOrder.isEarlier(left.order, than: $0.order) }
      }
    }
    for (index, entry) in sorted.enumerated() {
      entries[index] = entry
      entry.borrow { $0.position = Int32(index) }
    }
    info.pointee.count = Int32(sorted.count)
    info.pointee.isSorted = true
  }

  /// Removes an entry; the caller releases it.
  func remove(_ listener: Listener) -> _KVReference<Listener>? {
    let entry = entries[Int(listener.position)]
    entries[Int(listener.position)] = nil
    listener.position = -1
    info.pointee.live -= 1
    if listener.needsWillChange { info.pointee.willChangeCount -= 1 }
    if listener.needsOldValue { info.pointee.needingOldValue -= 1 }
    if listener.needsNewValue { info.pointee.needingNewValue -= 1 }
    if listener.isOfBinding { info.pointee.ofBindings -= 1 }
    while info.pointee.count > 0, entries[Int(info.pointee.count) - 1] == nil { info.pointee.count -= 1 }
    return entry
  }

  /// Returns a list of the same entries except one, without gaps and with room for more.
  func copy(without removed: Listener? = nil) -> ListenerList {
    let list = Self.make(key: key, isManual: isManual, capacity: max(2, live * 2))
    (list.isDependent, list.mayBeOverridden) = (isDependent, mayBeOverridden)
    forEach { if $0 !== removed { list.add($0) } }
    return list
  }
}
