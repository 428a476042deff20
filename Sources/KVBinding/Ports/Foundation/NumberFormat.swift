import Foundation
import KVCore

/// A text with a place for one number (TRN.2).
struct NumberFormat: Sendable, LinkedWithBinding {
  private let text: String
  private var prefix = ""
  private var suffix = ""
  private var options = ""
  private var conversion: Character = "@"

  /// Takes a format apart.
  ///
  /// - Throws: ``KVError`` with the code `unsupported`.
  init(_ text: String) throws(KVError) {
    self.text = text
    var remaining = text[...]
    var hasNumber = false
    func add(_ character: Character, _ format: inout NumberFormat) {
      if hasNumber { format.suffix.append(character) } else { format.prefix.append(character) }
    }
    while let character = remaining.popFirst() {
      guard character == "%" else {
        add(character, &self)
        continue
      }
      if remaining.first == "%" {
        add("%", &self)
        remaining.removeFirst()
        continue
      }
      let options = remaining.prefix { "+-# 0123456789.".contains($0) }
      guard let conversion = remaining.dropFirst(options.count).first, "diuxXfFeEgG@".contains(conversion) else {
        throw Self.failure(
          text, "it has a % without one of d i u x X f F e E g G @ behind it; write %% for a percent sign")
      }
      // What C does not know it writes as it stands.
      guard options.wholeMatch(of: #/[+\-# 0]*[0-9]*(\.[0-9]*)?/#) != nil else {
        throw Self.failure(
          text, "behind the % stand flags, then the width, then a period and the precision, as in %+8.2f")
      }
      if conversion == "@", !options.isEmpty {
        throw Self.failure(text, "%@ has no flags, width and precision; write %\(options)d or %\(options)f")
      }
      if hasNumber { throw Self.failure(text, "it has more than one number; write %% for a percent sign") }
      // Widths of any size would make texts of any size.
      guard
        options.split(whereSeparator: { !$0.isASCII || !$0.isNumber }).allSatisfy({ $0.drop { $0 == "0" }.count <= 2 })
      else {
        throw Self.failure(text, "its width or precision is more than 99")
      }
      (self.options, self.conversion, hasNumber) = (String(options), conversion, true)
      remaining.removeFirst(options.count + 1)
    }
    if !hasNumber { throw Self.failure(text, "it has no number in it, such as %d or %.2f") }
  }

  /// Writes a number.
  ///
  /// - Throws: ``KVError`` if the value is no number, or too large for an integer format.
  func text(of value: Any?) throws(KVError) -> String? {
    guard let value else { return nil }
    guard TypeInfo.of(value).kind == .number else {
      throw KVError(.typeMismatch, "the format \"\(text)\" needs a number: \(describe(value)) is not one.")
    }
    return prefix + (try written(value)) + suffix
  }

  private func written(_ value: Any) throws(KVError) -> String {
    do throws(CoercionFailure) {
      switch conversion {
      case "@":
        // Swift writes the payload of a NaN, and does not read that of a signaling one.
        if let number = value as? any BinaryFloatingPoint, number.isNaN {
          return number.sign == .minus ? "-nan" : "nan"
        }
        return "\((value as? Bool).map { $0 ? 1 : 0 } ?? value)"
      case "d", "i":
        let number = try Coercion().convert(value, to: Int64.self)
        return options.isEmpty ? "\(number)" : String(format: "%\(options)lld", number)
      case "u": return String(format: "%\(options)llu", try Coercion().convert(value, to: UInt64.self))
      case "x", "X":
        // Of a negative number the bits are written, as in C; reading takes them for that number again.
        return String(format: "%\(options)ll\(conversion)", try Coercion().convert(value, to: Int64.self))
      default: return String(format: "%\(options)\(conversion)", try Coercion().convert(value, to: Double.self))
      }
    } catch {
      throw KVError(error.code, "the format \"\(text)\" cannot write a value: \(error.reason).")
    }
  }

  /// Reads a number back.
  ///
  /// - Throws: ``KVError`` if the value is no text of this format.
  func number(in value: Any?) throws(KVError) -> Any? {
    guard let value else { return nil }
    guard let written = value as? String else {
      throw KVError(.typeMismatch, "the format \"\(text)\" reads a String: \(describe(value)) is not one.")
    }
    guard let number = number(in: written) else {
      throw KVError(.typeMismatch, "the format \"\(text)\" does not fit \(describe(written)).")
    }
    return number
  }

  private func number(in written: String) -> Any? {
    guard written.hasPrefix(prefix), written.dropFirst(prefix.count).hasSuffix(suffix) else { return nil }
    let digits = written.dropFirst(prefix.count).dropLast(suffix.count).trimmingCharacters(in: .whitespaces)
    // With a precision of 0, C writes nothing for the integer 0.
    if digits.isEmpty || digits == "+", "diuxX".contains(conversion), let period = options.firstIndex(of: "."),
      options[period...].dropFirst().allSatisfy({ $0 == "0" })
    {
      return number(in: prefix + "0" + suffix)
    }
    let lenient = Coercion(lenient: true)
    switch conversion {
    case "d", "i": return try? lenient.convert(digits, to: Int64.self)
    case "u": return try? lenient.convert(digits, to: UInt64.self)
    case "x", "X":
      let bare = digits.lowercased().hasPrefix("0x") && options.contains("#") ? String(digits.dropFirst(2)) : digits
      return UInt64(bare, radix: 16).map { Int64(bitPattern: $0) }
    case "@":
      // No Double is written as an integer that is too large for an Int64.
      if let integer = Int64(digits) ?? UInt64(digits) ?? Int128(digits) as Any? { return integer }
      guard let double = double(digits) else { return nil }
      // More digits than those of a Double are the digits of a Decimal.
      if "\(double)" != digits, let decimal = Decimal(string: digits), "\(decimal)" == digits { return decimal }
      // The digits of a large Double end before the decimal point; what they stand for is the nearest Double.
      return Int64(exactly: double) ?? double as Any
    default: return double(digits)
    }
  }

  /// Reads a number, also one that is none, as C and Swift write it.
  private func double(_ digits: String) -> Double? {
    switch digits.lowercased() {
    case "nan": .nan
    case "-nan": -.nan
    case "inf", "+inf": .infinity
    case "-inf": -.infinity
    default: try? Coercion(lenient: true).convert(digits, to: Double.self)
    }
  }

  private static func failure(_ text: String, _ reason: String) -> KVError {
    KVError(.unsupported, "\"\(text)\" is not a format of a number: \(reason).")
  }
}
