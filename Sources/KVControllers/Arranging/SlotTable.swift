import KVBinding
import KVCore

/// Finds the slots of objects.
///
/// It is a hash table of slots, of which at most two in three places are taken: six to twelve bytes for each object. The
/// objects are kept elsewhere.
struct SlotTable {
  /// One slot of each object, or -1; a power of two.
  private var places: [Int32] = []
  private var count = 0
  /// All slots of the objects that have several.
  private var several: [ObjectIdentifier: Set<Int32>] = [:]

  /// Makes room for objects; the table is empty.
  init(capacity: Int = 0) {
    var size = 8
    while size * 2 < capacity * 3 { size *= 2 }
    places = Array(repeating: -1, count: size)
  }

  /// Returns the slots of an object, in an unspecified order.
  ///
  /// - Parameter identity: Returns the object of a slot in the table.
  @inline(__always)
  func slots(of id: ObjectIdentifier, _ identity: (Int) -> ObjectIdentifier?) -> [Int] {
    if !several.isEmpty, let slots = several[id] { return slots.map { Int($0) } }
    let place = place(of: id, identity)
    return places[place] < 0 ? [] : [Int(places[place])]
  }

  @inline(__always)
  mutating func insert(_ slot: Int, of id: ObjectIdentifier, _ identity: (Int) -> ObjectIdentifier?) {
    if (count + 1) * 3 > places.count * 2 { grow(identity) }
    let place = place(of: id, identity)
    if places[place] >= 0 {
      several[id, default: [places[place]]].insert(Int32(slot))
    } else {
      places[place] = Int32(slot)
      count += 1
    }
  }

  @inline(__always)
  mutating func remove(_ slot: Int, of id: ObjectIdentifier, _ identity: (Int) -> ObjectIdentifier?) {
    var place = place(of: id, identity)
    if places[place] < 0 { return }
    if var slots = several.removeValue(forKey: id) {
      slots.remove(Int32(slot))
      if let other = slots.first { places[place] = other }
      if slots.count > 1 { several[id] = slots }
      return
    }
    // What stands behind it because its place was taken moves up.
    count -= 1
    places[place] = -1
    var next = place
    while true {
      next = (next + 1) & (places.count - 1)
      guard places[next] >= 0, let other = identity(Int(places[next])) else { return }
      let distance = (next &- first(other)) & (places.count - 1)
      if distance < (next &- place) & (places.count - 1) { continue }
      places[place] = places[next]
      places[next] = -1
      place = next
    }
  }

  /// Replaces a slot of an object by another one.
  @inline(__always)
  mutating func replace(_ slot: Int, by new: Int, of id: ObjectIdentifier, _ identity: (Int) -> ObjectIdentifier?) {
    let place = place(of: id, identity)
    if places[place] == Int32(slot) { places[place] = Int32(new) }
    if several.isEmpty || several[id]?.remove(Int32(slot)) == nil { return }
    several[id]?.insert(Int32(new))
  }

  /// The place that an object has if that is free.
  @inline(__always)
  private func first(_ id: ObjectIdentifier) -> Int {
    Int(truncatingIfNeeded: (UInt64(UInt(bitPattern: id)) &* 0x9E37_79B9_7F4A_7C15) >> 32) & (places.count - 1)
  }

  /// The place of the slot of an object, or a free one.
  @inline(__always)
  private func place(of id: ObjectIdentifier, _ identity: (Int) -> ObjectIdentifier?) -> Int {
    var place = first(id)
    while places[place] >= 0, identity(Int(places[place])) != id { place = (place + 1) & (places.count - 1) }
    return place
  }

  private mutating func grow(_ identity: (Int) -> ObjectIdentifier?) {
    var larger = SlotTable(capacity: places.count)
    for slot in places where slot >= 0 {
      guard let id = identity(Int(slot)) else { continue }
      larger.places[larger.place(of: id, identity)] = slot
    }
    places = larger.places
  }
}
