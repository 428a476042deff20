// The order of all numbers, which is exact, so that it does not depend on which types stand beside each other (CO.7).
//
// A double with a fraction has the place of the decimal number that it is printed as. That keeps the order: the shortest
// digits of a double are nearer to it than to any other one, and never pass an integer.

extension AnyNumber {
  /// Returns the exact order of two numbers, or `nil` if one of them is NaN.
  package static func compare(_ left: AnyNumber, _ right: AnyNumber) -> KVOrdering? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): KVOrdering(left, right)
    case (.floating(let left), .floating(let right)): left.isNaN || right.isNaN ? nil : KVOrdering(left, right)
    case (.integer(let left), .floating(let right)): compare(left, right)
    case (.floating(let left), .integer(let right)): compare(right, left)?.reversed
    case (.wide(let left), .wide(let right)): NumberValue.compare(left.value, right.value)
    case (.wide(let left), _): compare(left, right)
    case (_, .wide(let right)): compare(right, left)?.reversed
    case (.exact(let left), .exact(let right)): left.order(to: right)
    case (.exact, _), (_, .exact): compareValues(left, right)
    }
  }

  /// Returns the order of an integer and a double without rounding the integer.
  private static func compare(_ integer: Int128, _ double: Double) -> KVOrdering? {
    if double.isNaN { return nil }
    guard let whole = Int128(exactly: double.rounded(.towardZero)) else { return double < 0 ? .greater : .less }
    if integer != whole { return KVOrdering(integer, whole) }
    let fraction = double - double.rounded(.towardZero)
    return fraction == 0 ? .same : fraction > 0 ? .less : .greater
  }

  private static func compareValues(_ left: AnyNumber, _ right: AnyNumber) -> KVOrdering? {
    if let left = left.value, let right = right.value { return NumberValue.compare(left, right) }
    let (left, right) = (left.double, right.double)
    // One of them is infinite, or NaN.
    return left.isNaN || right.isNaN ? nil : KVOrdering(left, right)
  }

  /// Returns the order of a number that is no double, and one of another kind.
  private static func compare(_ left: any WideNumber, _ right: AnyNumber) -> KVOrdering? {
    let (nearest, next, side) = left.neighbors
    guard let order = compare(.floating(nearest), right) else { return nil }
    if order == .same || order == side { return side }
    guard compare(.floating(next), right) == side, let value = right.value else { return side.reversed }
    return NumberValue.compare(left.value, value)
  }
}

extension WideNumber {
  /// The doubles between which the number is, and on which side of the nearest one.
  fileprivate var neighbors: (nearest: Double, next: Double, side: KVOrdering) {
    let nearest = double
    let isAbove = NumberValue(bits: nearest).map { NumberValue.compare(value, $0) == .greater } ?? (nearest < 0)
    return isAbove ? (nearest, nearest.nextUp, .greater) : (nearest, nearest.nextDown, .less)
  }

  /// Whether the value is between the decimal numbers that the doubles beside it are printed as, so that a number of another
  /// type may equal it.
  var isBetweenPrinted: Bool {
    let (nearest, next, side) = neighbors
    return NumberValue(nearest).map { NumberValue.compare(value, $0) == side } ?? true
      && NumberValue(next).map { NumberValue.compare(value, $0) == side.reversed } ?? true
  }
}
