import KVCore

/// The types of CAST (FLT.4): those of Swift here, those of Foundation if KVBinding or KVDocuments is there.
enum PredicateCast {
  private static let own = ["Bool", "Double", "Int", "NSNumber", "NSString", "String"]

  /// The names of all types, sorted.
  static var names: [String] { (own + (FoundationProvider.services?.castTypes ?? [])).sorted() }

  static func isKnown(_ type: String) -> Bool { own.contains(type) || makesConstants(type) }

  /// Whether values of a type have no other literal form.
  static func makesConstants(_ type: String) -> Bool { FoundationProvider.services?.castTypes.contains(type) ?? false }

  /// Returns the cast of an expression: a constant, if the type has no literal form but by CAST.
  static func node(_ inner: ExpressionNode, _ type: String) -> ExpressionNode {
    guard case .constant(let constant?) = inner, makesConstants(type),
      let value = foundationValue(constant, type)
    else { return .cast(inner, type) }
    return .constant(value)
  }

  /// Returns a value as one of Foundation's types; nil if it cannot be one.
  static func foundationValue(_ value: Any, _ type: String) -> (any Sendable)? {
    FoundationProvider.services?.cast(value, to: type)
  }

  /// Returns a value as a type; nil stays nil.
  static func value(_ value: Scalar, _ type: String) throws(KVError) -> Scalar {
    guard let any = value.any else { return .none }
    var coercion = Coercion(lenient: true)
    coercion.yieldsText = true
    let result: Any?
    switch type {
    case "Bool": result = try? coercion.convert(any, to: Bool.self)
    case "Int": result = try? coercion.convert(any, to: Int.self)
    case "Double": result = try? coercion.convert(any, to: Double.self)
    case "String", "NSString": result = TextConversion.text(of: any)
    case "NSNumber": result = number(any)
    default: result = foundationValue(any, type)
    }
    guard let result else { throw KVError(.typeMismatch, "\(describe(any)) cannot be cast to \(type).") }
    return Scalar(result)
  }

  /// Returns a value as a number of the type that it has.
  private static func number(_ any: Any) -> Any? {
    if AnyNumber(of: any) != nil { return any }
    if let text = any as? String { return Int(text) ?? (try? Coercion(lenient: true).convert(text, to: Double.self)) }
    return foundationValue(any, "NSNumber")
  }
}
