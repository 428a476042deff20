/// The conversion of values to types, by the rules of the chapter CO.
@usableFromInline
package struct Coercion: Sendable {
  /// Whether strings are converted to numbers and other values (CO.5).
  @usableFromInline let lenient: Bool
  /// Whether values are converted to strings (CO.5).
  package var yieldsText = false
  /// The conversions of the line of a table (TAB.10).
  var conversions: [Conversion] = []
  /// The number of dictionaries around the value (TAB.10).
  var depth = 0

  @usableFromInline
  package init(lenient: Bool = false) { self.lenient = lenient }

  /// Returns a value converted to a type.
  ///
  /// - Throws: ``CoercionFailure`` if the value cannot be converted; nothing has changed then (CO.6).
  @inlinable @inline(__always)
  package func convert<Value>(_ any: Any?, to type: Value.Type) throws(CoercionFailure) -> Value {
    if let any, let value = exactCast(any, type) { return value }
    return try convertGeneral(any, to: type)
  }

  /// Returns an element converted to a type; a failure names its index.
  @inline(__always)
  func convert<Element>(_ any: Any?, to type: Element.Type, at index: Int) throws(CoercionFailure) -> Element {
    do throws(CoercionFailure) { return try convert(any, to: type) } catch { throw error.at(index) }
  }

  @usableFromInline @inline(never)
  func convertGeneral<Value>(_ any: Any?, to type: Value.Type) throws(CoercionFailure) -> Value {
    guard let any = any.flatMap(unwrappingOptionals) else {
      if let none = TypeTraits.optional(type).flatMap({ exactCast($0.nilValue, type) }) { return none }
      throw .nilValue(type)
    }
    if let value = exactCast(any, type) { return value }
    if let numeric = TypeTraits.number(type), let number = AnyNumber(of: any) {
      guard let value = numeric.init(number: number).flatMap({ exactCast($0, type) }) else {
        throw .outOfRange(any, type)
      }
      return value
    }
    if let value = valueCast(any, to: type) { return value }
    let converted = try convertErased(any, to: type)
    guard let value = converted as? Value else { throw .mismatch(any, type) }
    return value
  }

  /// Returns a value converted to a type that is known at run time only.
  ///
  /// The value is neither nil nor of the type already.
  func convertErased(_ any: Any, to type: Any.Type) throws(CoercionFailure) -> Any {
    do throws(CoercionFailure) { return try convertByRule(any, to: type) } catch {
      guard error.code == .typeMismatch else { throw error }
      if let value = try Conversion.convert(any, to: type, by: conversions) { return value }
      if lenient, let text = any as? String, let value = TextConversion.value(of: type, from: text) { return value }
      if yieldsText, type == String.self {
        if let text = TextConversion.text(of: any) { return text }
        if let type = Swift.type(of: any) as? any TextConvertible.Type {
          throw .mismatch(any, String.self, because: "it has no text, which would be \(type.expectedText)")
        }
      }
      if lenient, any is String, error.underlying == nil,
        let expected = TextConversion.expected(of: type)
      {
        throw .mismatch(any, innermostType(type), because: expected)
      }
      var failure = error
      if !lenient, error.hint.isEmpty, any is String,
        (try? Coercion(lenient: true).convertErased(any, to: type)) != nil
      {
        failure.hint = Self.lenientHint
      }
      throw failure
    }
  }

  private static let lenientHint =
    "; write @KVKey(.lenient) before the property, or .lenient() in its table, to let strings convert"

  private func convertByRule(_ any: Any, to type: Any.Type) throws(CoercionFailure) -> Any {
    if let optional = TypeTraits.optional(type) {
      return try convertIfNeeded(any, to: optional.wrappedType)
    }
    if let numeric = TypeTraits.number(type) {
      return try number(any, as: numeric)
    }
    if let raw = type as? any RawRepresentable.Type, let value = try rawRepresentable(any, as: raw) {
      return value
    }
    if let collection = type as? any CollectionValue.Type {
      return try collection.converting(any, with: self)
    }
    if let type = type as? any KVDictionaryConvertible.Type, let entries = keyedValue(any)?.namedEntries {
      return try type.created(from: entries, in: any, with: self)
    }
    if isForeignCollection(type), let type = type as? any RangeReplaceableCollection.Type,
      let source = collectionValue(any), !Swift.type(of: source).isKeyed
    {
      try CoercionFailure.checkCount(of: source)
      return try rebuilt(source.elements, as: type)
    }
    if keyedValue(any) != nil, type is any KeyValueCoding.Type {
      throw .mismatch(any, type, because: "make \(typeName(type)) conform to KVDictionaryConvertible")
    }
    throw .mismatch(any, type)
  }

  private func rebuilt<T: RangeReplaceableCollection>(
    _ elements: [Any?], as type: T.Type
  ) throws(CoercionFailure) -> Any {
    var result = T()
    for (index, element) in elements.enumerated() {
      result.append(try convert(element, to: T.Element.self, at: index))
    }
    return result
  }

  private func convertIfNeeded(_ any: Any, to type: Any.Type) throws(CoercionFailure) -> Any {
    func open<T>(_ type: T.Type) -> Bool { any is T }
    return !makesObjects(any, castTo: type) && _openExistential(type, do: open) ? any : try convertErased(any, to: type)
  }

  private func rawRepresentable<T: RawRepresentable>(
    _ any: Any, as type: T.Type
  ) throws(CoercionFailure) -> Any? {
    guard let raw = try? convert(any, to: T.RawValue.self) else { return nil }
    guard let value = T(rawValue: raw) else {
      let known = TextConversion.rawValues(of: T.self).map { ": these are \($0)" }
      throw CoercionFailure(
        code: .typeMismatch, reason: "\(describe(any)) is not a raw value of \(typeName(type))\(known ?? "")")
    }
    return value
  }

  private func number<T: NumericValue>(_ any: Any, as type: T.Type) throws(CoercionFailure) -> Any {
    let number: AnyNumber
    if let source = AnyNumber(of: any) {
      number = source
    } else if let text = any as? String {
      guard lenient else {
        let isConvertible = (try? Coercion(lenient: true).convertErased(text, to: type)) != nil
        throw .mismatch(
          any, type,
          hint: isConvertible
            ? Self.lenientHint
            : ", and its text is not one either; set a value of type \(typeName(type))")
      }
      // The line's own conversions precede for any other type of the key, too (TAB.10).
      if let value = try Conversion.convert(any, to: type, by: conversions) { return value }
      // A decimal number has more digits than the common form.
      if let type = type as? any TextConvertible.Type, let value = type.init(text: text) { return value }
      if let type = type as? any TextParsableNumber.Type { return try parsed(text, as: type) }
      // The texts of truth values are words, and no other numbers than 0 and 1 (CO.8).
      guard type != Bool.self, DecimalText(text) != nil else { throw .mismatch(any, type) }
      guard let parsed = AnyNumber(text: text) else { throw .outOfRange(any, type) }
      number = parsed
    } else if let raw = any as? any RawRepresentable, let source = AnyNumber(of: raw.rawValue) {
      number = source
    } else {
      throw .mismatch(any, type)
    }
    guard let value = T(number: number) else { throw .outOfRange(any, type) }
    return value
  }

  /// Returns the number that a text stands for, without a detour by another type (CO.5).
  private func parsed<T: TextParsableNumber>(_ text: String, as type: T.Type) throws(CoercionFailure) -> Any {
    switch T.parsed(text) {
    case .number(let number): return number
    case .outOfRange: throw .outOfRange(text, type)
    case .noNumber: throw .mismatch(text, type)
    }
  }
}
