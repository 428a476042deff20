/// The conversion of values to types, by the rules of the chapter CO.
@usableFromInline
package struct Coercion: Sendable {
  /// Whether strings are converted to numbers (CO.5).
  @usableFromInline let lenient: Bool

  @usableFromInline
  package init(lenient: Bool = false) { self.lenient = lenient }

  /// Returns a value converted to a type.
  ///
  /// - Throws: ``CoercionFailure`` if the value cannot be converted; nothing has changed then (CO.6).
  @inlinable @inline(__always)
  package func convert<Value>(_ any: Any?, to type: Value.Type) throws(CoercionFailure) -> Value {
    if let any, let value = exactCast(any, type) { return value }
    return try convertSlowly(any, to: type)
  }

  @usableFromInline @inline(never)
  func convertSlowly<Value>(_ any: Any?, to type: Value.Type) throws(CoercionFailure) -> Value {
    guard let any = any.flatMap(unwrappingOptionals) else {
      if let none = (type as? any OptionalValue.Type).flatMap({ exactCast($0.nilValue, type) }) { return none }
      throw .nilValue(type)
    }
    if let numeric = type as? any KVNumeric.Type, let source = any as? any KVNumeric {
      guard let value = numeric.init(number: source.number) as? Value else { throw .outOfRange(any, type) }
      return value
    }
    if let value = any as? Value { return value }
    let converted = try convertErased(any, to: type)
    guard let value = converted as? Value else { throw .mismatch(any, type) }
    return value
  }

  /// Returns a value converted to a type that is known at run time only.
  ///
  /// The value is neither nil nor of the type already.
  func convertErased(_ any: Any, to type: Any.Type) throws(CoercionFailure) -> Any {
    if let optional = type as? any OptionalValue.Type {
      return try convertIfNeeded(any, to: optional.wrappedType)
    }
    if let numeric = type as? any KVNumeric.Type {
      return try number(any, as: numeric)
    }
    if let raw = type as? any RawRepresentable.Type, let value = try rawRepresentable(any, as: raw) {
      return value
    }
    if let collection = type as? any CollectionValue.Type {
      return try collection.converting(any, with: self)
    }
    throw .mismatch(any, type)
  }

  private func convertIfNeeded(_ any: Any, to type: Any.Type) throws(CoercionFailure) -> Any {
    func open<T>(_ type: T.Type) -> Bool { any is T }
    return _openExistential(type, do: open) ? any : try convertErased(any, to: type)
  }

  private func rawRepresentable<T: RawRepresentable>(
    _ any: Any, as type: T.Type
  ) throws(CoercionFailure) -> Any? {
    guard let raw = try? convert(any, to: T.RawValue.self) else { return nil }
    guard let value = T(rawValue: raw) else {
      throw CoercionFailure(code: .typeMismatch, reason: "\(describe(any)) is no raw value of \(typeName(type))")
    }
    return value
  }

  private func number<T: KVNumeric>(_ any: Any, as type: T.Type) throws(CoercionFailure) -> Any {
    let number: KVNumber
    if let source = any as? any KVNumeric {
      number = source.number
    } else if let text = any as? String {
      guard lenient else {
        let isConvertible = (try? Coercion(lenient: true).number(text, as: type)) != nil
        throw .mismatch(
          any, type,
          hint: isConvertible
            ? "; declare the key with .lenient() to let strings convert"
            : ", and its text is none either; set a value of type \(typeName(type))")
      }
      guard let parsed = KVNumber(text: text) else { throw .mismatch(any, type) }
      number = parsed
    } else if let raw = any as? any RawRepresentable, let source = raw.rawValue as? any KVNumeric {
      number = source.number
    } else {
      throw .mismatch(any, type)
    }
    guard let value = T(number: number) else { throw .outOfRange(any, type) }
    // Strings are converted exactly: the text of a fraction is not an integer (CO.5).
    if any is String, case .integer = value.number, case .floating(let double) = number, !(value is Bool),
      double.rounded() != double
    {
      throw .mismatch(any, type)
    }
    return value
  }
}
