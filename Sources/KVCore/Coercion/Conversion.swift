/// A conversion that a line of a table declares (TAB.10).
struct Conversion: @unchecked Sendable {  // guard: immutable; its closure runs where the model is used
  let source: Any.Type
  let target: Any.Type
  private let input: (Any, _ isExact: Bool) -> Any?
  private let convert: (Any) throws -> Any?

  init<Source, Target>(_ convert: @escaping (Source) throws -> Target?) {
    source = Source.self
    target = Target.self
    input = { value, isExact in
      isExact ? valueCast(value, to: Source.self) : try? Coercion().convert(value, to: Source.self)
    }
    self.convert = { value in try (value as? Source).flatMap(convert) }
  }

  /// Returns whether the conversion yields values of a type.
  func makes(_ type: Any.Type) -> Bool {
    func isSubtype<T>(_ type: T.Type) -> Bool { target is T.Type }
    return target == type || _openExistential(type, do: isSubtype)
  }

  /// Returns a value converted to a type by the first conversion that takes it: as it is, or converted by the rules of
  /// CO; `nil` if there is none or it yields nil.
  ///
  /// - Throws: ``CoercionFailure`` with the error of the conversion.
  static func convert(_ value: Any, to type: Any.Type, by all: [Conversion]) throws(CoercionFailure) -> Any? {
    for isExact in [true, false] {
      for conversion in all where conversion.makes(type) {
        guard let input = conversion.input(value, isExact) else { continue }
        do { return try conversion.convert(input) } catch {
          let reason = (error as? KVError)?.message ?? "\(error)"
          throw .mismatch(value, type, because: reason, underlying: error)
        }
      }
    }
    return nil
  }
}
