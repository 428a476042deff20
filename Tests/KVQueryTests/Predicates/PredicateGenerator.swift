import TestModels

@testable import KVCore
@testable import KVQuery

/// Makes seeded predicates and elements.
struct PredicateGenerator {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  private mutating func pick<T>(_ values: [T]) -> T { values[generator.below(values.count)] }

  // MARK: Predicates

  mutating func predicate(_ depth: Int, in scope: [String] = []) -> PredicateNode {
    switch generator.below(depth > 0 ? 6 : 2) {
    case 2: return .all((0..<2 + generator.below(2)).map { _ in predicate(depth - 1, in: scope) })
    case 3: return .any((0..<2 + generator.below(2)).map { _ in predicate(depth - 1, in: scope) })
    case 4: return .negating(predicate(depth - 1, in: scope))
    default: return .comparison(comparison(depth, scope))
    }
  }

  private mutating func comparison(_ depth: Int, _ scope: [String]) -> PredicateComparison {
    let quantifier: PredicateComparison.Quantifier? =
      generator.below(5) == 0 ? pick([PredicateComparison.Quantifier.any, .all, .none]) : nil
    let operators: [PredicateComparison.Operator] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith, .contains, .like,
      .isIn, .between,
      .matches, .equal, .less, .greaterOrEqual,
    ]
    let chosen = pick(operators)
    let options = KVTextOptions(rawValue: generator.below(3) == 0 ? generator.below(4) : 0)
    // Most comparisons are of one kind, as those of a program.
    let kind = generator.below(4)
    let left = quantifier == nil ? expression(depth, scope, kind) : collection(depth, scope)
    var right = expression(depth, scope, generator.below(8) == 0 ? generator.below(4) : kind)
    switch chosen {
    case .between: right = .list([expression(0, scope, kind), expression(0, scope, kind)])
    case .isIn: right = generator.below(3) == 0 ? collection(depth, scope) : .constant(constants(kind))
    case .contains where generator.below(2) == 0:
      return PredicateComparison(
        quantifier: quantifier, left: collection(depth, scope), operator: chosen, options: options, right: right)
    case .matches: right = .constant(pick(["a.*", "[a-zé]+", ".", ""]))
    case .beginsWith, .endsWith, .like: right = .constant(text())
    default: break
    }
    return PredicateComparison(quantifier: quantifier, left: left, operator: chosen, options: options, right: right)
  }

  private mutating func constants(_ kind: Int) -> [(any Sendable)?] {
    (0..<generator.below(5)).map { _ in kind == 0 ? text() : kind == 1 ? integer() : constant() }
  }

  private mutating func text() -> String {
    generator.below(4) == 0 ? "\(pick(["a", "*", "?", "A"]))*" : TestTexts.random(&generator)
  }
  private mutating func integer() -> Int { generator.below(16) - 4 }

  private mutating func constant() -> (any Sendable)? {
    switch generator.below(6) {
    case 0: nil
    case 1: Double(generator.below(20)) / 2 - 3
    case 2: generator.below(2) == 0
    case 3: text()
    default: integer()
    }
  }

  /// Returns an expression: 0 for texts, 1 and 2 for numbers, 3 for anything.
  private mutating func expression(_ depth: Int, _ scope: [String], _ kind: Int) -> ExpressionNode {
    if depth > 0, generator.below(3) == 0 { return computed(depth - 1, scope, kind) }
    if generator.below(3) == 0 { return .constant(kind == 0 ? text() : kind == 3 ? constant() : integer()) }
    if let variable = scope.last, generator.below(2) == 0 {
      return .path(.variable(variable), pick(["length", "studio"]))
    }
    switch kind {
    case 0: return .keyPath(pick(["title", "notes", "mood", "artist.name", "tags[0]"]))
    case 1, 2:
      return .keyPath(pick(["year", "rating", "isLive", "rank", "extras.bonus", "size.width", "takes.@count"]))
    default: return .keyPath(pick(["year", "title", "rating", "notes", "tags", "takes.@sum.length", "artist.name"]))
    }
  }

  private mutating func computed(_ depth: Int, _ scope: [String], _ kind: Int) -> ExpressionNode {
    if kind == 0 {
      switch generator.below(3) {
      case 0: return .function("lowercase", [expression(depth, scope, 0)])
      case 1: return .element(.keyPath("tags"), pick([.first, .last]))
      default: return .ternary(predicate(depth, in: scope), expression(depth, scope, 0), expression(depth, scope, 0))
      }
    }
    switch generator.below(7) {
    case 0: return .function("length", [expression(depth, scope, 0)])
    case 1: return .function(pick(["sum", "max"]), [.keyPath("takes.length")])
    case 2: return .function("count", [collection(depth, scope)])
    case 3: return .element(collection(depth, scope), .size)
    case 4: return .path(subquery(depth, scope), "@count")
    case 5: return .function("abs", [expression(depth, scope, 1)])
    default:
      let name = pick(["add:to:", "from:subtract:", "multiply:by:", "divide:by:"])
      return .function(name, [expression(depth, scope, 1), expression(depth, scope, 1)])
    }
  }

  private mutating func collection(_ depth: Int, _ scope: [String]) -> ExpressionNode {
    if depth > 0, generator.below(5) == 0 { return subquery(depth - 1, scope) }
    return .keyPath(pick(["tags", "takes.length", "takes.studio", "artist.albums", "extras", "tags", "takes.length"]))
  }

  private mutating func subquery(_ depth: Int, _ scope: [String]) -> ExpressionNode {
    let variable = "v\(scope.count)"
    return .subquery(.keyPath("takes"), variable: variable, predicate(depth, in: scope + [variable]))
  }

  // MARK: Elements

  /// Returns an object, or a dictionary with the same keys.
  mutating func element() -> Any {
    let song = Song(TestTexts.random(&generator), generator.below(12) - 2)
    song.rating = pick([nil, .nan, 2.5, 4, -1])
    song.isLive = generator.below(2) == 0
    song.notes = generator.below(2) == 0 ? nil : TestTexts.random(&generator)
    song.tags = (0..<1 + generator.below(3)).map { _ in TestTexts.random(&generator) }
    song.takes = (0..<generator.below(4)).map { _ in
      Take(generator.below(10), generator.below(2) == 0 ? nil : TestTexts.random(&generator))
    }
    song.artist = generator.below(3) == 0 ? nil : Artist(TestTexts.random(&generator))
    song.artist?.albums = [["a", TestTexts.random(&generator)], []]
    song.mood = pick([.calm, .wild])
    song.rank = pick([.low, .high])
    song.extras = generator.below(2) == 0 ? [:] : ["bonus": generator.below(5)]
    guard generator.below(3) == 0 else { return song }
    var entries: [String: Any] = [
      "title": song.title, "year": song.year, "isLive": song.isLive, "tags": song.tags, "extras": song.extras,
      "size": song.size,
      "takes": song.takes, "mood": song.mood, "rank": song.rank,
    ]
    entries["rating"] = song.rating
    entries["notes"] = song.notes
    entries["artist"] = song.artist
    return entries
  }
}
