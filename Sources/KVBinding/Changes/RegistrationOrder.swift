import Synchronization

/// Numbers registrations in the order in which they are made.
///
/// The numbers start again after 2³² registrations, and are therefore compared by their distance. This is correct if
/// fewer than 2³¹ registrations were made between two that exist at the same time.
package enum RegistrationOrder {
  private static let last = Atomic<UInt32>(0)

  /// The number of a registration that is notified before all others.
  static let first: UInt32 = 0

  static func next() -> UInt32 {
    let next = last.wrappingAdd(1, ordering: .relaxed).newValue
    return next == first ? Self.next() : next
  }

  /// Returns numbers that ascend in the order of registrations: their distances from one of them.
  static func distances(_ numbers: [UInt32]) -> [Int] {
    let origin = numbers.first { $0 != first } ?? first
    return numbers.map { $0 == first ? Int.min : Int(Int32(bitPattern: $0 &- origin)) }
  }

  /// Returns whether a registration was made before another one.
  @inline(__always)
  package static func isEarlier(_ number: UInt32, than other: UInt32) -> Bool {
    if number == first || other == first { return number != other && number == first }
    return Int32(bitPattern: number &- other) < 0
  }
}
