import Foundation
import KVBinding

/// A colour of three parts from 0 to 1.
@KVModel struct PickerColor: Equatable, Sendable {
  var red = 0.0
  var green = 0.0
  var blue = 0.0

  init(red: Double, green: Double, blue: Double) { (self.red, self.green, self.blue) = (red, green, blue) }

  /// The colour of a text such as `#FF8800`, `ff8800` or `#F80`; nil if it is none.
  init?(hex text: String) {
    var digits = text.trimmingCharacters(in: .whitespaces)
    if digits.hasPrefix("#") { digits.removeFirst() }
    if digits.count == 3 { digits = digits.map { "\($0)\($0)" }.joined() }
    guard digits.count == 6, digits.allSatisfy(\.isHexDigit), let number = Int(digits, radix: 16) else { return nil }
    self.init(
      red: Double(number >> 16) / 255, green: Double(number >> 8 & 255) / 255, blue: Double(number & 255) / 255)
  }

  /// The colour as `#FF8800`.
  var hex: String {
    let bytes = [red, green, blue].map { Int((min(max($0, 0), 1) * 255).rounded()) }
    let digits = String((bytes[0] << 16) + (bytes[1] << 8) + bytes[2], radix: 16, uppercase: true)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// "Black", "Dark", "Bright" or "White", by the average of the parts.
  var brightness: String {
    switch (red + green + blue) / 3 {
    case ..<0.1: "Black"
    case ..<0.5: "Dark"
    case ..<0.9: "Bright"
    default: "White"
    }
  }
}
