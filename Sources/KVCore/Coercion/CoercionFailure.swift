/// The reason why a value cannot be converted to a type; becomes a ``KVError`` where the key is known.
@usableFromInline
package struct CoercionFailure: Error {
  package let code: KVError.Code
  private let sentence: String
  /// Where in the value the failure is: the indexes and keys of its collections, as in `[2]["price"]`.
  private var elementPath = ""
  /// A hint for a value that is being set, appended to the sentence.
  var hint = ""
  /// The error of a conversion that a table declares.
  var underlying: (any Error)?

  init(code: KVError.Code, reason: String, hint: String = "", underlying: (any Error)? = nil) {
    self.code = code
    self.hint = hint
    self.underlying = underlying
    sentence = reason
  }

  /// The reason of the failure, with its location in the value.
  package var reason: String { elementPath.isEmpty ? sentence : "at \(elementPath), \(sentence)" }

  /// Whether it is that of an element of the value.
  var isOfElement: Bool { !elementPath.isEmpty }

  /// Returns the failure of the element at an index of a collection.
  func at(_ index: Int) -> CoercionFailure { within("[\(index)]") }

  /// Returns the failure of the entry of a dictionary.
  func at(_ key: String) -> CoercionFailure { within("[\"\(shortened(key))\"]") }

  /// The failure of the only element of a collection, whose index says nothing.
  var ofOnlyElement: CoercionFailure {
    var failure = self
    if elementPath.hasPrefix("[0]") { failure.elementPath.removeFirst(3) }
    return failure
  }

  private func within(_ outer: String) -> CoercionFailure {
    var failure = self
    failure.elementPath = shortened(outer + elementPath)
    return failure
  }

  static func mismatch(_ value: Any, _ type: Any.Type, hint: String = "") -> CoercionFailure {
    // Foundation's class, which this module does not import.
    if typeName(Swift.type(of: value)) == "NSNull" {
      return CoercionFailure(
        code: .typeMismatch,
        reason: """
          an NSNull is not \(withArticle(type)); it stands for nil where there are no optionals: pass nil, and read JSON with \
          KVDocument of the library KVDocuments, whose nulls are nil
          """)
    }
    if value is String, let initializer = initializer(of: innermostType(type)) {
      return mismatch(value, type, because: "make one of it by \(initializer)")
    }
    if FoundationProvider.services == nil, FoundationProvider.isConverted(innermostType(type)) {
      return mismatch(value, type, because: "import KVBinding or KVDocuments for its conversions")
    }
    return CoercionFailure(
      code: .typeMismatch, reason: "\(describe(value)) is not \(withArticle(type))", hint: hint)
  }

  /// Returns what makes a value of a text, if literals of the type are texts; of a collection, one of one element.
  private static func initializer(of type: Any.Type) -> String? {
    if let type = type as? any TextLiteralValue.Type { return type.textInitializer }
    return elementType(of: type).flatMap { $0 as? any TextLiteralValue.Type }.map { "[\($0.textInitializer)]" }
  }

  /// A mismatch whose reason is given as a sentence.
  static func mismatch(
    _ value: Any, _ type: Any.Type, because reason: String, underlying: (any Error)? = nil
  ) -> CoercionFailure {
    let reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    return CoercionFailure(
      code: .typeMismatch, reason: "\(describe(value)) is not \(withArticle(type)): \(reason)", underlying: underlying)
  }

  /// Throws if a collection makes more elements than may be visited.
  static func checkCount(of collection: any CollectionValue) throws(CoercionFailure) {
    do throws(KVError) { try collection.checkCount() } catch {
      throw CoercionFailure(code: error.code, reason: String(error.message.dropLast()))
    }
  }

  static func outOfRange(_ value: Any, _ type: Any.Type) -> CoercionFailure {
    CoercionFailure(code: .numberOutOfRange, reason: "\(describe(value)) does not fit in \(typeName(type))")
  }

  static func nilValue(_ type: Any.Type) -> CoercionFailure {
    CoercionFailure(code: .nilValue, reason: "nil is not \(withArticle(type))")
  }
}

/// A value whose literals are texts; a text that is set by key is no literal.
package protocol TextLiteralValue {
  /// The code that makes a value of a text.
  static var textInitializer: String { get }
}

/// A value that messages name, since its type says too little.
package protocol NamedInMessages {
  var nameInMessages: String { get }
}

/// Returns the value and its type for a message, in one short line.
package func describe(_ value: Any) -> String {
  let name = typeName(type(of: value))
  switch value {
  case let text as String:
    // One character can have any number of scalars.
    let start = text.utf8.count > 1_000 ? String(text.unicodeScalars.prefix(160)) : text
    let line = start.prefix(40).map { $0.isNewline ? " " : String($0) }.joined()
    return "the \(name) \"\(line)\(start.count > 40 || start.utf8.count < text.utf8.count ? "…" : "")\""
  case is any NumericValue:
    return "the \(name) \(value)"
  case let value as any NamedInMessages:
    return value.nameInMessages
  default:
    return "a value of type \(name)"
  }
}
