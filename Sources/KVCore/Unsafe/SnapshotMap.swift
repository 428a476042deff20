import Synchronization

/// A map that only grows and is read without a lock.
///
/// Readers load one pointer, then one slot. Writers take a lock and publish a new slot, or a table twice as large. Old
/// tables stay allocated, since a reader may still use one; together they are no larger than the newest. Values live as
/// long as the map, which for a static one is as long as the process. The number of entries is bounded by the program's
/// types and literals, or by the caller.
// guard: `current` is atomic, `state` is locked
final class SnapshotMap<Value: AnyObject & Sendable>: @unchecked Sendable {
  struct Slot: ~Copyable {
    var bits = StringBits(first: 0, second: 0)
    let value = Atomic<_KVReference<Value>?>(nil)
  }

  /// A table of slots, whose number is a power of two, at most half full.
  struct Table: @unchecked Sendable {  // guard: slots are published by their atomic value
    let mask: Int
    let slots: UnsafeMutablePointer<Slot>

    /// Creates a table for a number of entries.
    init(for count: Int) {
      var capacity = 4
      while capacity < count * 2 { capacity *= 2 }
      mask = capacity - 1
      slots = .allocate(capacity: capacity)
      for index in 0..<capacity { (slots + index).initialize(to: Slot()) }
    }

    @inline(__always)
    func value(for bits: StringBits) -> _KVReference<Value>? {
      var index = bits.hash & mask
      while let found = slots[index].value.load(ordering: .acquiring) {
        if slots[index].bits.matches(bits) { return found }
        index = (index &+ 1) & mask
      }
      return nil
    }

    func insert(_ value: _KVReference<Value>, for bits: StringBits) {
      var index = bits.hash & mask
      while slots[index].value.load(ordering: .relaxed) != nil { index = (index + 1) & mask }
      slots[index].bits = bits
      slots[index].value.store(value, ordering: .releasing)
    }

    /// Frees the slots, but not their values.
    ///
    /// Nobody may read the table then, or afterwards.
    func deallocate() {
      slots.deinitialize(count: mask + 1)
      slots.deallocate()
    }
  }

  private struct State {
    var entries: [(bits: StringBits, value: _KVReference<Value>)] = []
    /// The tables that larger ones have replaced: reachable, so that tools which look for leaks find none.
    var previous: [UnsafeMutablePointer<Table>] = []
    var kept: [String] = []
  }

  private let current: Atomic<UnsafeMutablePointer<Table>>
  private let state = Locked(State())

  init() {
    let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    table.initialize(to: Table(for: 32))
    current = Atomic(table)
  }

  /// Frees the tables and releases the values.
  ///
  /// Readers retain the map, so none is active here.
  deinit {
    let (entries, previous) = state.withLock { ($0.entries, $0.previous) }
    for table in previous + [current.load(ordering: .acquiring)] {
      table.pointee.deallocate()
      table.deinitialize(count: 1)
      table.deallocate()
    }
    for entry in entries { entry.value.release() }
  }

  /// Returns the value for some bits, or `nil` if there is none.
  @inline(__always)
  func value(for bits: StringBits) -> Value? {
    unmanagedValue(for: bits)?.object
  }

  /// Returns the value for some bits, unretained: it lives as long as the map.
  @inline(__always)
  func unmanagedValue(for bits: StringBits) -> _KVReference<Value>? {
    current.load(ordering: .acquiring).pointee.value(for: bits)
  }

  /// Inserts a value for some bits, unless the map has one.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - bits: The bits.
  ///   - string: The string that has these bits, which the map keeps alive.
  /// - Returns: The value that the map has after the call.
  @discardableResult
  func insert(_ value: Value, for bits: StringBits, keeping string: String? = nil) -> Value {
    state.withLock { state in
      let table = current.load(ordering: .relaxed)
      if let known = table.pointee.value(for: bits) { return known.object }
      let unmanaged = _KVReference.retaining(value)
      state.entries.append((bits, unmanaged))
      if let string { state.kept.append(string) }
      if state.entries.count * 2 > table.pointee.mask + 1 {
        let larger = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        larger.initialize(to: Table(for: table.pointee.mask + 1))
        for entry in state.entries { larger.pointee.insert(entry.value, for: entry.bits) }
        current.store(larger, ordering: .releasing)
        state.previous.append(table)
      } else {
        table.pointee.insert(unmanaged, for: bits)
      }
      return value
    }
  }
}
