/// The keys of one type, found by the bits of a string: an immutable hash table, at most half full.
struct KeySlots {
  struct Slot {
    var bits = StringBits(first: 0, second: 0)
    var accessor: Unmanaged<Accessor>?
  }

  private let mask: Int
  private let slots: UnsafeMutablePointer<Slot>
  let isEmpty: Bool

  /// Lives as long as the process, as its type does; the caller keeps the strings and accessors.
  init(_ accessors: [String: Accessor]) {
    var capacity = 4
    while capacity < accessors.count * 2 { capacity *= 2 }
    mask = capacity - 1
    isEmpty = accessors.isEmpty
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: Slot(), count: capacity)
    for (name, accessor) in accessors {
      let bits = StringBits(name)
      var index = bits.hash & mask
      while slots[index].accessor != nil { index = (index + 1) & mask }
      slots[index] = Slot(bits: bits, accessor: .passUnretained(accessor))
    }
  }

  @inline(__always)
  func find(_ bits: StringBits) -> Unmanaged<Accessor>? {
    var index = bits.hash & mask
    while let accessor = slots[index].accessor {
      if slots[index].bits.matches(bits) { return accessor }
      index = (index &+ 1) & mask
    }
    return nil
  }
}
