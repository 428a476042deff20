import KVCore

/// A path that a reader follows, and what it met on the way.
struct JSONExcerptPath {
  /// The step of a component from a value.
  enum Step {
    /// The member of an object, or of each element of an array.
    case name(String)
    /// The element of an array.
    case index(Int)
    /// Each element, from which the next component reads.
    case elements
    /// The number of elements.
    case count
    /// All of it.
    case everything
  }

  /// How many names beside a member are kept: messages name a few, and the nearest.
  static let maximumNames = 10_000

  private let components: [KVKeyPath.Component]
  /// The index of the first component that was not followed.
  var reached = 0
  /// For each component, the names of other members, until its own is found; nil from then on.
  private(set) var names: [Set<String>?]

  init(_ path: KVKeyPath) {
    components = path.components
    names = Array(repeating: [], count: path.count)
  }

  func step(_ index: Int) -> Step {
    guard index < components.count else { return .everything }
    switch components[index] {
    case .key("self"): return .everything
    case .key(let name), .entry(let name): return .name(name)
    case .index(let index): return .index(index)
    case .operator("count", argument: nil) where index + 1 == components.count && !isAfterOperator(index):
      return .count
    case .operator(let name, argument: nil) where Self.operators.contains(name): return .elements
    case .operator: return .everything
    }
  }

  /// Whether an operator before a component makes its collection, whose elements are not those of the document.
  private func isAfterOperator(_ index: Int) -> Bool {
    guard index > 0, case .operator(let name, _) = components[index - 1] else { return false }
    return name != "self"
  }

  /// The operators that read nothing of the elements but what the rest of the path does.
  private static let operators: Set<String> = [
    "sum", "avg", "min", "max", "unionOfObjects", "distinctUnionOfObjects", "unionOfArrays", "distinctUnionOfArrays",
    "unionOfSets", "distinctUnionOfSets", "self", "firstObject", "lastObject",
  ]

  mutating func find(_ index: Int) { if names[index] != nil { names[index] = nil } }

  mutating func note(_ name: String, beside index: Int) {
    guard let count = names[index]?.count, count < Self.maximumNames else { return }
    names[index]?.insert(name)
  }
}
