import KVCore

/// A forward or reverse function of any value, which converts its input and describes its errors.
// guard: immutable; the function is `Sendable`, or belongs to one binding
struct TransformFunction: LinkedWithBinding, @unchecked Sendable {
  enum Direction {
    case forward, backward
  }

  /// Whether the function receives collections as a whole instead of each element.
  var isWhole: Bool
  private let body: (Any?) throws(KVError) -> Any?

  private init(isWhole: Bool, body: @escaping (Any?) throws(KVError) -> Any?) {
    self.isWhole = isWhole
    self.body = body
  }

  /// Creates a function of any value from a function of known types.
  init<In, Out>(_ name: String?, _ direction: Direction, _ function: @escaping (In) throws -> Out) {
    // A type that takes an array of any elements is a collection, or an existential that may contain one.
    isWhole = DynamicCollection.areInside(In.self) || ([Int]() as Any) is In
    let acceptsNil = optionalWrappedType(In.self) != nil
    let acceptsBox = In.self == Any?.self
    body = { value throws(KVError) in
      let value = value.flatMap(unwrappingOptionals)
      if value == nil, !acceptsNil { return nil }
      let input: In
      do throws(CoercionFailure) {
        input = try acceptsBox ? Self.unchanged(value) : Coercion().convert(value, to: In.self)
      } catch {
        throw Self.failure(error, name, direction)
      }
      do { return Self.boxed(try function(input)) } catch {
        throw Self.failure(error, name, direction)
      }
    }
  }

  /// Returns a value as the same type under another name.
  private static func unchanged<In>(_ value: Any?) -> In { withAddress(of: value) { Address($0).of(In.self).pointee } }

  /// Returns a result without optionals, in a box of its own type: generic code would put one box into another.
  private static func boxed<Out>(_ result: Out) -> Any? {
    withAddress(of: result) { valueBoxer(of: Out.self).box(Address($0)) }.flatMap(unwrappingOptionals)
  }

  func callAsFunction(_ value: Any?) throws(KVError) -> Any? { try call(value, depth: 0) }

  private func call(_ value: Any?, depth: Int) throws(KVError) -> Any? {
    guard !isWhole, let value = value.flatMap(unwrappingOptionals), DynamicCollection.canBeMapped(value) else {
      return try body(value)
    }
    try DynamicCollection.checkNesting(depth, at: "a transformer")
    return try DynamicCollection.mapped(value) { element throws(KVError) in try call(element, depth: depth + 1) }
  }

  /// Returns the composition of this function and another one.
  func then(_ next: TransformFunction) -> TransformFunction {
    TransformFunction(isWhole: isWhole || next.isWhole) { value throws(KVError) in try next(try self(value)) }
  }

  /// Returns the name of a transformer for messages.
  static func title(_ name: String?) -> String { name.map { "the transformer \"\($0)\"" } ?? "a transformer" }

  private static func failure(_ failure: CoercionFailure, _ name: String?, _ direction: Direction) -> KVError {
    KVError(failure.code, "\(title(name)) cannot take a value\(suffix(direction)): \(failure.reason).")
  }

  /// Returns the error of a value for which a function returns nil.
  static func unconverted(_ value: Any, to type: Any.Type, _ name: String?, _ direction: Direction) -> KVError {
    let value = unwrappingOptionals(value).map { describe($0) } ?? "nil"
    return KVError(
      .invalidValue,
      """
      \(title(name)) cannot take a value\(suffix(direction)): \(value) does not convert to \
      \(withArticle(optionalWrappedType(type) ?? type)).
      """)
  }

  /// Returns the error of a function: the thrown ``KVError``, or one with the thrown error as its cause.
  static func failure(_ error: any Error, _ name: String?, _ direction: Direction) -> KVError {
    if let error = error as? KVError { return error }
    return KVError(.custom, "\(title(name)) failed\(suffix(direction)): \(error).", underlying: error)
  }

  private static func suffix(_ direction: Direction) -> String { direction == .forward ? "" : " on the way back" }
}
