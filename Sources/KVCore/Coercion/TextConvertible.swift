/// A type whose values can be written as text and read from it, for lenient keys (CO.5).
///
/// The types of Foundation conform in KVFoundation. Numbers, `Bool`, enums and types of the standard library need no
/// conformance.
package protocol TextConvertible {
  /// Creates the value that a text stands for, or `nil` if it stands for none.
  ///
  /// - Parameter text: The text, independent of the locale.
  init?(text: String)
  /// The text of the value, from which ``init(text:)`` creates an equal value; nil if it has none.
  var text: String? { get }
  /// The texts that ``init(text:)`` takes, for messages.
  static var expectedText: String { get }
}
