/// An attribute of a declaration: `@KVKey(.lenient)`.
package struct Attribute: Equatable, Sendable {
  /// The name without the at sign: `KVKey`, `Swift.available`.
  package let name: String
  /// The arguments with their parentheses, or nil.
  package let arguments: String?
  /// The place of the attribute in the source, in UTF-8.
  package let range: Range<Int>
}
