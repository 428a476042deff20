import KVCore
import Testing

@Suite("CO.5: numbers from text, digit by digit")
struct TextNumberTests {
  private func number<T>(_ text: String, _ type: T.Type) throws(KVError) -> T {
    try KVC.convert(text, to: type, lenient: true)
  }

  private func code<T>(_ text: String, _ type: T.Type) -> KVError.Code? {
    failureCode { () throws(KVError) in _ = try number(text, type) }
  }

  @Test("CO.5: integers keep all digits, also with a point or an exponent")
  func integers() throws {
    #expect(try number("9007199254740993", Int.self) == 9_007_199_254_740_993)
    #expect(try number("9007199254740993.0", Int.self) == 9_007_199_254_740_993)
    #expect(try number("900719925474099.3e1", Int.self) == 9_007_199_254_740_993)
    #expect(try number("9007199254740993000e-3", Int.self) == 9_007_199_254_740_993)
    #expect(try number("9.223372036854775807E+18", Int.self) == .max)
    #expect(try number("-9223372036854775808.000", Int.self) == .min)
    #expect(try number("340282366920938463463374607431768211455", UInt128.self) == .max)
    #expect(try number("12e1", Int8?.self) == 120)
    #expect(try number("-0.0", UInt.self) == 0)
    #expect(try number("0e999999999999999999999", Int.self) == 0)
    #expect(try number(".5e1", Int.self) == 5)
    #expect(try number("+5.", Int.self) == 5)
  }

  @Test("CO.5: a fraction is no integer, however small it is")
  func fractions() {
    for text in ["0.5", "9007199254740993.5", "9007199254740992.0000000000000001", "5e-1", "1e-999999999999999999999"] {
      #expect(code(text, Int.self) == .typeMismatch, "\(text)")
    }
  }

  @Test("CO.5: numbers that a type does not have are out of range")
  func outOfRange() {
    #expect(code("9223372036854775808.0", Int.self) == .numberOutOfRange)
    #expect(code("1e19", Int64.self) == .numberOutOfRange)
    #expect(code("340282366920938463463374607431768211456", UInt128.self) == .numberOutOfRange)
    #expect(code("1e400", Double.self) == .numberOutOfRange)
    #expect(code("1e40", Float.self) == .numberOutOfRange)
    #expect(code("-1.0", UInt8.self) == .numberOutOfRange)
    #expect(code("1e999999999999999999999", Int.self) == .numberOutOfRange)
  }

  @Test("CO.5: floating-point numbers are the nearest to the text, rounded once")
  func floating() throws {
    #expect(try number("0.1", Double.self) == 0.1)
    #expect(try number("9007199254740993", Double.self) == 9_007_199_254_740_992)
    // Halfway between two floats, but for a digit that a Double loses.
    let text = "1.00000005960464477540"
    #expect(try number(text, Float.self) == Float(text))
    #expect(try number(text, Float.self) != Float(Double(text) ?? 0))
    #expect(try number("1e-400", Double.self) == 0)
  }

  @Test("CO.5: no text stands for NaN or infinity, and their own texts are not read back", arguments: ["nan", "inf"])
  func notFinite(_ text: String) throws {
    let value = try #require(Double(text))
    #expect(try KVC.convert(value, to: String.self, lenient: true) == text)
    #expect(code(text, Double.self) == .typeMismatch)
    #expect(code("-" + text, Float?.self) == .typeMismatch)
  }

  private enum Level: Int, CaseIterable { case low = 1, high }
  private enum Fruit: String, CaseIterable { case apple = "A", pear }
  private enum Shade: CaseIterable { case dark, light }

  private func message<T>(_ value: Any, _ type: T.Type, lenient: Bool = true) -> String {
    failure { () throws(KVError) in try KVC.convert(value, to: type, lenient: lenient) }?.message ?? "no error"
  }

  @Test("CO.5, KVC.18: an error lists what a text may be")
  func expected() {
    #expect(
      message("grey", Shade.self) == "cannot convert: the String \"grey\" is not a Shade: its cases are dark, light.")
    let optional = message("grey", Shade?.self)
    #expect(optional.hasSuffix("is not a Shade: its cases are dark, light."))
    #expect(message("mid", Level.self).hasSuffix("is not a Level: its cases are low, high."))
    #expect(message("mid", Fruit.self).hasSuffix("is not a Fruit: its cases are A, pear."))
    #expect(message(3, Level.self).hasSuffix("the Int 3 is not a raw value of Level: these are 1, 2."))
    let raw = message("x", Fruit.self, lenient: false)
    #expect(raw.hasSuffix("the String \"x\" is not a raw value of Fruit: these are A, pear."))
    #expect(message("maybe", Bool.self).hasSuffix("is not a Bool: true, false, yes, no, 1 or 0 is expected."))
    #expect(
      message(["dark", "grey"], [Shade].self).contains("at [1], the String \"grey\" is not a Shade: its cases are"))
  }
}
