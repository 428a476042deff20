import KVCore

/// A compiled predicate, or a part of one: the same for values of any type, since a path caches how it reads the type
/// that it met last (FLT.20).
class PredicateProgram: @unchecked Sendable {  // guard: subclasses are immutable
  /// Whether the frame's value passes.
  func test(_ frame: PredicateFrame) throws(KVError) -> Bool { true }

  /// Whether an object passes, without variables; most objects that are filtered need no frame.
  func test(object: AnyObject) throws(KVError) -> Bool { try test(PredicateFrame(borrowing: object)) }
}

final class ConstantTest: PredicateProgram, @unchecked Sendable {  // guard: immutable
  private let value: Bool

  init(_ value: Bool) { self.value = value }

  override func test(_ frame: PredicateFrame) throws(KVError) -> Bool { value }
}

final class NotTest: PredicateProgram, @unchecked Sendable {  // guard: immutable
  private let inner: PredicateProgram

  init(_ inner: PredicateProgram) { self.inner = inner }

  override func test(_ frame: PredicateFrame) throws(KVError) -> Bool { try !inner.test(frame) }
}

/// A predicate that is deep in another one, and asks whether the stack has room.
final class GuardedTest: PredicateProgram, @unchecked Sendable {  // guard: immutable
  private let inner: PredicateProgram

  init(_ inner: PredicateProgram) { self.inner = inner }

  override func test(_ frame: PredicateFrame) throws(KVError) -> Bool {
    try PredicateCompiler.checkStack()
    return try inner.test(frame)
  }
}

final class ClosureTest: PredicateProgram, @unchecked Sendable {  // guard: immutable
  private let closure: PredicateClosure

  init(_ closure: PredicateClosure) { self.closure = closure }

  override func test(_ frame: PredicateFrame) throws(KVError) -> Bool {
    do { return try closure.body(frame.subject) } catch let error as KVError { throw error } catch {
      throw KVError(.custom, "the closure of the predicate failed: \(error).", underlying: error)
    }
  }
}

/// An integer of a path, compared with a constant.
final class IntegerTest: PredicateProgram, @unchecked Sendable {  // guard: immutable
  private let reader: ScalarReader
  private let constant: Int
  private let matcher: Matcher

  init(_ path: KVKeyPath, _ constant: Int, _ matcher: Matcher) {
    reader = ScalarReader(path: path)
    self.constant = constant
    self.matcher = matcher
  }

  override func test(_ frame: PredicateFrame) throws(KVError) -> Bool {
    guard let value = frame.integer(reader), let answer = test(value) else { return try slowTest(frame) }
    return answer
  }

  override func test(object: AnyObject) throws(KVError) -> Bool {
    guard let value = reader.integer(of: object), let answer = test(value) else {
      return try slowTest(PredicateFrame(borrowing: object))
    }
    return answer
  }

  @inline(__always)
  private func test(_ value: Int) -> Bool? {
    switch matcher.operator {
    case .equal: return value == constant
    case .notEqual: return value != constant
    case .less: return value < constant
    case .lessOrEqual: return value <= constant
    case .greater: return value > constant
    case .greaterOrEqual: return value >= constant
    default: return nil
    }
  }

  @inline(never)
  private func slowTest(_ frame: PredicateFrame) throws(KVError) -> Bool {
    let value = try frame.scalar(reader)
    if case .integer(let integer) = value, let answer = test(integer) { return answer }
    return try matcher.test(value, .integer(constant))
  }
}

/// Two expressions, compared by any operator.
final class ComparisonTest: PredicateProgram, @unchecked Sendable {  // guard: immutable
  private let left: ExpressionProgram
  private let right: ExpressionProgram
  private let matcher: Matcher

  init(_ left: ExpressionProgram, _ right: ExpressionProgram, _ matcher: Matcher) {
    self.left = left
    self.right = right
    self.matcher = matcher
  }

  override func test(_ frame: PredicateFrame) throws(KVError) -> Bool {
    let value = try left.value(frame)
    if matcher.hasConstant {
      if let visits = frame.visits {
        try visits.add(value)
        if matcher.operator == .contains { try visits.add(searched: value) }
      }
      return try matcher.testConstant(value, frame.visits)
    }
    let operand = try right.value(frame)
    if let visits = frame.visits {
      try visits.add(value)
      try visits.add(operand)
      if matcher.operator == .isIn { try visits.add(searched: operand) }
      if matcher.operator == .contains { try visits.add(searched: value) }
    }
    return try matcher.test(value, operand)
  }
}
