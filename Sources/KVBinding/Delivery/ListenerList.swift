import Synchronization

/// The listeners of one key of one object, in the order of registration once it is sorted.
///
/// A delivery holds on to the list that it began with. Changes are made in place while nobody does, else in a copy; so
/// registering and cancelling cost O(1), and a delivery is never disturbed. The gaps that cancelled entries leave are
/// closed when there are more of them than entries.
///
/// Changed under the lock of the registrar only, and only while no delivery holds on to it.
final class ListenerList: ManagedBuffer<ListenerList.Header, Unmanaged<Listener>?> {
  struct Header {
    let key: KVKey
    let capacity: Int32
    var count: Int32 = 0
    /// How many entries are no gaps.
    var live: Int32 = 0
    /// How many of them are asked before changes.
    var asked: Int32 = 0
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
    list.walks.initialize(to: Atomic(0))
    return list
  }

  deinit {
    _ = walks.pointee.load(ordering: .acquiring)
    for index in 0..<Int(info.pointee.count) { entries[index]?.release() }
  }

  private var info: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }
  /// The first place is ``walks``.
  private var entries: UnsafeMutablePointer<Unmanaged<Listener>?> { withUnsafeMutablePointerToElements { $0 + 1 } }
  /// Stored after a walk and loaded before a change in place: says to the thread sanitizer what the count of references
  /// says to the processor, that the walk is over.
  private var walks: UnsafeMutablePointer<Atomic<Int>> {
    withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Atomic<Int>.self) }
  }

  var key: KVKey { info.pointee.key }
  var live: Int32 { info.pointee.live }
  var isAsked: Bool { info.pointee.asked > 0 }
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
    walks.pointee.store(1, ordering: .releasing)
  }

  /// Adds an entry at the end; there must be room.
  ///
  /// It belongs elsewhere if it is the entry of a path that has just come to this object; see ``sort()``.
  func add(_ listener: Listener) {
    _ = walks.pointee.load(ordering: .acquiring)
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
    if listener.isAsked { info.pointee.asked += 1 }
  }

  /// Puts the entries in the order of registration (KVO.6) and closes the gaps.
  ///
  /// That is done when the list is asked for, so that many paths that come one after the other cost one sorting.
  ///
  /// - Complexity: O(*n* log *n*).
  func sort() {
    _ = walks.pointee.load(ordering: .acquiring)
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
    _ = walks.pointee.load(ordering: .acquiring)
    let entry = entries[Int(listener.position)]
    entries[Int(listener.position)] = nil
    listener.position = -1
    info.pointee.live -= 1
    if listener.isAsked { info.pointee.asked -= 1 }
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
