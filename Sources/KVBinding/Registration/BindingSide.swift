/// The sides of a binding.
enum BindingSide: Sendable {
  case source, target

  var other: BindingSide { self == .source ? .target : .source }
}
