/// A type whose values are created from dictionaries, as configuration files and JSON contain them (TAB.10).
///
/// ```swift
/// struct Address: KVDictionaryConvertible {
///   var city = ""
///   var zip = 0
///   static var keyTable: KVTable {
///     KVTable(Address.self) { key in
///       key("city", \.city)
///       key("zip", \.zip).lenient()
///     }
///   }
/// }
///
/// try person.setValue(["city": "London", "zip": "8"], forKey: "address")
/// ```
///
/// Where a property of the type, an array of it or the like is set to a dictionary by key, a new value is created and
/// the entries of the dictionary are set by key. A class that is not final needs a `required init()`.
public protocol KVDictionaryConvertible: KeyValueCoding {
  /// Creates the value to which the entries of a dictionary are set.
  init()
}

extension KVDictionaryConvertible {
  /// Returns a new value with the entries of a dictionary.
  static func created(
    from entries: [(name: String, value: Any?)], in dictionary: Any, with coercion: Coercion
  ) throws(CoercionFailure) -> Any {
    if let fault = NestingFault.entering(coercion.depth, limit: Limits.nestedCalls) {
      throw CoercionFailure(code: .limitExceeded, reason: "dictionaries are \(fault.nested)\(fault.cure())")
    }
    var result = Self()
    let info = TypeInfo.of(result)
    for (name, value) in entries.sorted(by: { $0.name < $1.name }) {
      do {
        var value = value
        if let some = value, let accessor = try info.accessor(name) {
          var inner = accessor.declaration.coercion
          inner.depth = coercion.depth + 1
          value = unwrappingOptionals(try accessor.value.converted(some, inner))
        }
        try result.setValue(value, forKey: name)
      } catch let failure as CoercionFailure {
        if failure.code == .limitExceeded { throw failure }
        throw .mismatch(
          dictionary, Self.self, because: "its entry \"\(name)\" does not fit, \(failure.reason)\(failure.hint)")
      } catch {
        let reason = (error as? KVError)?.message ?? "\(error)"
        throw .mismatch(dictionary, Self.self, because: reason, underlying: error)
      }
    }
    return result
  }
}
