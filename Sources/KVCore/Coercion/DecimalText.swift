/// The digits of a number in Swift's decimal notation.
struct DecimalText {
  /// The digits of an integer, with a minus sign; nil for a fraction.
  let integer: String?

  /// More zeros than any type of integers has digits.
  private static let maximumPadding = 60

  /// Takes a text apart; nil if it is no number.
  init?(_ text: String) {
    // The words and the hexadecimal notation that `Double` reads are no numbers here.
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }), Double(text) != nil else { return nil }
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    let halves = parts[0].drop { $0 == "+" || $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    let all = halves.joined()
    let zeros = all.prefix { $0 == "0" }.count
    var digits = all.dropFirst(zeros)
    while digits.last == "0" { digits.removeLast() }
    guard !digits.isEmpty else {
      integer = "0"
      return
    }
    let exponent = parts.count > 1 ? Int(parts[1]) ?? (parts[1].first == "-" ? .min : .max) : 0
    // How many of the digits stand before the point.
    let (sum, isOverflow) = (halves[0].count - zeros).addingReportingOverflow(exponent)
    let count = isOverflow ? exponent : sum
    guard count >= digits.count else {
      integer = nil
      return
    }
    let padding = String(repeating: "0", count: min(count - digits.count, Self.maximumPadding))
    integer = (text.first == "-" ? "-" : "") + digits + padding
  }
}
