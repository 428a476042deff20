/// The minimum or maximum of integers, or of doubles; mixed types and NaN need the general path.
struct NumberExtreme: NumberSink {
  let wanted: KVOrdering
  private var integer: Int?
  private var double: Double?

  init(wanted: KVOrdering) { self.wanted = wanted }

  @inline(__always)
  mutating func add(_ value: Int) -> Bool {
    if let best = integer, KVOrdering(value, best) != wanted { return true }
    integer = value
    return double == nil
  }

  @inline(__always)
  mutating func add(_ value: Double) -> Bool {
    if value.isNaN { return false }
    if let best = double, KVOrdering(value, best) != wanted { return true }
    double = value
    return integer == nil
  }

  /// The minimum or maximum, or `nil` if there are no numbers.
  var result: Any? { integer ?? double }
}
