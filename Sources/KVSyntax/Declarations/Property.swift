/// A property that a type's own declaration lists.
package struct Property: Equatable, Sendable {
  /// The name, without backticks.
  package let name: String
  /// The name as the source writes it, with backticks if it has any.
  package let writtenName: String
  /// Whether it is declared by `let`.
  package let isConstant: Bool
  package let attributes: [Attribute]
  /// The modifiers as they are written: `private(set)`, `weak`, `static`.
  package let modifiers: [String]
  /// The type as it is written, or nil if it is inferred.
  package let type: String?
  /// The initial value as it is written.
  package let initialValue: String?
  /// The accessors in braces after the type and the initial value.
  package let accessors: Accessors
  /// Whether the name is one of several in a pattern, `var (x, y) = point`, which have their type and value in common.
  package let isDestructured: Bool
  /// Whether the declaration has further names: `var a = 1, b = 2`.
  package let sharesDeclaration: Bool
  /// Where the declaration begins in the source, with its attributes, in UTF-8.
  package let start: Int
  /// The place of the name in the source, in UTF-8.
  package let nameRange: Range<Int>

  /// Whether the property has storage: it has no getter.
  package var isStored: Bool { accessors.getter == nil }

  /// Whether the property belongs to the type rather than to its instances.
  package var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }

  /// Returns whether the property has a modifier, whatever its argument: `has("unowned")`.
  package func has(_ modifier: String) -> Bool {
    modifiers.contains { $0 == modifier || $0.hasPrefix(modifier + "(") }
  }
}
