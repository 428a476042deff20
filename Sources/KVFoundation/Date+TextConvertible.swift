import Foundation
import KVCore

/// The text of a date is that of RFC 3339, in the Gregorian calendar also before its introduction (CO.5): the one form of
/// documents, conversions, predicates and `kv`.
///
/// The styles of Foundation also take a 30th of February, an hour 25 and any characters after the text. They write the
/// Julian calendar before 1582, and no fractions.
extension Date {
  /// Creates a date from a date and time with seconds and a time zone, or from a date alone, which is midnight in UTC.
  ///
  /// - Parameter text: The text: `2026-11-22T07:20:00Z`, `2026-11-22T08:20:00.5+01:00`, `2026-11-22`.
  package init?(text: String) {
    let bytes = Array(text.utf8)
    func number(at start: Int, below limit: Int) -> Int? {
      let end = start + (limit > 100 ? 4 : 2)
      guard end <= bytes.count, bytes[start..<end].allSatisfy(Self.isDigit) else { return nil }
      let value = bytes[start..<end].reduce(0) { $0 * 10 + Int($1) - 48 }
      return value < limit ? value : nil
    }
    func has(_ character: Character, at index: Int) -> Bool {
      index < bytes.count && bytes[index] == character.asciiValue
    }
    guard let year = number(at: 0, below: 10_000), has("-", at: 4), let month = number(at: 5, below: 13),
      has("-", at: 7),
      let day = number(at: 8, below: 32), let days = Self.days(year, month, day)
    else { return nil }
    // Dates count from 2001; any other beginning would round them.
    let midnight = days * 86_400 - Self.referenceSeconds
    if bytes.count == 10 {
      self.init(timeIntervalSinceReferenceDate: Double(midnight))
      return
    }
    guard has("T", at: 10) || has("t", at: 10), let hour = number(at: 11, below: 24), has(":", at: 13),
      let minute = number(at: 14, below: 60),
      has(":", at: 16), let second = number(at: 17, below: 60)
    else { return nil }
    var (zone, fraction) = (19, "")
    if has(".", at: 19) {
      let digits = bytes[20...].prefix(while: Self.isDigit)
      if digits.isEmpty { return nil }
      (zone, fraction) = (digits.endIndex, String(decoding: digits, as: UTF8.self))
    }
    var offset = 0
    if !has("Z", at: zone) && !has("z", at: zone) || bytes.count != zone + 1 {
      guard has("+", at: zone) || has("-", at: zone), let hours = number(at: zone + 1, below: 24),
        has(":", at: zone + 3),
        let minutes = number(at: zone + 4, below: 60), bytes.count == zone + 6
      else { return nil }
      offset = (hours * 60 + minutes) * (has("+", at: zone) ? 60 : -60)
    }
    let seconds = midnight + (hour * 60 + minute) * 60 + second - offset
    guard Self.secondsWithText.contains(seconds), let interval = Self.interval(seconds, fraction) else { return nil }
    self.init(timeIntervalSinceReferenceDate: interval)
  }

  /// The text in UTC, with the fewest digits behind the seconds from which the date is read again; nil outside of the years
  /// 1 to 9999.
  package var text: String? {
    let interval = timeIntervalSinceReferenceDate
    guard let floor = Int(exactly: interval.rounded(.down)), Self.secondsWithText.contains(floor),
      let (digits, exponent) = interval.printedDigits
    else { return nil }
    var fraction = ""
    if Double(floor) != interval {
      fraction = String(repeating: "0", count: max(-exponent - "\(digits)".count, 0)) + "\(digits)".suffix(-exponent)
      if interval < 0 { fraction = Self.complement(of: fraction) }
    }
    let seconds = floor + Self.referenceSeconds
    let time = (seconds % 86_400 + 86_400) % 86_400
    let (year, month, day) = Self.date((seconds - time) / 86_400)
    let clock = [time / 3600, time / 60 % 60, time % 60].map { Self.digits($0, 2) }.joined(separator: ":")
    let date = "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
    return "\(date)T\(clock)\(fraction.isEmpty ? "" : ".")\(fraction)Z"
  }

  /// Returns the nearest interval to seconds and the digits of a fraction.
  private static func interval(_ seconds: Int, _ fraction: String) -> Double? {
    guard fraction.contains(where: { $0 != "0" }) else { return Double(seconds) }
    return seconds < 0 ? Double("-\(-1 - seconds).\(complement(of: fraction))") : Double("\(seconds).\(fraction)")
  }

  /// Returns the digits of one minus a fraction, which is not zero.
  private static func complement(of fraction: String) -> String {
    let end = (fraction.lastIndex { $0 != "0" }).map(fraction.index(after:)) ?? fraction.startIndex
    // All digits but the last one are taken from nine.
    var digits = fraction[..<end].utf8.map { 48 + 57 - $0 }
    if let last = digits.indices.last { digits[last] += 1 }
    return String(decoding: digits, as: UTF8.self)
  }

  /// The texts that are read.
  package static var expectedText: String {
    "an RFC 3339 date of the years 1 to 9999 (2026-11-22 or 2026-11-22T07:20:00Z)"
  }

  /// The seconds from 1970 to 2001.
  private static let referenceSeconds = 978_307_200

  /// The seconds since 2001 of the years 1 to 9999.
  private static let secondsWithText = -62_135_596_800 - referenceSeconds..<253_402_300_800 - referenceSeconds

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: count - text.count) + text
  }

  /// Returns the day of the Gregorian calendar, also before its introduction, by the days from 1970-01-01.
  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    // Years begin in March here, so that a leap day is the last one; an era has 400 of them.
    let (era, day) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (
      year + era * 400 + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1
    )
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  /// Returns the days from 1970-01-01 to a day of the Gregorian calendar, or `nil` if there is no such day.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    guard year > 0, month > 0, day > 0 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[month - 1] else { return nil }
    let past = year - 1
    let leapDays = past / 4 - past / 100 + past / 400
    return past * 365 + leapDays + lengths[..<(month - 1)].reduce(0, +) + day - 1 - 719_162
  }
}
