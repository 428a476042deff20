import KVCore

/// A compiled expression.
class ExpressionProgram: @unchecked Sendable {  // guard: subclasses are immutable
  /// Returns the value of the expression.
  func value(_ frame: PredicateFrame) throws(KVError) -> Scalar { .none }
}

final class ConstantProgram: ExpressionProgram, @unchecked Sendable {  // guard: immutable; made of a Sendable value
  private let constant: Scalar

  init(_ constant: (any Sendable)?) { self.constant = Scalar(constant.map { $0 as Any }) }

  override func value(_ frame: PredicateFrame) throws(KVError) -> Scalar { constant }
}

/// An expression that is deep in another one or in a predicate, and asks whether the stack has room.
final class GuardedProgram: ExpressionProgram, @unchecked Sendable {  // guard: immutable
  fileprivate let inner: ExpressionProgram

  init(_ inner: ExpressionProgram) { self.inner = inner }

  override func value(_ frame: PredicateFrame) throws(KVError) -> Scalar {
    try PredicateCompiler.checkStack()
    return try inner.value(frame)
  }
}

extension ExpressionProgram {
  /// The program itself, without a question for the stack around it.
  var unguarded: ExpressionProgram { (self as? GuardedProgram)?.inner ?? self }
}

final class SubjectProgram: ExpressionProgram, @unchecked Sendable {  // guard: without state
  override func value(_ frame: PredicateFrame) throws(KVError) -> Scalar { Scalar(frame.subject) }
}

final class PathProgram: ExpressionProgram, @unchecked Sendable {  // guard: immutable
  fileprivate let path: KVKeyPath
  private let reader: ScalarReader
  /// Whether the path is one word on the right of a comparison, as a text whose quotes were forgotten.
  private let isWord: Bool

  init(_ path: KVKeyPath, mayBeText: Bool = false) {
    self.path = path
    reader = ScalarReader(path: path)
    isWord = mayBeText && path.count == 1
  }

  override func value(_ frame: PredicateFrame) throws(KVError) -> Scalar {
    do throws(KVError) { return try frame.scalar(reader) } catch {
      guard isWord, error.code == .undefinedKey, error.component == path.description, error.suggestion == nil else {
        throw error
      }
      throw error.curing(with: "Write a text in quotes: '\(path)'.")
    }
  }
}

final class VariableProgram: ExpressionProgram, @unchecked Sendable {  // guard: immutable
  private let name: String

  init(_ name: String) { self.name = name }

  override func value(_ frame: PredicateFrame) throws(KVError) -> Scalar {
    if let value = frame.variables[name] { return value }
    let known = frame.variables.keys.sorted()
    let suggestion = Suggestion.nearest(to: name, among: known)
    throw KVError(
      .undefinedKey,
      """
      the variable $\(name) has no value.\(Suggestion.question(suggestion)) Pass it to evaluate(with:variables:), or bind \
      it by with([\"\(name)\": …]).
      """, component: "$\(name)", knownKeys: known, suggestion: suggestion)
  }
}

/// A path from the value of an expression.
final class ContinuedProgram: ExpressionProgram, @unchecked Sendable {  // guard: immutable
  fileprivate let base: ExpressionProgram
  fileprivate let path: KVKeyPath
  private let reader: ScalarReader

  init(_ base: ExpressionProgram, _ path: KVKeyPath) {
    (self.base, self.path) = (base, path)
    reader = ScalarReader(path: path)
  }

  override func value(_ frame: PredicateFrame) throws(KVError) -> Scalar {
    guard let value = try base.value(frame).any else { return .none }
    return try reader.scalar(in: value)
  }
}

/// An element of the value of an expression, or the number of elements.
final class ElementProgram: ExpressionProgram, @unchecked Sendable {  // guard: immutable
  enum Index {
    case first, last, size
    case at(ExpressionProgram, PathPolicy?)
  }

  private let base: ExpressionProgram
  private let index: Index

  init(_ base: ExpressionProgram, _ index: Index) {
    self.base = base
    self.index = index
  }

  override func value(_ frame: PredicateFrame) throws(KVError) -> Scalar {
    guard let value = try base.value(frame).any else { return .none }
    switch index {
    case .size:
      guard let collection = CollectionElements(of: value) else {
        throw PredicateFunctions.mismatch(Scalar(value), "a collection")
      }
      return .integer(collection.count)
    case .first, .last:
      guard let array = CollectionElements(of: value), array.areOrdered else { throw Failure.notOrdered(0, value) }
      if array.count == 0 { return .none }
      if case .first = index { return Scalar(array[0]) }
      return Scalar(array[array.count - 1])
    case .at(let index, let policy):
      switch try index.value(frame).plain {
      case .none: return .none
      case .integer(let index):
        guard index >= 0 else {
          throw Failure.indexOutOfRange(index, count: DynamicCollection.count(of: value))
        }
        if let policy { try policy.checkElement(index, of: value) }
        return Scalar(try Reader.element(index, of: value))
      case .text(let key): return Scalar(try Reader.value(ofEntry: key, in: value))
      case let other: throw PredicateFunctions.mismatch(other, "an index")
      }
    }
  }
}

/// A path with brackets behind it, of which one has a computed index.
///
/// They belong to the last key of the path: behind the elements of a collection, each value of the key has its own (KVC.5).
final class SubscriptProgram: ExpressionProgram, @unchecked Sendable {  // guard: immutable, but for the last path
  enum Index {
    case constant(KVKeyPath.Component)
    case computed(ExpressionProgram)
  }

  private let base: ExpressionProgram?
  private let path: KVKeyPath
  private let indexes: [Index]
  /// The program for an index that no path can have.
  private let other: ExpressionProgram
  /// The path with the last indexes.
  private let last = Locked<([KVKeyPath.Component], ScalarReader)?>(nil)

  /// Creates the program of a path, or of one with brackets, with further brackets; nil for any other program.
  init?(_ program: ExpressionProgram, _ further: [Index], otherwise other: ExpressionProgram) {
    switch program.unguarded {
    case let program as PathProgram: (base, path, indexes) = (nil, program.path, further)
    case let program as ContinuedProgram: (base, path, indexes) = (program.base, program.path, further)
    case let program as SubscriptProgram:
      (base, path, indexes) = (program.base, program.path, program.indexes + further)
    default: return nil
    }
    self.other = other
  }

  override func value(_ frame: PredicateFrame) throws(KVError) -> Scalar {
    var components: [KVKeyPath.Component] = []
    for index in indexes {
      switch index {
      case .constant(let component): components.append(component)
      case .computed(let program):
        switch try program.value(frame).plain {
        case .none: return .none
        case .integer(let index) where index >= 0: components.append(.index(index))
        case .text(let key): components.append(.entry(key))
        default: return try other.value(frame)
        }
      }
    }
    let reader = try reader(components)
    guard let base else { return try frame.scalar(reader) }
    guard let value = try base.value(frame).any else { return .none }
    return try reader.scalar(in: value)
  }

  private func reader(_ components: [KVKeyPath.Component]) throws(KVError) -> ScalarReader {
    if let (known, reader) = last.withLock({ $0 }), known == components { return reader }
    let reader = ScalarReader(path: try path.part(path.components + components))
    last.withLock { $0 = (components, reader) }
    return reader
  }
}

final class ListProgram: ExpressionProgram, @unchecked Sendable {  // guard: immutable
  private let elements: [ExpressionProgram]

  init(_ elements: [ExpressionProgram]) { self.elements = elements }

  override func value(_ frame: PredicateFrame) throws(KVError) -> Scalar {
    var values: [Any?] = []
    values.reserveCapacity(elements.count)
    for element in elements { values.append(try element.value(frame).any) }
    let list = Scalar.other(values)
    if let visits = frame.visits { try visits.add(list) }
    return list
  }
}

final class FunctionProgram: ExpressionProgram, @unchecked Sendable {  // guard: immutable
  private let function: PredicateFunctions.Function
  private let arguments: [ExpressionProgram]

  init(_ function: PredicateFunctions.Function, _ arguments: [ExpressionProgram]) {
    self.function = function
    self.arguments = arguments
  }

  override func value(_ frame: PredicateFrame) throws(KVError) -> Scalar {
    var values: [Scalar] = []
    values.reserveCapacity(arguments.count)
    for argument in arguments { values.append(try argument.value(frame)) }
    if let visits = frame.visits { for value in values { try visits.add(value) } }
    return try function.body(values)
  }
}

/// The elements of a collection for which a predicate holds (FLT.10).
final class SubqueryProgram: ExpressionProgram, @unchecked Sendable {  // guard: immutable
  private let collection: ExpressionProgram
  private let variable: String
  private let predicate: PredicateProgram
  /// The policy that limits the visited elements (SEC.6).
  private let policy: PathPolicy?

  init(
    _ collection: ExpressionProgram, _ variable: String, _ predicate: PredicateProgram, _ policy: PathPolicy?
  ) {
    self.policy = policy
    self.collection = collection
    self.variable = variable
    self.predicate = predicate
  }

  override func value(_ frame: PredicateFrame) throws(KVError) -> Scalar {
    let value = try collection.value(frame)
    if value.isNil { return .other([Any?]()) }
    guard let collection = value.collection else { throw PredicateFunctions.mismatch(value, "a collection") }
    let visits = frame.visits ?? VisitCount(policy)
    var result: [Any?] = []
    try collection.forEach { element throws(KVError) in
      try visits.add(1)
      if try predicate.test(frame.with(variable, Scalar(element), visits)) { result.append(element) }
    }
    return .other(result)
  }
}

final class CastProgram: ExpressionProgram, @unchecked Sendable {  // guard: immutable
  private let inner: ExpressionProgram
  private let type: String

  init(_ inner: ExpressionProgram, _ type: String) {
    self.inner = inner
    self.type = type
  }

  override func value(_ frame: PredicateFrame) throws(KVError) -> Scalar {
    let value = try inner.value(frame)
    if let visits = frame.visits { try visits.add(value) }
    return try PredicateCast.value(value, type)
  }
}

final class TernaryProgram: ExpressionProgram, @unchecked Sendable {  // guard: immutable
  private let condition: PredicateProgram
  private let first: ExpressionProgram
  private let second: ExpressionProgram

  init(_ condition: PredicateProgram, _ first: ExpressionProgram, _ second: ExpressionProgram) {
    self.condition = condition
    self.first = first
    self.second = second
  }

  override func value(_ frame: PredicateFrame) throws(KVError) -> Scalar {
    try (try condition.test(frame) ? first : second).value(frame)
  }
}
