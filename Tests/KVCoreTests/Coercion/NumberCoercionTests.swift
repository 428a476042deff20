import KVCore
import Testing

/// Every standard number type into every other one, by writing and by typed reading (CO.2, CO.3).
@Suite("CO.2: numbers convert between all standard integer and floating types and Bool")
struct NumberCoercionTests {
  /// What a source is worth, without the package: an integer, or a floating-point value.
  enum Worth: Sendable {
    case integer(Int128)
    case floating(Double)
  }

  struct Source: Sendable, CustomTestStringConvertible {
    let value: any Sendable
    let worth: Worth
    var testDescription: String { "\(type(of: value)) \(value)" }

    init(_ value: some FixedWidthInteger & Sendable) {
      self.value = value
      worth = .integer(Int128(value))
    }
    init(_ value: Double) {
      self.value = value
      worth = .floating(value)
    }
    init(_ value: Float) {
      self.value = value
      worth = .floating(Double(value))
    }
    init(_ value: Bool) {
      self.value = value
      worth = .integer(value ? 1 : 0)
    }
  }

  static let sources: [Source] = [
    Source(0), Source(1), Source(-1), Source(5), Source(255), Source(256), Source(Int.max), Source(Int.min),
    Source(Int8.max), Source(Int8.min), Source(Int16.max), Source(Int16.min), Source(Int32.max), Source(Int32.min),
    Source(Int64.max), Source(Int64.min), Source(UInt.max), Source(UInt8.max), Source(UInt16.max), Source(UInt32.max),
    Source(UInt64.max), Source(UInt64(1) << 63),
    Source(true), Source(false),
    Source(0.0), Source(-0.0), Source(0.5), Source(-0.5), Source(0.999_999), Source(3.7), Source(-3.7), Source(127.9),
    Source(128.0), Source(-128.9), Source(-129.0), Source(255.999), Source(256.0), Source(65_535.5),
    Source(2_147_483_647.5), Source(2_147_483_648.0), Source(-2_147_483_648.9), Source(4_294_967_295.5),
    Source(9_007_199_254_740_993.0), Source(9.3e18), Source(-9.3e18), Source(9_223_372_036_854_775_807.0),
    Source(9_223_372_036_854_774_784.0), Source(-9_223_372_036_854_775_808.0), Source(18_446_744_073_709_551_615.0),
    Source(18_446_744_073_709_549_568.0), Source(1e300), Source(-1e300), Source(Double.leastNonzeroMagnitude),
    Source(Double.nan),
    Source(Double.infinity), Source(-Double.infinity), Source(Double.signalingNaN),
    Source(Float(3.7)), Source(Float(-3.7)), Source(Float.greatestFiniteMagnitude), Source(Float.nan),
    Source(Float.infinity), Source(Float(16_777_216)),
  ]

  private func write<Target>(_ value: Any, to initial: Target) -> Result<Target, KVError> {
    let cell = ShopCell<Target>(initial)
    do throws(KVError) {
      try cell.setValue(value as Any?, forKey: "plain")
      return .success(cell.plain)
    } catch {
      return .failure(error)
    }
  }

  private func read<Target>(_ value: Any, as type: Target.Type) -> Result<Target, KVError> {
    do throws(KVError) {
      return .success(try KVC.value(of: ["number": value], forKeyPath: "number", as: type))
    } catch {
      return .failure(error)
    }
  }

  private func check<Target: Equatable>(
    _ source: Source, _ initial: Target, _ expected: Target?, _ location: SourceLocation = #_sourceLocation
  ) {
    for result in [write(source.value, to: initial), read(source.value, as: Target.self)] {
      switch result {
      case .success(let value):
        #expect(value == expected, "\(source.testDescription) as \(Target.self)", sourceLocation: location)
      case .failure(let error):
        #expect(expected == nil, "\(source.testDescription) as \(Target.self): \(error)", sourceLocation: location)
        #expect(error.code == .numberOutOfRange, sourceLocation: location)
      }
    }
    #expect(
      expected == nil
        ? (try? write(source.value, to: Target?.none).get()) == nil
        : (try? write(source.value, to: Target?.none).get()) == expected, sourceLocation: location)
  }

  private func checkInteger<Target: FixedWidthInteger>(_ source: Source, _ type: Target.Type) {
    let expected: Target? =
      switch source.worth {
      case .integer(let value): Target(exactly: value)
      case .floating(let value): Target(exactly: value.rounded(.towardZero))
      }
    check(source, Target.zero, expected)
  }

  @Test(
    "CO.2: into integers: fractions truncate toward zero; out of range, NaN and infinity are errors", arguments: sources
  )
  func integers(_ source: Source) {
    checkInteger(source, Int.self)
    checkInteger(source, Int8.self)
    checkInteger(source, Int16.self)
    checkInteger(source, Int32.self)
    checkInteger(source, Int64.self)
    checkInteger(source, UInt.self)
    checkInteger(source, UInt8.self)
    checkInteger(source, UInt16.self)
    checkInteger(source, UInt32.self)
    checkInteger(source, UInt64.self)
  }

  @Test(
    "CO.2: into floating types: the nearest value; a finite number too large for Float is an error", arguments: sources)
  func floats(_ source: Source) throws {
    let double: Double =
      switch source.worth {
      case .integer(let value): Double(value)
      case .floating(let value): value
      }
    if double.isNaN {
      #expect(try write(source.value, to: 0.0).get().isNaN)
      #expect(try write(source.value, to: Float(0)).get().isNaN)
    } else {
      check(source, 0.0, double)
      check(source, Float(0), double.isFinite && Float(double).isInfinite ? nil : Float(double))
    }
  }

  @Test("CO.3: into Bool: zero is false, any other number is true, NaN is an error", arguments: sources)
  func bools(_ source: Source) {
    let expected: Bool? =
      switch source.worth {
      case .integer(let value): value != 0
      case .floating(let value): value.isNaN ? nil : value != 0
      }
    check(source, false, expected)
    check(source, true, expected)
  }

  @Test("CO.3: Bool converts to 1 and 0 in every number type")
  func boolToNumbers() throws {
    #expect(try write(true, to: 0).get() == 1)
    #expect(try write(false, to: 9).get() == 0)
    #expect(try write(true, to: UInt8(0)).get() == 1)
    #expect(try write(true, to: 0.0).get() == 1.0)
    #expect(try write(true, to: Float(0)).get() == 1)
  }

  @Test("CO.2: boundaries stand exactly where the type ends")
  func boundaries() throws {
    #expect(try write(9_223_372_036_854_774_784.0, to: Int64(0)).get() == 9_223_372_036_854_774_784)
    #expect(throws: KVError.self) { try write(9_223_372_036_854_775_808.0, to: Int64(0)).get() }
    #expect(throws: KVError.self) { try write(9.3e18, to: Int64(0)).get() }
    #expect(try write(9.3e18, to: UInt64(0)).get() == 9_300_000_000_000_000_000)
    #expect(try write(-9_223_372_036_854_775_808.0, to: Int64(0)).get() == .min)
    #expect(throws: KVError.self) { try write(-1, to: UInt(0)).get() }
    #expect(try write(-0.9, to: UInt(7)).get() == 0)
    #expect(try write(UInt64.max, to: UInt64(0)).get() == .max)
    #expect(throws: KVError.self) { try write(4_294_967_298 as Int64, to: Int32(0)).get() }
    #expect(throws: KVError.self) { try write(70_000, to: Int16(0)).get() }
    #expect(try write(Int.max, to: 0.0).get() == 9_223_372_036_854_775_808.0)
  }

  @Test("CO.2: the error names the number and the type that it does not fit")
  func message() {
    let error = #expect(throws: KVError.self) { try write(300, to: UInt8(0)).get() }
    #expect(error?.code == .numberOutOfRange)
    #expect(error?.component == "plain")
    #expect(error?.message == "cannot set \"plain\" of ShopCell<UInt8>: the Int 300 does not fit in UInt8.")
  }

  @Test("CO.2: a number type of the program's own takes part")
  func ownNumber() throws {
    #expect(try write(ShopCents(cents: 250), to: 0.0).get() == 2.5)
    #expect(try write(ShopCents(cents: 250), to: 0).get() == 2)
    #expect(try write(3, to: ShopCents(cents: 0)).get() == ShopCents(cents: 300))
    #expect(try write(0.5, to: ShopCents(cents: 0)).get() == ShopCents(cents: 50))
    #expect(throws: KVError.self) { try write(Double.nan, to: ShopCents(cents: 0)).get() }
    #expect(KVC.areEqual(ShopCents(cents: 200), 2))
  }

  @Test("CO.1, CO.2: numbers of 128 bits without a sign keep their value, also inside optionals")
  func unsignedOf128Bits() throws {
    #expect(try KVC.convert(Optional(UInt128.max) as Any, to: UInt128.self) == .max)
    #expect(try KVC.convert(Optional(UInt128.max) as Any, to: UInt128?.self) == .max)
    let power = 170_141_183_460_469_231_731_687_303_715_884_105_728.0
    #expect(try KVC.convert(power, to: UInt128.self) == 1 << 127)
    #expect(throws: KVError.self) { try KVC.convert(power * 2, to: UInt128.self) }
    #expect(throws: KVError.self) { try KVC.convert(-1.0, to: UInt128.self) }
  }
}

private struct ShopCents: NumericValue, Equatable {
  var cents: Int

  init(cents: Int) { self.cents = cents }
  var number: AnyNumber { .floating(Double(cents) / 100) }
  init?(number: AnyNumber) {
    guard number.double.isFinite else { return nil }
    cents = Int(number.double * 100)
  }
}
