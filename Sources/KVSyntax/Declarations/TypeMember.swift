/// A member of a type that the scanner reports, in the order of the source.
package enum TypeMember: Equatable, Sendable {
  case property(Property)
  /// A line of conditional compilation: `#if DEBUG`, `#else`, `#endif`.
  case condition(String)
  /// A type within the type: its name, without backticks.
  case type(String)
  /// A function: its name, without backticks, its modifiers, and the place of its generic parameters and its parameters in
  /// the source, in UTF-8.
  case function(String, modifiers: [String], signature: Range<Int>)
}
