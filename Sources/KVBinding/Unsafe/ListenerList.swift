import Synchronization

/// The listeners of one key of one object, in the order of registration once it is sorted.
///
/// A delivery visits the list that it began with. Changes are made in place while nobody does, else in a copy; so
/// registering and cancelling cost O(1), and a delivery is never disturbed. The gaps that cancelled entries leave are
/// closed when there are more of them than entries.
///
/// Changed under the lock of the registrar only, and only while nobody visits it. Visits are counted apart from
/// references, in two halves, since that costs one atomic operation instead of four: those that have come, under the lock;
/// those that have left, without it. The table of the registrar keeps the list until it puts another one in its place;
/// then what has come is taken from what has left, and whoever brings that back to zero lets go of the list.
final class ListenerList: ManagedBuffer<ListenerList.Header, Unmanaged<Listener>?> {
  struct Header {
    let key: KVKey
    /// How many visits have come.
    var iterationsBegun = 0
    let capacity: Int32
    var count: Int32 = 0
    /// How many entries are no gaps.
    var live: Int32 = 0
    /// How many of them are asked before changes.
    var willChangeCount: Int32 = 0
    /// How many of them want the old value of a change in place.
    var needingOldValue: Int32 = 0
    /// Whether the entries stand in the order of registration.
    var isSorted = true
    /// Whether changes of the key are told by hand only (KVO.15).
    let isManual: Bool
  }

  /// Makes an empty list.
  static func make(key: KVKey, isManual: Bool, capacity: Int32 = 1) -> ListenerList {
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
  /// The first place is ``iterationsEnded``.
  private var entries: UnsafeMutablePointer<Unmanaged<Listener>?> { withUnsafeMutablePointerToElements { $0 + 1 } }
  /// How many visits have left; less than zero once the list is given up and still visited.
  private var iterationsEnded: UnsafeMutablePointer<Atomic<Int>> {
    withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Atomic<Int>.self) }
  }

  // MARK: Iterations

  /// Begins a visit, under the lock of the registrar: until it ends the list stays as it is.
  @inline(__always)
  func beginIteration() { info.pointee.iterationsBegun &+= 1 }

  /// Ends a visit, on any thread; the list may be gone afterwards.
  @inline(__always)
  static func endIteration(_ list: Unmanaged<ListenerList>) {
    let iterationsEnded = list._withUnsafeGuaranteedRef { list in
      list.iterationsEnded.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    }
    if iterationsEnded == 0 { list.release() }
  }

  /// Gives up a list that no visit can come to any more; the last one that is there lets go of it.
  static func retire(_ list: Unmanaged<ListenerList>) {
    let iterationsEnded = list._withUnsafeGuaranteedRef { list in
      list.iterationsEnded.pointee.wrappingSubtract(list.info.pointee.iterationsBegun, ordering: .acquiringAndReleasing)
        .newValue
    }
    if iterationsEnded == 0 { list.release() }
  }

  /// Whether somebody visits the list, so that it must not be changed.
  var isIterating: Bool { info.pointee.iterationsBegun != iterationsEnded.pointee.load(ordering: .acquiring) }

  var key: KVKey { info.pointee.key }
  var live: Int32 { info.pointee.live }
  var needsWillChange: Bool { info.pointee.willChangeCount > 0 }
  var needsOldValue: Bool { info.pointee.needingOldValue > 0 }
  var isManual: Bool { info.pointee.isManual }
  var isSorted: Bool { info.pointee.isSorted }
  var isFull: Bool { info.pointee.count == info.pointee.capacity }
  /// Whether most of it is gaps.
  var isSparse: Bool { info.pointee.count > 16 && info.pointee.live * 2 < info.pointee.count }

  /// Calls a function with each listener.
  @inline(__always)
  func forEach(_ body: (Listener) -> Void) {
    let entries = entries
    for index in 0..<Int(info.pointee.count) {
      entries[index]?._withUnsafeGuaranteedRef { body($0) }
    }
  }

  /// Adds an entry at the end; there must be room.
  ///
  /// It belongs elsewhere if it is the entry of a path that has just come to this object; see ``sort()``.
  func add(_ listener: Listener) {
    let index = Int(info.pointee.count)
    // The last place is never a gap.
    if index > 0, let last = entries[index - 1]?._withUnsafeGuaranteedRef({ $0.order }),
      RegistrationOrder.isEarlier(listener.order, than: last)
    {
      info.pointee.isSorted = false
    }
    (entries + index).initialize(to: .passRetained(listener))
    listener.position = Int32(index)
    info.pointee.count += 1
    info.pointee.live += 1
    if listener.needsWillChange { info.pointee.willChangeCount += 1 }
    if listener.needsOldValue { info.pointee.needingOldValue += 1 }
  }

  /// Puts the entries in the order of registration (KVO.6) and closes the gaps.
  ///
  /// That is done when the list is asked for, so that many paths that come one after the other cost one sorting.
  ///
  /// - Complexity: O(*n* log *n*).
  func sort() {
    let sorted = (0..<Int(info.pointee.count)).compactMap { entries[$0] }.sorted { left, right in
      left._withUnsafeGuaranteedRef { left in
        right._withUnsafeGuaranteedRef { RegistrationOrder.isEarlier(left.order, than: $0.order) }
      }
    }
    for (index, entry) in sorted.enumerated() {
      entries[index] = entry
      entry._withUnsafeGuaranteedRef { $0.position = Int32(index) }
    }
    info.pointee.count = Int32(sorted.count)
    info.pointee.isSorted = true
  }

  /// Takes an entry out; the caller releases it.
  func remove(_ listener: Listener) -> Unmanaged<Listener>? {
    let entry = entries[Int(listener.position)]
    entries[Int(listener.position)] = nil
    listener.position = -1
    info.pointee.live -= 1
    if listener.needsWillChange { info.pointee.willChangeCount -= 1 }
    if listener.needsOldValue { info.pointee.needingOldValue -= 1 }
    while info.pointee.count > 0, entries[Int(info.pointee.count) - 1] == nil { info.pointee.count -= 1 }
    return entry
  }

  /// Returns a list without gaps of the same entries, but for one, with room for more.
  func copy(without removed: Listener? = nil) -> ListenerList {
    let list = Self.make(key: key, isManual: isManual, capacity: max(2, live * 2))
    forEach { if $0 !== removed { list.add($0) } }
    return list
  }
}
