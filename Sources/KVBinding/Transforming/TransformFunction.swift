import KVCore

/// One way of a transformer: a function of any value, which makes values fit and tells what went wrong.
// guard: immutable; the function is `Sendable`, or stays in one binding
struct TransformFunction: @unchecked Sendable {
  enum Way {
    case forward, backward
  }

  /// Whether collections are handed over as they are, and not element by element.
  var isWhole: Bool
  private let body: (Any?) throws(KVError) -> Any?

  private init(isWhole: Bool, body: @escaping (Any?) throws(KVError) -> Any?) {
    self.isWhole = isWhole
    self.body = body
  }

  /// Makes a function of any value from one of known types.
  init<In, Out>(_ name: String?, _ way: Way, _ function: @escaping (In) throws -> Out) {
    // What takes an array of anything is a collection, or an existential that a collection may hide in.
    isWhole = Elements.areInside(In.self) || ([Int]() as Any) is In
    let takesNil = optionalWrappedType(In.self) != nil
    body = { value throws(KVError) in
      let value = value.flatMap(flattened)
      if value == nil, !takesNil { return nil }
      let input: In
      do throws(CoercionFailure) { input = try Coercion().convert(value, to: In.self) } catch {
        throw Self.failure(error, name, way)
      }
      do { return flattened(try function(input)) } catch {
        throw Self.failure(error, name, way)
      }
    }
  }

  func callAsFunction(_ value: Any?) throws(KVError) -> Any? { try call(value, depth: 0) }

  private func call(_ value: Any?, depth: Int) throws(KVError) -> Any? {
    guard !isWhole, let value = value.flatMap(flattened), Elements.canBeMapped(value) else { return try body(value) }
    guard depth < 200 else { throw Elements.tooDeep(in: "a transformer") }
    return try Elements.mapped(value) { element throws(KVError) in try call(element, depth: depth + 1) }
  }

  /// Returns the function that does this and then another one.
  func then(_ next: TransformFunction) -> TransformFunction {
    TransformFunction(isWhole: isWhole || next.isWhole) { value throws(KVError) in try next(try self(value)) }
  }

  /// What messages call a transformer.
  static func title(_ name: String?) -> String { name.map { "the transformer \"\($0)\"" } ?? "a transformer" }

  private static func failure(_ failure: CoercionFailure, _ name: String?, _ way: Way) -> KVError {
    KVError(failure.code, "\(title(name)) cannot take a value\(end(way)): \(failure.reason).")
  }

  /// The error for what a function has thrown: its own if that is a ``KVError``, else one that has it as its cause.
  static func failure(_ error: any Error, _ name: String?, _ way: Way) -> KVError {
    if let error = error as? KVError { return error }
    return KVError(.custom, "\(title(name)) failed\(end(way)): \(error).", underlying: error)
  }

  private static func end(_ way: Way) -> String { way == .forward ? "" : " on the way back" }
}
