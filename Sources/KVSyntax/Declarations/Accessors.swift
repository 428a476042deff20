/// The accessors of a property: the braces behind its type and initial value.
package struct Accessors: Equatable, Sendable {
  /// The part of the tokens that computes the value; nil if the property is stored.
  package var getter: Range<Int>?
  /// Whether the getter is `async` or `throws`.
  package var getterHasEffects = false
  package var hasSetter = false
  package var hasInitAccessor = false
  /// Whether the property has `willSet` or `didSet`.
  package var hasObservers: Bool { !observers.isEmpty }
  /// The tokens of their bodies.
  package var observers: [Range<Int>] = []
  /// The tokens of the braces, with them; nil if there are none.
  package var braces: Range<Int>?

  /// No accessors: a stored property.
  package init() {}
}
