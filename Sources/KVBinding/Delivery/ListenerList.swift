import Synchronization

/// The listeners of one key of one object, in the order of registration.
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

  /// Adds an entry where it belongs in the order of registration (KVO.6); there must be room.
  ///
  /// That is at the end, unless it is the entry of a path that has just come to this object.
  ///
  /// - Complexity: O(*k*) for *k* entries that were registered later.
  func add(_ listener: Listener) {
    _ = walks.pointee.load(ordering: .acquiring)
    let entries = entries
    let order = listener.order
    var index = Int(info.pointee.count)
    while index > 0 {
      if let previous = entries[index - 1] {
        let isEarlier = previous._withUnsafeGuaranteedRef { previous in
          if !RegistrationOrder.isEarlier(order, than: previous.order) { return true }
          previous.position += 1
          return false
        }
        if isEarlier { break }
      }
      (entries + index).initialize(to: entries[index - 1])
      index -= 1
    }
    (entries + index).initialize(to: .passRetained(listener))
    listener.position = Int32(index)
    info.pointee.count += 1
    info.pointee.live += 1
    if listener.isAsked { info.pointee.asked += 1 }
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
