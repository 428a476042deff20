/// What a predicate is evaluated with: the value, and the variables.
struct PredicateFrame {
  /// The value if it is an object; else a placeholder.
  let object: AnyObject
  /// The value if it is no object; nil also for nil.
  let value: Any?
  let isObject: Bool
  let variables: [String: Scalar]

  init(_ object: AnyObject, _ variables: [String: Scalar]) {
    self.object = object
    value = nil
    isObject = true
    self.variables = variables
  }

  init(_ any: Any?, _ variables: [String: Scalar]) {
    self.variables = variables
    if let any = any.flatMap(unwrappingOptionals) {
      isObject = TypeInfo.of(any).isObject
      object = isObject ? KVCore.object(in: any) : noObject
      value = isObject ? nil : any
    } else {
      (object, value, isObject) = (noObject, nil, false)
    }
  }

  private init(_ frame: PredicateFrame, _ variables: [String: Scalar]) {
    object = frame.object
    value = frame.value
    isObject = frame.isObject
    self.variables = variables
  }

  /// Returns the frame with another variable.
  func with(_ name: String, _ value: Scalar) -> PredicateFrame {
    var variables = variables
    variables[name] = value
    return PredicateFrame(self, variables)
  }

  /// The value; nil for nil.
  var subject: Any? { isObject ? object : value }
}

/// A compiled predicate, or a part of one: the same for values of any type, since a path caches how it reads the type
/// that it met last (FLT.20).
class PredicateProgram: @unchecked Sendable {  // guard: subclasses are immutable
  /// Whether the frame's value passes.
  func test(_ frame: PredicateFrame) throws(KVError) -> Bool { true }
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

/// AND or OR: evaluates parts until one decides.
final class ListTest: PredicateProgram, @unchecked Sendable {  // guard: immutable
  private let parts: [PredicateProgram]
  /// What a part returns that decides.
  private let decisive: Bool

  init(_ parts: [PredicateProgram], decisive: Bool) {
    self.parts = parts
    self.decisive = decisive
  }

  override func test(_ frame: PredicateFrame) throws(KVError) -> Bool {
    for part in parts where try part.test(frame) == decisive { return decisive }
    return !decisive
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
    guard frame.isObject, let value = reader.integer(of: frame.object) else { return try slowTest(frame) }
    switch matcher.operator {
    case .equal: return value == constant
    case .notEqual: return value != constant
    case .less: return value < constant
    case .lessOrEqual: return value <= constant
    case .greater: return value > constant
    case .greaterOrEqual: return value >= constant
    default: return try slowTest(frame)
    }
  }

  @inline(never)
  private func slowTest(_ frame: PredicateFrame) throws(KVError) -> Bool {
    try matcher.test(try PathProgram.value(reader, frame), .integer(constant))
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
    if matcher.hasConstant { return try matcher.testConstant(value) }
    return try matcher.test(value, try right.value(frame))
  }
}
