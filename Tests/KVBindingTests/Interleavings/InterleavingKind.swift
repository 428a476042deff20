/// What is registered: a path, who ends it, and options.
struct InterleavingKind: Hashable, Sendable {
  /// The key path: `next.name` and `label` of the root, or `text` of the view.
  enum Path: Int, CaseIterable, Sendable { case name, label, text }

  var path = Path.name
  /// Whether an owner ends the registration, and not its token.
  var hasOwner = false
  var isCoalesced = false
  var isDistinct = false
  var hasPrior = false
  var hasInitial = false

  /// All of them.
  static let all: [InterleavingKind] = (0..<96).map { number in
    InterleavingKind(
      path: Path.allCases[number % 3], hasOwner: (number / 3) & 1 != 0, isCoalesced: (number / 6) & 1 != 0,
      isDistinct: (number / 12) & 1 != 0, hasPrior: (number / 24) & 1 != 0, hasInitial: (number / 48) & 1 != 0)
  }
}

extension InterleavingKind {
  /// The registration as an expression.
  var script: String {
    let (object, key) =
      switch path {
      case .name: ("root", "next.name")
      case .label: ("root", "label")
      case .text: ("view", "text")
      }
    let flags = [
      (isCoalesced, ".coalesced"), (isDistinct, ".distinct"), (hasPrior, ".prior"), (hasInitial, ".initial"),
    ]
    let options = ([".old", ".new"] + flags.filter(\.0).map(\.1)).joined(separator: ", ")
    return "try \(object).observe(\"\(key)\", options: [\(options)]\(hasOwner ? ", owner: owner" : "")) { … }"
  }
}
