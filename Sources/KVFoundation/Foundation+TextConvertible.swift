import Foundation
import KVCore

// The texts of Foundation's values, for keys that are declared `.lenient()` (CO.5).

extension URL {
  /// Creates a URL; nil for the empty text, and for what would be a URL with percent signs added only.
  ///
  /// - Parameter text: The text of the URL.
  package init?(text: String) { self.init(string: text, encodingInvalidCharacters: false) }
  /// The whole URL.
  package var text: String? { absoluteString }
  /// The texts that are read.
  package static var expectedText: String { "a URL without characters that need percent signs" }
}

extension UUID {
  /// Creates a UUID from its 36 characters, in any case.
  ///
  /// - Parameter text: The text of the UUID.
  package init?(text: String) { self.init(uuidString: text) }
  /// The 36 characters, in capitals.
  package var text: String? { uuidString }
  /// The texts that are read.
  package static var expectedText: String { "a UUID of 36 characters" }
}

extension Data {
  /// Creates data from their text in base 64.
  ///
  /// - Parameter text: The text, without line breaks.
  package init?(text: String) { self.init(base64Encoded: text) }
  /// The text in base 64.
  package var text: String? { base64EncodedString() }
  /// The texts that are read.
  package static var expectedText: String { "base 64 without line breaks" }
}

extension Decimal {
  /// Creates the number with the digits of a text.
  ///
  /// - Parameter text: The number in Swift's notation.
  package init?(text: String) {
    // `Double` checks the whole text, where `Decimal` takes the beginning.
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }), Double(text) != nil else { return nil }
    self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
    if isNaN { return nil }
  }
  /// The digits.
  package var text: String? { description }
  /// The texts that are read.
  package static var expectedText: String { "a number such as 12 or -1.5" }
}
