import Foundation
import KVBinding
import Testing

@Suite("Formats that fuzzing found")
struct FormatTests {
  @Test(
    "TRN.2: flags, width and precision stand in their order, as C reads them",
    arguments: ["%2 x", "%.#X", "%..2f", "%. f", "%1.-d", "%.2.2f"])
  func order(format: String) throws {
    let error = #expect(throws: KVError.self) { try KVTransformer.format(format) }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("flags, then the width, then a period and the precision") == true)
  }

  @Test(
    "TRN.2: the integer 0, of which a precision of 0 leaves nothing, is read back",
    arguments: ["a%.0db", "%.X!", "[%5.u]", "%+.0d", "%#.0x;", "%.00i"])
  func nothing(format: String) throws {
    let transformer = try KVTransformer.format(format)
    let text = try transformer.transform(0)
    #expect(KVC.areEqual(try transformer.reverseTransform(text), 0), "\(text ?? "nil")")
    #expect(try transformer.transform(try transformer.reverseTransform(text)) as? String == text as? String)
  }

  @Test("TRN.2: an empty text is no number of another format", arguments: ["%d", "%.1d", "%.0f"])
  func empty(format: String) throws {
    #expect(throws: KVError.self) { try KVTransformer.format(format).reverseTransform("") }
  }

  @Test("TRN.2: an integer that no double is comes back exactly", arguments: ["%@", "%d"])
  func largeInteger(format: String) throws {
    let transformer = try KVTransformer.format(format)
    let number = 9_007_199_254_740_993
    let text = try transformer.transform(number)
    #expect(KVC.areEqual(try transformer.reverseTransform(text), number), "\(text ?? "nil")")
  }

  @Test("TRN.2: a negative NaN keeps its sign")
  func notANumber() throws {
    let transformer = try KVTransformer.format("%f")
    #expect(try transformer.transform(try transformer.reverseTransform("-nan")) as? String == "-nan")
  }

  @Test(
    "TRN.2: a NaN is written without its payload, and read back",
    arguments: [0xfffa_ffff_ff31_333f, 0x7ff0_0000_0000_0007, 0xfff0_0000_0000_0001, 0x7ff8_0000_0000_0000])
  func payload(bits: UInt64) throws {
    let transformer = try KVTransformer.format("%@")
    let number = Double(bitPattern: bits)
    let text = number.sign == .minus ? "-nan" : "nan"
    #expect(try transformer.transform(number) as? String == text)
    #expect(try transformer.transform(Float(number)) as? String == text)
    let back = try #require(try transformer.reverseTransform(text) as? Double)
    #expect(back.isNaN && back.sign == number.sign)
  }

  @Test(
    "TRN.2: a large number is read as the number that was written, and not as its digits with zeros behind",
    arguments: [7.076842973344846e+16, -9.007199254740993e+15, 1e18, 1.2345678901234567e+19, 3, 0.1])
  func large(number: Double) throws {
    let transformer = try KVTransformer.format("%@")
    #expect(KVC.areEqual(try transformer.reverseTransform(try transformer.transform(number)), number))
  }

  @Test("TRN.2: every type of number comes back exactly by %@, a truth value as 1 or 0")
  func types() throws {
    let transformer = try KVTransformer.format("%@")
    let decimals = ["0.12345678901234567890123", "-123456789012345678901234567890", "1000000000000000000000.5"]
    let numbers: [any Sendable] =
      [UInt64.max, Int128.max, Int128.min, Int64.min, Float(1.5), 1e300, -0.5]
      + decimals.compactMap { Decimal(string: $0) }
    for number in numbers {
      let text = try transformer.transform(number)
      let back = try transformer.reverseTransform(text)
      #expect(KVC.areEqual(back, number) && "\(number)" == text as? String, "\(number): \(back ?? "nil")")
    }
    #expect(try transformer.transform(true) as? String == "1")
    #expect(try transformer.transform(false) as? String == "0")
    // What a user types need not be what would be written.
    for text in ["3.140", "0314e-2", "3.14"] { #expect(try transformer.reverseTransform(text) as? Double == 3.14) }
  }

  @Test("TRN.2: %@ has no flags, width and precision", arguments: ["%5@", "%+@", "%.2@", "a%-8.3@b"])
  func options(format: String) throws {
    let error = #expect(throws: KVError.self) { try KVTransformer.format(format) }
    #expect(error?.code == .unsupported && error?.message.contains("%@ has no flags, width and precision") == true)
  }

  @Test(
    "TRN.2: a format may begin with a mark that joins the colon of its name", arguments: ["\u{301}%d", "\u{200D}%x"])
  func marks(format: String) throws {
    let named = try KVTransformer.named("format:" + format).transform(10)
    #expect(try named as? String == KVTransformer.format(format).transform(10) as? String)
    #expect(throws: KVError.self) { try KVTransformer.register(.format(format), named: "format:" + format) }
  }
}
