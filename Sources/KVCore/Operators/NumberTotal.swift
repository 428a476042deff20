/// The running sum of numbers of any types (OP.3).
struct NumberTotal: NumberSink {
  private var integers: Int128 = 0
  private var doubles = 0.0
  private var sawDouble = false
  private var overflowed = false
  private var exacts: [KVNumber] = []
  private var exactType: (any KVExactNumber.Type)?

  /// Adds a number.
  mutating func add(_ number: KVNumber) {
    switch number {
    case .integer(let value): add(integer: value)
    case .floating(let value): _ = add(value)
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
    if overflow {
      doubles += Double(integers) + Double(value)
      integers = 0
      overflowed = true
    } else {
      integers = sum
    }
  }

  private var isInteger: Bool { !sawDouble && !overflowed && exactType == nil }

  private var double: Double { doubles + Double(integers) }

  private var exact: (any KVExactNumber)? {
    guard let exactType else { return nil }
    var rest = exacts + [.integer(integers)]
    if sawDouble || overflowed { rest.append(.floating(doubles)) }
    return exactType.sum(of: rest)
  }

  /// The sum: an `Int` if all numbers are integers and it fits, the exact type if a number is of one, else a `Double`.
  var sum: Any {
    if let exact { return exact }
    if isInteger, let integer = Int(exactly: integers) { return integer }
    return double
  }

  /// Returns the sum divided by a count; zero if there are no elements.
  func average(over count: Int) -> Any {
    guard count > 0 else { return 0.0 }
    if let exact { return exact.divided(by: count) }
    return double / Double(count)
  }
}
