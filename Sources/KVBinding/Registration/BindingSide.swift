/// The sides of a binding.
package enum BindingSide: Sendable {
  case source, target

  var other: BindingSide { self == .source ? .target : .source }
}
