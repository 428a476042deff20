/// The exact value of a finite number of any type: digits · 2ᵗʷᵒˢ · 5ᶠⁱᵛᵉˢ, in the one form that has neither factor in its
/// digits, so that equal numbers are equal (CO.7).
package struct NumberValue: Hashable, Sendable {
  private let isNegative: Bool
  private let digits: UInt128
  private let twos: Int
  private let fives: Int

  /// Creates the value of digits with a sign, multiplied by powers of two and of ten.
  package init(isNegative: Bool, digits: UInt128, twos: Int = 0, tens: Int = 0) {
    guard digits != 0 else {
      (self.isNegative, self.digits, self.twos, fives) = (false, 0, 0, 0)
      return
    }
    var (remainder, count) = (digits >> digits.trailingZeroBitCount, tens)
    while case (let quotient, 0) = remainder.quotientAndRemainder(dividingBy: 5) {
      (remainder, count) = (quotient, count + 1)
    }
    (self.isNegative, self.digits, fives) = (isNegative, remainder, count)
    self.twos = twos + tens + digits.trailingZeroBitCount
  }

  init(_ integer: Int128) { self.init(isNegative: integer < 0, digits: integer.magnitude) }

  /// Creates the value of the bits of a floating-point number; nil for NaN and infinity.
  init?<Number: BinaryFloatingPoint>(bits number: Number) {
    guard number.isFinite else { return nil }
    // All bits of the significand stand before the point then.
    let shift = max(number.significandWidth, 0)
    let significand = number == 0 ? 0 : number.significand
    let digits = UInt128(significand * Number(sign: .plus, exponent: Number.Exponent(shift), significand: 1))
    self.init(isNegative: number < 0, digits: digits, twos: digits == 0 ? 0 : Int(number.exponent) - shift)
  }

  /// Creates the value of a double: a fraction is the decimal number that it is printed as; nil for NaN and infinity.
  init?(_ double: Double) {
    if double.rounded() == double {
      self.init(bits: double)
    } else if let printed = double.printedDigits {
      self.init(isNegative: double < 0, digits: UInt128(printed.digits), tens: printed.exponent)
    } else {
      return nil
    }
  }

  /// The magnitude of the integer that remains when the fraction is cut off; nil if it needs more than 128 bits.
  var integerMagnitude: UInt128? {
    var result = digits
    if twos > 0 {
      guard result == 0 || twos <= result.leadingZeroBitCount else { return nil }
      result <<= UInt128(twos)
    }
    for _ in 0..<max(fives, 0) {
      let (product, overflow) = result.multipliedReportingOverflow(by: 5)
      if overflow { return nil }
      result = product
    }
    for _ in 0..<max(-fives, 0) where result != 0 { result /= 5 }
    return twos < 0 ? result >> UInt128(min(-twos, 128)) : result
  }

  /// The integer that remains when the fraction is cut off; nil if it needs more than 128 bits with a sign.
  package var truncated: Int128? {
    guard let magnitude = integerMagnitude else { return nil }
    if isNegative { return magnitude == Int128.min.magnitude ? .min : Int128(exactly: magnitude).map { -$0 } }
    return Int128(exactly: magnitude)
  }

  /// The integer that remains when the fraction is cut off; nil if it is negative or needs more than 128 bits.
  var truncatedMagnitude: UInt128? { integerMagnitude.flatMap { isNegative && $0 != 0 ? nil : $0 } }

  /// Returns the order of two values.
  static func compare(_ left: NumberValue, _ right: NumberValue) -> KVOrdering {
    if left == right { return .same }
    if left.signum != right.signum { return KVOrdering(left.signum, right.signum) }
    let order = compareMagnitudes(left, right)
    return left.isNegative ? order.reversed : order
  }

  private var signum: Int { digits == 0 ? 0 : isNegative ? -1 : 1 }

  private static func compareMagnitudes(_ left: NumberValue, _ right: NumberValue) -> KVOrdering {
    let difference = left.binaryLogarithm - right.binaryLogarithm
    // The logarithms are too small by less than one.
    if difference.magnitude > 2 { return difference < 0 ? .less : .greater }
    let (twos, fives) = (min(left.twos, right.twos), min(left.fives, right.fives))
    let (first, second) = (left.words(twos, fives), right.words(twos, fives))
    if first.count != second.count { return KVOrdering(first.count, second.count) }
    for (one, other) in zip(first, second).reversed() where one != other { return KVOrdering(one, other) }
    return .same
  }

  /// At most by one less than the logarithm of the magnitude, but for rounding.
  private var binaryLogarithm: Double {
    Double(127 - digits.leadingZeroBitCount) + Double(twos) + Double(fives) * 2.321928094887362
  }

  /// Returns the magnitude, divided by a power of two and one of five, in words of 32 bits, the lowest first.
  private func words(_ twos: Int, _ fives: Int) -> [UInt32] {
    let shift = self.twos - twos
    var words = (0..<4).map { UInt32(truncatingIfNeeded: digits >> UInt128(32 * $0)) }
    func multiply(by factor: UInt64) {
      var carry: UInt64 = 0
      for index in words.indices {
        carry += UInt64(words[index]) * factor
        words[index] = UInt32(truncatingIfNeeded: carry)
        carry >>= 32
      }
      if carry != 0 { words.append(UInt32(carry)) }
    }
    for _ in 0..<self.fives - fives { multiply(by: 5) }
    multiply(by: 1 << UInt64(shift % 32))
    words = Array(repeating: 0, count: shift / 32) + words
    while words.last == 0 { words.removeLast() }
    return words
  }
}

extension Double {
  /// The digits that the magnitude of the number is printed with, and the exponent of ten of the last one; nil for NaN and
  /// infinity.
  package var printedDigits: (digits: UInt64, exponent: Int)? {
    guard isFinite else { return nil }
    let text = magnitude.description
    let mantissa = text.prefix { $0 != "e" }
    let fraction = mantissa.firstIndex(of: ".").map { mantissa.distance(from: $0, to: mantissa.endIndex) - 1 } ?? 0
    guard let digits = UInt64(mantissa.filter { $0 != "." }) else { return nil }
    return (digits, (text.firstIndex(of: "e").flatMap { Int(text[text.index(after: $0)...]) } ?? 0) - fraction)
  }
}
