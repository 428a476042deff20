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
    let list = create(minimumCapacity: Int(capacity)) { _ in
      Header(key: key, capacity: capacity, isManual: isManual)
    }
    return unsafeDowncast(list, to: ListenerList.self)
  }

  deinit {
    withUnsafeMutablePointers { header, entries in
      for index in 0..<Int(header.pointee.count) { entries[index]?.release() }
    }
  }

  private var info: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }
  private var entries: UnsafeMutablePointer<Unmanaged<Listener>?> { withUnsafeMutablePointerToElements { $0 } }

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
  }

  /// Adds an entry; there must be room.
  func append(_ listener: Listener) {
    let index = info.pointee.count
    (entries + Int(index)).initialize(to: .passRetained(listener))
    listener.position = index
    info.pointee.count = index + 1
    info.pointee.live += 1
    if listener.isAsked { info.pointee.asked += 1 }
  }

  /// Takes an entry out; the caller releases it.
  func remove(_ listener: Listener) -> Unmanaged<Listener>? {
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
    forEach { if $0 !== removed { list.append($0) } }
    return list
  }
}
