import KVCore

// Arithmetic: integers stay exact while they fit in 128 bits, nil makes nil (FLT.11).

extension PredicateFunctions {
  static let arithmetic: [String: Function] = [
    "add:to:": binary(
      { $0.addingReportingOverflow($1) }, wide: { $0.addingReportingOverflow($1) }, { $0 + $1 }, exact: sum),
    "from:subtract:": binary(
      { $0.subtractingReportingOverflow($1) }, wide: { $0.subtractingReportingOverflow($1) }, { $0 - $1 }),
    "multiply:by:": binary(
      { $0.multipliedReportingOverflow(by: $1) }, wide: { $0.multipliedReportingOverflow(by: $1) }, { $0 * $1 }),
    "divide:by:": division(
      { $0.dividedReportingOverflow(by: $1) }, wide: { $0.dividedReportingOverflow(by: $1) }, { $0 / $1 }),
    "modulus:by:": division(
      { $0.remainderReportingOverflow(dividingBy: $1) }, wide: { $0.remainderReportingOverflow(dividingBy: $1) },
      { $0.truncatingRemainder(dividingBy: $1) }),
    "raise:toPower:": binary(
      { power($0, $1) }, wide: { power($0, $1) }, { Mathematics.power($0, $1) }),
    "abs": unary {
      $0 == .min ? nil : abs($0)
    } _: {
      abs($0)
    },
    "floor": unary {
      $0
    } _: {
      $0.rounded(.down)
    },
    "ceiling": unary {
      $0
    } _: {
      $0.rounded(.up)
    },
    "trunc": unary {
      $0
    } _: {
      $0.rounded(.towardZero)
    },
    "sqrt": unary { _ in
      nil
    } _: {
      $0.squareRoot()
    },
    "exp": unary { _ in
      nil
    } _: {
      Mathematics.exponential($0)
    },
    "ln": unary { _ in
      nil
    } _: {
      Mathematics.naturalLogarithm($0)
    },
    "log": unary { _ in
      nil
    } _: {
      Mathematics.decimalLogarithm($0)
    },
    "bitwiseAnd:with:": bitwise { $0 & $1 },
    "bitwiseOr:with:": bitwise { $0 | $1 },
    "bitwiseXor:with:": bitwise { $0 ^ $1 },
    "leftshift:by:": bitwise { $0 << $1 },
    "rightshift:by:": bitwise { $0 >> $1 },
    "onesComplement": Function(counts: 1...1) { arguments throws(KVError) in
      arguments[0].isNil ? .none : .integer(~(try integer(arguments[0])))
    },
  ]

  private static func unary(
    _ integer: @escaping @Sendable (Int128) -> Int128?, _ floating: @escaping @Sendable (Double) -> Double
  ) -> Function {
    Function(counts: 1...1) { arguments throws(KVError) in
      switch try operand(arguments[0]) {
      case nil: return .none
      case .integer(let value)?:
        return integer(value).map(scalar) ?? .floating(floating(Double(value)))
      case let number?: return .floating(floating(number.double))
      }
    }
  }

  private static func binary(
    _ integer: @escaping @Sendable (Int, Int) -> (partialValue: Int, overflow: Bool),
    wide: @escaping @Sendable (Int128, Int128) -> (partialValue: Int128, overflow: Bool),
    _ floating: @escaping @Sendable (Double, Double) -> Double,
    exact: (@Sendable (AnyNumber, AnyNumber) -> Scalar?)? = nil
  ) -> Function {
    Function(counts: 2...2) { arguments throws(KVError) in
      if case .integer(let left) = arguments[0], case .integer(let right) = arguments[1] {
        let (result, overflow) = integer(left, right)
        if !overflow { return .integer(result) }
      }
      guard let left = try operand(arguments[0]), let right = try operand(arguments[1]) else { return .none }
      if case .integer(let first) = left, case .integer(let second) = right {
        if let first = Int(exactly: first), let second = Int(exactly: second) {
          let (result, overflow) = integer(first, second)
          if !overflow { return .integer(result) }
        }
        let (result, overflow) = wide(first, second)
        return overflow ? .floating(floating(Double(first), Double(second))) : scalar(result)
      }
      return exact?(left, right) ?? .floating(floating(left.double, right.double))
    }
  }

  private static func division(
    _ integer: @escaping @Sendable (Int, Int) -> (partialValue: Int, overflow: Bool),
    wide: @escaping @Sendable (Int128, Int128) -> (partialValue: Int128, overflow: Bool),
    _ floating: @escaping @Sendable (Double, Double) -> Double
  ) -> Function {
    let function = binary(integer, wide: wide, floating)
    return Function(counts: 2...2) { arguments throws(KVError) in
      if !arguments[0].isNil, let divisor = try operand(arguments[1]), divisor.isZero {
        throw KVError(.operatorFailed, "division by zero: compare with zero first, as in d != 0 AND n / d > 1.")
      }
      return try function.body(arguments)
    }
  }

  /// Returns an integer, as an `Int` if it is one.
  static func scalar(_ value: Int128) -> Scalar { Int(exactly: value).map { .integer($0) } ?? .other(value) }

  /// Returns a sum with a decimal number.
  @Sendable private static func sum(_ left: AnyNumber, _ right: AnyNumber) -> Scalar? {
    var total = NumberTotal()
    for number in [left, right] {
      guard case .exact = number else { continue }
      total.add(left)
      total.add(right)
      return Scalar(total.sum)
    }
    return nil
  }

  /// Returns an integer raised to a power.
  private static func power<Integer: FixedWidthInteger>(
    _ base: Integer, _ exponent: Integer
  ) -> (partialValue: Integer, overflow: Bool) {
    guard exponent >= 0 else { return (0, true) }
    var (result, factor, remainingExponent): (Integer, Integer, Integer) = (1, base, exponent)
    while remainingExponent > 0 {
      if remainingExponent & 1 == 1 {
        let (product, overflow) = result.multipliedReportingOverflow(by: factor)
        if overflow { return (0, true) }
        result = product
      }
      remainingExponent >>= 1
      if remainingExponent > 0 {
        let (square, overflow) = factor.multipliedReportingOverflow(by: factor)
        if overflow { return (0, true) }
        factor = square
      }
    }
    return (result, false)
  }

  private static func bitwise(_ body: @escaping @Sendable (Int, Int) -> Int) -> Function {
    Function(counts: 2...2) { arguments throws(KVError) in
      if arguments[0].isNil || arguments[1].isNil { return .none }
      return .integer(body(try integer(arguments[0]), try integer(arguments[1])))
    }
  }

  private static func integer(_ value: Scalar) throws(KVError) -> Int {
    guard case .integer(let integer)? = value.operand, let result = Int(exactly: integer) else {
      throw mismatch(value, "an integer")
    }
    return result
  }

  /// Returns a value as a number; nil for nil.
  private static func operand(_ value: Scalar) throws(KVError) -> AnyNumber? {
    if value.isNil { return nil }
    guard let number = value.operand else { throw mismatch(value, "a number") }
    return number
  }
}
