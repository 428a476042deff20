/// The running sum of numbers of any types (OP.3).
package struct NumberTotal: NumberSink {
  /// The sum of the integers, without the multiples of 2^128 in `wraparounds`: the order of the numbers does not
  /// matter.
  private var integers: Int128 = 0
  private var wraparounds = 0
  private var doubles = 0.0
  private var sawDouble = false
  private var exacts: [AnyNumber] = []
  private var exactType: (any ExactNumber.Type)?

  package init() {}

  /// Adds a number.
  package mutating func add(_ number: AnyNumber) {
    switch number {
    case .integer(let value): add(integer: value)
    case .floating(let value): _ = add(value)
    case .wide(let value as UInt128):
      add(integer: Int128(truncatingIfNeeded: value))
      if value > Int128.max { wraparounds += 1 }
    case .wide(let value): _ = add(value.double)
    case .exact(let value):
      exacts.append(number)
      exactType = type(of: value)
    }
  }

  /// Adds an integer.
  @inline(__always)
  mutating func add(_ value: Int) -> Bool {
    add(integer: Int128(value))
    return true
  }

  /// Adds a floating-point number.
  @inline(__always)
  mutating func add(_ value: Double) -> Bool {
    doubles += value
    sawDouble = true
    return true
  }

  @inline(__always)
  private mutating func add(integer value: Int128) {
    let (sum, overflow) = integers.addingReportingOverflow(value)
    integers = sum
    if overflow { wraparounds += value < 0 ? -1 : 1 }
  }

  private var isInteger: Bool { !sawDouble && wraparounds == 0 && exactType == nil }

  private var double: Double { doubles + (Double(wraparounds) * 0x1p128 + Double(integers)) }

  private var exact: (any ExactNumber)? {
    guard let exactType else { return nil }
    var remaining = exacts
    if sawDouble || wraparounds != 0 { remaining.append(.floating(wraparounds == 0 ? doubles : double)) }
    if wraparounds == 0 { remaining.append(.integer(integers)) }
    return exactType.sum(of: remaining)
  }

  /// The sum: an `Int` if all numbers are integers and it fits, the exact type if a number is of one, else a `Double`.
  package var sum: Any {
    if let exact { return exact }
    if isInteger, let integer = Int(exactly: integers) { return integer }
    return double
  }

  /// Returns the sum divided by a count; zero if there are no elements.
  package func average(over count: Int) -> Any {
    guard count > 0 else { return 0.0 }
    if let exact { return exact.divided(by: count) }
    return double / Double(count)
  }
}
