import Testing

@testable import KVCore

@Suite("Maps that are read without a lock")
struct SnapshotMapTests {
  private final class Count: Sendable {
    let alive = Locked(0)
  }

  private final class Value: Sendable {
    let count: Count

    init(_ count: Count) {
      self.count = count
      count.alive.withLock { $0 += 1 }
    }

    deinit { count.alive.withLock { $0 -= 1 } }
  }

  /// Whether its tables are freed, too, the check for leaks of the address sanitizer says.
  @Test(
    "THR.1: a map that nobody has any more releases its values, however often it grew", arguments: [0, 1, 16, 17, 500])
  func release(number: Int) {
    let count = Count()
    do {
      let map = SnapshotMap<Value>()
      for index in 0..<number { map.insert(Value(count), for: StringBits("key \(index)"), keeping: "key \(index)") }
      #expect(count.alive.withLock { $0 } == number)
      #expect((0..<number).allSatisfy { map.value(for: StringBits("key \($0)")) != nil })
      withExtendedLifetime(map) {}
    }
    #expect(count.alive.withLock { $0 } == 0)
  }

  @Test("THR.1: what another thread inserted first stays, and the second value is released")
  func second() {
    let (count, map) = (Count(), SnapshotMap<Value>())
    let first = map.insert(Value(count), for: StringBits("key"))
    #expect(map.insert(Value(count), for: StringBits("key")) === first)
    #expect(count.alive.withLock { $0 } == 1)
  }
}
