/// Why a value does not fit a type; becomes a ``KVError`` where the key is known.
@usableFromInline
package struct CoercionFailure: Error {
  package let code: KVError.Code
  package let reason: String
  /// What would make the value fit where it is being set, as the end of the sentence.
  var hint = ""

  static func mismatch(_ value: Any, _ type: Any.Type, hint: String = "") -> CoercionFailure {
    CoercionFailure(
      code: .typeMismatch, reason: "\(describe(value)) is no \(typeName(type))", hint: hint)
  }

  static func outOfRange(_ value: Any, _ type: Any.Type) -> CoercionFailure {
    CoercionFailure(code: .numberOutOfRange, reason: "\(describe(value)) does not fit in \(typeName(type))")
  }

  static func nilValue(_ type: Any.Type) -> CoercionFailure {
    CoercionFailure(code: .nilValue, reason: "nil is no \(typeName(type))")
  }
}

/// Returns a value and its type for a message: short, and never more than one line.
package func describe(_ value: Any) -> String {
  let name = typeName(type(of: value))
  switch value {
  case let text as String:
    let line = text.prefix(40).map { $0.isNewline ? " " : String($0) }.joined()
    return "the \(name) \"\(line)\(text.count > 40 ? "…" : "")\""
  case is any KVNumeric:
    return "the \(name) \(value)"
  default:
    return "a value of type \(name)"
  }
}
