import KVCore

/// ANY, ALL or NONE of the values of an expression (FLT.9).
final class QuantifiedTest: PredicateProgram, @unchecked Sendable {  // guard: immutable
  private let quantifier: PredicateComparison.Quantifier
  private let left: ExpressionProgram
  /// The collection and the key of its elements, if the path may be read element by element.
  private let split: (collection: ScalarReader, key: ScalarReader)?
  private let right: ExpressionProgram
  private let matcher: Matcher
  /// The policy that limits the elements that IN visits (SEC.6).
  private let policy: PathPolicy?

  init(_ comparison: PredicateComparison, _ left: ExpressionProgram, _ right: ExpressionProgram, _ matcher: Matcher) {
    quantifier = comparison.quantifier ?? .any
    self.left = left
    self.right = right
    self.matcher = matcher
    split = Self.split(comparison.left)
    let policies = matcher.operator == .isIn ? [comparison.left.policy, comparison.right.policy] : []
    policy = policies.compactMap { $0 }.min { $0.elementLimit < $1.elementLimit }
  }

  private static func split(_ node: ExpressionNode) -> (ScalarReader, ScalarReader)? {
    guard case .keyPath(let path) = node, !path.hasOperator, let collection = path.parent,
      case .key(let key) = path.last,
      key != "self", let last = try? path.part([path.last])
    else { return nil }
    return (ScalarReader(path: collection), ScalarReader(path: last))
  }

  override func test(_ frame: PredicateFrame) throws(KVError) -> Bool {
    let value: Scalar
    if let split {
      let collection = try frame.scalar(split.collection)
      // A collection of another type may have the key itself (COL.7).
      if case .other(let any) = collection, TypeInfo.of(any).kind == .ordered,
        let array = CollectionElements(of: any), let answer = try test(array, split.key, frame)
      {
        return answer
      }
      value = try self.value(of: split.key, in: collection, frame)
    } else {
      value = try left.value(frame)
    }
    if value.isNil { return quantifier != .any }
    guard let collection = value.collection else {
      throw KVError(
        .typeMismatch,
        "\(quantifier.rawValue) needs a collection, and found \(describe(asAny(value.any))); leave \(quantifier.rawValue) out."
      )
    }
    let operand = try operand(frame, isNeeded: collection.count > 0)
    return try search(collection, operand, frame.visits, searches(frame), depth: 1) == (quantifier == .any)
  }

  /// Returns what counts the elements that IN compares for each value; nil for other operators.
  private func searches(_ frame: PredicateFrame) -> VisitCount? {
    matcher.operator == .isIn ? frame.visits ?? VisitCount(policy) : nil
  }

  /// Returns the value of the right side, prepared once for all elements; nil if it is a constant, or not needed.
  private func operand(_ frame: PredicateFrame, isNeeded: @autoclosure () -> Bool) throws(KVError) -> ConstantOperand? {
    !matcher.hasConstant && isNeeded() ? try matcher.operand(try right.value(frame)) : nil
  }

  /// Returns the values of the key of a collection that has been read; a failure is that of the whole path.
  private func value(of key: ScalarReader, in collection: Scalar, _ frame: PredicateFrame) throws(KVError) -> Scalar {
    guard let any = collection.any else { return .none }
    do throws(KVError) { return try key.scalar(in: any) } catch { return try left.value(frame) }
  }

  /// Tests a key of the objects of an array; nil if the array has other elements, or values are collections.
  private func test(
    _ array: CollectionElements, _ key: ScalarReader, _ frame: PredicateFrame
  ) throws(KVError) -> Bool? {
    let searches = searches(frame)
    var (isFound, hasCollections, index) = (false, false, 0)
    var operand: ConstantOperand?
    var failure: KVError?
    let isComplete = array.allObjects { object in
      if index == 0 {
        do throws(KVError) {
          operand = try self.operand(frame, isNeeded: true)
          try frame.visits?.add(array.count)
        } catch {
          failure = error
          return false
        }
      }
      do throws(KVError) {
        if let isMatch = matcher.testNumber(key, of: object) {
          isFound = isMatch != (quantifier == .all)
          index += 1
          return !isFound
        }
        let value = try key.scalar(of: object)
        if value.collection != nil {
          hasCollections = true
        } else {
          isFound = try matches(value, operand, searches) != (quantifier == .all)
        }
      } catch {
        failure = error.ofElement(index, isOrdered: true)
      }
      index += 1
      return !isFound && !hasCollections && failure == nil
    }
    if let failure { throw failure }
    return isComplete == nil || hasCollections ? nil : isFound == (quantifier == .any)
  }

  /// Whether some value decides: one that matches, for ALL one that does not.
  private func search(
    _ collection: CollectionElements, _ operand: ConstantOperand?, _ visits: VisitCount?, _ searches: VisitCount?,
    depth: Int
  ) throws(KVError) -> Bool {
    try Failure.checkNesting(depth - 1, limit: Limits.nestedCalls, at: quantifier.rawValue)
    var isFound = false
    try collection.forEach { element throws(KVError) in
      if isFound { return }
      if let visits {
        try visits.add(1)
        if let operand { try visits.add(operand.value) }
      }
      let value = Scalar(element)
      if let inner = value.collection {
        isFound = try search(inner, operand, visits, searches, depth: depth + 1)
      } else {
        isFound = try matches(value, operand, searches) != (quantifier == .all)
      }
    }
    return isFound
  }

  @inline(__always)
  private func matches(
    _ value: Scalar, _ operand: ConstantOperand?, _ searches: VisitCount?
  ) throws(KVError) -> Bool {
    if let operand { return try matcher.test(value, operand, searches) }
    return try matcher.testConstant(value, searches)
  }
}
