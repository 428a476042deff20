extension OperatorCall {
  /// `@sum` and `@avg`: nil counts as zero (OP.3).
  func arithmetic(_ builtIn: BuiltInOperator, _ collection: any CollectionValue) throws(KVError) -> Any? {
    var total = NumberTotal()
    if !(try FastNumbers.add(collection, self, to: &total)) { total = try commonTotal(collection) }
    return builtIn == .sum ? total.sum : total.average(over: collection.elementCount)
  }

  private func commonTotal(_ collection: any CollectionValue) throws(KVError) -> NumberTotal {
    var total = NumberTotal()
    for value in try rightValues(collection) {
      guard let value else { continue }
      guard let number = value as? any KVNumeric else { throw failure("\(describe(value)) is no number") }
      total.add(number.number)
    }
    return total
  }

  /// `@min` and `@max`: nil is passed over; numbers compare across types (OP.4).
  func extreme(_ builtIn: BuiltInOperator, _ collection: any CollectionValue) throws(KVError) -> Any? {
    let wanted: Ordering = builtIn == .min ? .less : .greater
    var fastExtreme = NumberExtreme(wanted: wanted)
    if try FastNumbers.add(collection, self, to: &fastExtreme) { return fastExtreme.result }
    var best: Any?
    for value in try rightValues(collection) {
      guard let value else { continue }
      if best == nil, !(value is any Comparable), !(value is any KVNumeric) {
        throw failure("\(describe(value)) is not Comparable")
      }
      guard let current = best else {
        best = value
        continue
      }
      guard let ordering = Self.compare(value, current) else {
        throw failure("\(describe(value)) and \(describe(current)) cannot be compared")
      }
      if ordering == wanted { best = value }
    }
    return best
  }

  private static func compare(_ left: Any, _ right: Any) -> Ordering? {
    if let left = left as? any KVNumeric, let right = right as? any KVNumeric {
      return KVNumber.compare(left.number, right.number)
    }
    guard let comparable = left as? any Comparable else { return nil }
    func open<T: Comparable>(_ left: T) -> Ordering? { (right as? T).map { Ordering(left, $0) } }
    return open(comparable)
  }
}

/// The running total of numbers of any types (OP.3).
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

  /// An `Int` where all numbers were integers and their sum fits, the exact type if one took part, else a `Double`.
  var sum: Any {
    if let exact { return exact }
    if isInteger, let integer = Int(exactly: integers) { return integer }
    return double
  }

  /// The sum divided by a count; zero for no elements.
  func average(over count: Int) -> Any {
    guard count > 0 else { return 0.0 }
    if let exact { return exact.divided(by: count) }
    return double / Double(count)
  }
}
