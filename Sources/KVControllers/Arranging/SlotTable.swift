import KVBinding
import KVCore

/// Finds the slots of objects.
///
/// It is a hash table of slots, of which at most two in three places are taken: six to twelve bytes for each object. The
/// objects are kept elsewhere.
struct SlotTable {
  /// One slot of each object, or -1; a power of two.
  private var buckets: [Int32] = []
  private var count = 0
  /// All slots of the objects that have several.
  private var several: [ObjectIdentifier: Set<Int32>] = [:]

  /// Makes room for objects; the table is empty.
  init(capacity: Int = 0) {
    var size = 8
    while size * 2 < capacity * 3 { size *= 2 }
    buckets = Array(repeating: -1, count: size)
  }

  /// Returns the slots of an object, in an unspecified order.
  ///
  /// - Parameter identity: Returns the object of a slot in the table.
  @inline(__always)
  func slots(of id: ObjectIdentifier, _ identity: (Int) -> ObjectIdentifier?) -> [Int] {
    if !several.isEmpty, let slots = several[id] { return slots.map { Int($0) } }
    let bucket = bucket(of: id, identity)
    return buckets[bucket] < 0 ? [] : [Int(buckets[bucket])]
  }

  @inline(__always)
  mutating func insert(_ slot: Int, of id: ObjectIdentifier, _ identity: (Int) -> ObjectIdentifier?) {
    if (count + 1) * 3 > buckets.count * 2 { grow(identity) }
    let bucket = bucket(of: id, identity)
    if buckets[bucket] >= 0 {
      several[id, default: [buckets[bucket]]].insert(Int32(slot))
    } else {
      buckets[bucket] = Int32(slot)
      count += 1
    }
  }

  @inline(__always)
  mutating func remove(_ slot: Int, of id: ObjectIdentifier, _ identity: (Int) -> ObjectIdentifier?) {
    var bucket = bucket(of: id, identity)
    if buckets[bucket] < 0 { return }
    if var slots = several.removeValue(forKey: id) {
      slots.remove(Int32(slot))
      if let other = slots.first { buckets[bucket] = other }
      if slots.count > 1 { several[id] = slots }
      return
    }
    // Shift later entries of the probe sequence back (backward-shift deletion).
    count -= 1
    buckets[bucket] = -1
    var next = bucket
    while true {
      next = (next + 1) & (buckets.count - 1)
      guard buckets[next] >= 0, let other = identity(Int(buckets[next])) else { return }
      let distance = (next &- first(other)) & (buckets.count - 1)
      if distance < (next &- bucket) & (buckets.count - 1) { continue }
      buckets[bucket] = buckets[next]
      buckets[next] = -1
      bucket = next
    }
  }

  /// Replaces a slot of an object by another one.
  @inline(__always)
  mutating func replace(_ slot: Int, by new: Int, of id: ObjectIdentifier, _ identity: (Int) -> ObjectIdentifier?) {
    let bucket = bucket(of: id, identity)
    if buckets[bucket] == Int32(slot) { buckets[bucket] = Int32(new) }
    if several.isEmpty || several[id]?.remove(Int32(slot)) == nil { return }
    several[id]?.insert(Int32(new))
  }

  /// The place that an object has if that is free.
  @inline(__always)
  private func first(_ id: ObjectIdentifier) -> Int {
    Int(truncatingIfNeeded: (UInt64(UInt(bitPattern: id)) &* 0x9E37_79B9_7F4A_7C15) >> 32) & (buckets.count - 1)
  }

  /// The place of the slot of an object, or a free one.
  @inline(__always)
  private func bucket(of id: ObjectIdentifier, _ identity: (Int) -> ObjectIdentifier?) -> Int {
    var bucket = first(id)
    while buckets[bucket] >= 0, identity(Int(buckets[bucket])) != id { bucket = (bucket + 1) & (buckets.count - 1) }
    return bucket
  }

  private mutating func grow(_ identity: (Int) -> ObjectIdentifier?) {
    var larger = SlotTable(capacity: buckets.count)
    for slot in buckets where slot >= 0 {
      guard let id = identity(Int(slot)) else { continue }
      larger.buckets[larger.bucket(of: id, identity)] = slot
    }
    buckets = larger.buckets
  }
}
