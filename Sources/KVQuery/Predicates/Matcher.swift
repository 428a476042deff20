import KVCore

/// The operator of a comparison, applied to two values (FLT.5–8).
///
/// A class, since a program passes it for each value.
final class Matcher: @unchecked Sendable {  // guard: immutable, or locked
  typealias Operator = PredicateComparison.Operator

  let `operator`: Operator
  private let options: KVTextOptions
  /// The comparison, for messages.
  private let comparison: PredicateComparison
  private let constant: ConstantOperand?
  /// The regular expressions that values have been matched with, by their texts.
  private let expressions = Locked<[String: TextPattern]>([:])
  private static let maximumExpressions = 64

  /// Creates the matcher of a comparison.
  ///
  /// - Throws: ``KVError`` (`invalidPredicate`) for a malformed regular expression.
  init(_ comparison: PredicateComparison) throws(KVError) {
    self.comparison = comparison
    `operator` = comparison.operator
    options = comparison.options
    if case .constant(let value) = comparison.right {
      constant = try ConstantOperand(value.map { $0 as Any }, comparison.operator, comparison.options)
    } else {
      constant = nil
    }
  }

  /// Whether the right side is a constant.
  var hasConstant: Bool { constant != nil }
  /// The pattern with which texts are compared, if the right side is a constant text.
  var constantPattern: TextPattern? { constant?.pattern }

  /// Returns the value of the right side, prepared for many values on the left; a regular expression is kept (FLT.20).
  func operand(_ right: Scalar) throws(KVError) -> ConstantOperand {
    try ConstantOperand(right.any, `operator` == .matches ? .between : `operator`, options)
  }

  /// Whether a value matches the constant on the right side.
  @inline(__always)
  func testConstant(_ left: Scalar, _ searches: VisitCount? = nil) throws(KVError) -> Bool {
    guard let constant else { return try test(left, .none) }
    return try test(left, constant, searches)
  }

  /// Whether a value matches a prepared one.
  ///
  /// - Parameter searches: Counts the elements with which IN compares the value, if they are not found by hashing.
  @inline(__always)
  func test(_ left: Scalar, _ constant: ConstantOperand, _ searches: VisitCount? = nil) throws(KVError) -> Bool {
    if let pattern = constant.pattern {
      if case .text(let text) = left { return try pattern.matches(text) }
    } else if let answer = constant.test(left, `operator`) {
      return answer
    }
    if let members = constant.members, let isMember = members.contains(left.plain, options) {
      return isMember
    }
    if let searches { try searches.add(searched: constant.value) }
    return try test(left, constant.value)
  }

  /// Whether the number of a key of an object matches the constant number on the right side; nil if that needs a closer look,
  /// before which no getter was called.
  @inline(__always)
  func testNumber(_ key: ScalarReader, of object: AnyObject) -> Bool? {
    constant.flatMap { $0.test(key, of: object, `operator`) }
  }

  /// Whether two values match.
  func test(_ left: Scalar, _ right: Scalar) throws(KVError) -> Bool {
    switch `operator` {
    case .equal: return areEqual(left, right)
    case .notEqual: return !areEqual(left, right)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return try isOrdered(left, right, `operator`)
    case .beginsWith, .endsWith, .like, .matches:
      if left.isNil || right.isNil { return false }
      guard let text = left.text, let pattern = right.text else { throw mismatch(left, right) }
      return try self.pattern(pattern).matches(text)
    case .contains: return try contains(left, right)
    case .isIn: return try contains(right, left)
    case .between:
      if left.isNil || right.isNil { return false }
      guard let bounds = right.collection, bounds.areOrdered else { throw mismatch(left, right) }
      guard bounds.count == 2 else {
        throw KVError(
          .typeMismatch, "BETWEEN needs two bounds and found \(bounds.count): \(text).", component: text)
      }
      guard try isOrdered(Scalar(bounds[0]), left, .lessOrEqual) else { return false }
      return try isOrdered(left, Scalar(bounds[1]), .lessOrEqual)
    }
  }

  /// Returns the pattern for a text; a regular expression is compiled once, unless it is used with many others (FLT.20).
  func pattern(_ text: String) throws(KVError) -> TextPattern {
    guard `operator` == .matches else { return try TextPattern(`operator`, text, options) }
    if let known = expressions.withLock({ $0[text] }) { return known }
    let pattern = try TextPattern(`operator`, text, options)
    expressions.withLock { expressions in
      if expressions.count >= Self.maximumExpressions { expressions.removeAll(keepingCapacity: true) }
      expressions[text] = pattern
    }
    return pattern
  }

  private func areEqual(_ left: Scalar, _ right: Scalar) -> Bool {
    if !options.isEmpty, let left = left.text, let right = right.text {
      return TextFolding.fold(left, options) == TextFolding.fold(right, options)
    }
    return Scalar.areEqual(left, right)
  }

  private func isOrdered(_ left: Scalar, _ right: Scalar, _ operator: Operator) throws(KVError) -> Bool {
    if left.isNil || right.isNil {
      return left.isNil && right.isNil && (`operator` == .lessOrEqual || `operator` == .greaterOrEqual)
    }
    if !options.isEmpty, let left = left.text, let right = right.text {
      return `operator`.isSatisfied(
        by: KVOrdering(texts: TextFolding.fold(left, options), TextFolding.fold(right, options)))
    }
    guard let ordering = Scalar.compare(left, right) else {
      // NaN is neither less nor greater than a number.
      if Scalar.haveNaN(left, right) { return false }
      throw mismatch(left, right)
    }
    return `operator`.isSatisfied(by: ordering)
  }

  /// Whether a collection has a member, or a text a part.
  private func contains(_ container: Scalar, _ member: Scalar) throws(KVError) -> Bool {
    if container.isNil { return false }
    if let text = container.text {
      if member.isNil { return false }
      guard let part = member.text else { throw mismatch(container, member) }
      return try TextPattern(.contains, part, options).matches(text)
    }
    guard let collection = container.collection else {
      throw `operator` == .isIn ? mismatch(member, container) : mismatch(container, member)
    }
    // The member is folded once, not for each element.
    let wanted = options.isEmpty ? nil : member.text.map { TextFolding.fold($0, options) }
    var isFound = false
    try collection.forEach { element throws(KVError) in
      if isFound { return }
      let element = Scalar(element)
      if let wanted, let text = element.text {
        isFound = TextFolding.fold(text, options) == wanted
      } else {
        isFound = Scalar.areEqual(element, member)
      }
    }
    return isFound
  }

  // MARK: Failures

  private var text: String { PredicateWriter(.comparison(comparison)).text }

  private func mismatch(_ left: Scalar, _ right: Scalar) -> KVError {
    let text = text
    return KVError(
      .typeMismatch,
      """
      \(describe(asAny(left.any))) and \(describe(asAny(right.any))) cannot be compared by \(`operator`.rawValue): \
      \(shortened(text)).\(hint(left, right))
      """, component: text)
  }

  /// Returns how values that cannot be compared could be; empty if nobody knows.
  private func hint(_ left: Scalar, _ right: Scalar) -> String {
    if left.text == nil, left.collection != nil, comparison.quantifier == nil {
      return " Elements are compared by ANY or ALL, as in ANY \(shortened(text))."
    }
    for (text, other) in [(left, right), (right, left)] where text.text != nil {
      guard let type = other.any.map({ type(of: $0) }), PredicateCast.makesConstants(typeName(type)) else { continue }
      return " Pass \(withArticle(type)) as an argument of %@, or write CAST('…', '\(typeName(type))')."
    }
    return ""
  }
}

/// The right side of a comparison, prepared for many values on the left.
final class ConstantOperand: @unchecked Sendable {  // guard: immutable; only one of a constant is shared
  /// Members of one type, found by hashing.
  enum Members {
    case integers(Set<Int>)
    /// Folded texts.
    case texts(Set<String>)
    /// Numbers, texts and nil; texts only if nothing is ignored.
    case mixed(Set<ValueIdentity>)

    init?(_ elements: [Any?], _ options: KVTextOptions) {
      let elements = elements.map { Scalar($0).plain }
      let integers = elements.compactMap { if case .integer(let value) = $0 { value } else { nil } }
      let texts = elements.compactMap { if case .text(let value) = $0 { value } else { nil } }
      if integers.count == elements.count {
        self = .integers(Set(integers))
      } else if texts.count == elements.count {
        self = .texts(Set(texts.map { TextFolding.fold($0, options) }))
      } else {
        var identities: Set<ValueIdentity> = []
        for element in elements {
          guard let identity = Self.identity(of: element, options) else { return nil }
          // NaN equals nothing.
          if identity == identity { identities.insert(identity) }
        }
        self = .mixed(identities)
      }
    }

    private static func identity(of value: Scalar, _ options: KVTextOptions) -> ValueIdentity? {
      switch value {
      case .none: ValueIdentity.none
      case .text where !options.isEmpty, .other: nil
      case .bool, .integer, .floating, .text: value.any.flatMap { ValueIdentity(of: $0) }
      }
    }

    /// Whether a value is a member; nil if hashing does not tell.
    @inline(__always)
    func contains(_ value: Scalar, _ options: KVTextOptions) -> Bool? {
      switch (self, value) {
      case (.integers(let members), .integer(let value)): members.contains(value)
      case (.texts(let members), .text(let value)): members.contains(TextFolding.fold(value, options))
      case (.mixed(let members), _): Self.identity(of: value, options).map(members.contains)
      default: nil
      }
    }
  }

  let value: Scalar
  let pattern: TextPattern?
  /// The value, if it is a number that the operator compares: as an `Int` and as a `Double`, unless there is none that
  /// equals it.
  private let numbers: (integer: Int?, floating: Double?)
  let members: Members?

  init(_ any: Any?, _ operator: PredicateComparison.Operator, _ options: KVTextOptions) throws(KVError) {
    value = Scalar(any)
    let isOfNumbers = Self.test(0, 0, `operator`) != nil
    switch value {
    case .integer(let value) where isOfNumbers: numbers = (value, Double(exactly: value))
    case .floating(let value) where isOfNumbers: numbers = (Int(exactly: value), value)
    default: numbers = (nil, nil)
    }
    var members: Members?
    var pattern: TextPattern?
    switch `operator` {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual, .beginsWith, .endsWith, .contains, .like,
      .matches:
      if let text = value.text { pattern = try TextPattern(`operator`, text, options) }
    case .isIn:
      members = try value.collection.flatMap { elements throws(KVError) in Members(try elements.all(), options) }
    case .between: break
    }
    self.members = members
    self.pattern = pattern
  }

  /// Compares a number with a constant number; nil for other values.
  @inline(__always)
  func test(_ left: Scalar, _ operator: PredicateComparison.Operator) -> Bool? {
    switch left {
    case .integer(let value): numbers.integer.flatMap { Self.test(value, $0, `operator`) }
    case .floating(let value): numbers.floating.flatMap { Self.test(value, $0, `operator`) }
    default: nil
    }
  }

  /// Compares the number of a key of an object with a constant number; nil, without a call of the getter, for other values.
  @inline(__always)
  func test(_ key: ScalarReader, of object: AnyObject, _ operator: PredicateComparison.Operator) -> Bool? {
    if let right = numbers.floating, let left = key.floating(of: object) {
      return Self.test(left, right, `operator`)
    }
    if let right = numbers.integer, let left = key.integer(of: object) {
      return Self.test(left, right, `operator`)
    }
    return nil
  }

  @inline(__always)
  private static func test<Number: Comparable>(
    _ left: Number, _ right: Number, _ operator: PredicateComparison.Operator
  ) -> Bool? {
    switch `operator` {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    default: nil
    }
  }
}
