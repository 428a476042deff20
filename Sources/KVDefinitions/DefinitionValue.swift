import KVBinding
import KVCore
import KVDocuments

/// A value of a field, in documents and in an editable definition.
protocol DefinitionValue: Equatable, Sendable {
  /// The type of the property of an editable definition.
  associatedtype Edited = Self

  /// Reads the value of a document.
  ///
  /// - Parameters:
  ///   - value: The value; nil if it is absent or null.
  ///   - name: The name of the field, for faults.
  ///   - format: The format of the document.
  /// - Returns: The value; nil for one that counts as absent.
  static func read(_ value: Any?, _ name: String, _ format: KVDocument.Format) throws(KVBindingFaults) -> Self?

  /// Returns the value in documents; nil for one that is left out.
  func written(_ format: KVDocument.Format) -> KVBindingScalar?

  /// Creates the value from that of an editable definition.
  init(edited: Edited, _ name: String) throws(KVBindingFaults)
  /// The value of an editable definition.
  var edited: Edited { get }
}

extension DefinitionValue where Edited == Self {
  init(edited: Self, _ name: String) { self = edited }
  var edited: Self { self }
}

extension KVBindingFaults {
  /// The fault of a value of another type.
  fileprivate static func type(_ found: String, _ name: String, _ wanted: String) -> KVBindingFaults {
    KVBindingFaults(KVBindingFault(.wrongType, "\"\(name)\" is \(found); it has to be \(wanted).", entry: name))
  }
}

extension String: DefinitionValue {
  static func read(_ value: Any?, _ name: String, _ format: KVDocument.Format) throws(KVBindingFaults) -> String? {
    guard let value else { return nil }
    guard let text = value as? String else {
      throw .type(DocumentValue.article(of: value, in: format), name, "a string")
    }
    return text
  }

  func written(_ format: KVDocument.Format) -> KVBindingScalar? { isEmpty ? nil : KVBindingScalar(stringLiteral: self) }
}

extension Bool: DefinitionValue {
  static func read(_ value: Any?, _ name: String, _ format: KVDocument.Format) throws(KVBindingFaults) -> Bool? {
    guard let value else { return nil }
    // A cast would make Booleans of the numbers 0 and 1 of a property list, too.
    guard type(of: value) == Bool.self, let truth = value as? Bool else {
      throw .type(DocumentValue.article(of: value, in: format), name, "true or false")
    }
    return truth
  }

  func written(_ format: KVDocument.Format) -> KVBindingScalar? { KVBindingScalar(booleanLiteral: self) }
}

extension Optional: DefinitionValue where Wrapped == KVBindingScalar {
  static func read(_ value: Any?, _ name: String, _ format: KVDocument.Format) throws(KVBindingFaults)
    -> KVBindingScalar??
  {
    guard let value else { return nil }
    guard let scalar = KVBindingScalar(value) else {
      let found = DocumentValue.article(of: value, in: format)
      throw .type(found, name, "a string, a finite number, or true or false")
    }
    return scalar
  }

  func written(_ format: KVDocument.Format) -> KVBindingScalar? { self }

  init(edited: Any?, _ name: String) throws(KVBindingFaults) {
    guard let value = edited.flatMap(unwrappingOptionals) else {
      self = nil
      return
    }
    guard let scalar = KVBindingScalar(value) else {
      throw .type("a value of type \(type(of: value))", name, "a string, a finite number, or true or false")
    }
    self = scalar
  }

  var edited: Any? { self?.value }
}

// MARK: Choices

extension DefinitionValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  static func read(_ value: Any?, _ name: String, _ format: KVDocument.Format) throws(KVBindingFaults) -> Self? {
    try choice(value, name, format)
  }

  func written(_ format: KVDocument.Format) -> KVBindingScalar? { KVBindingScalar(stringLiteral: rawValue) }

  /// Reads the name of a case; an empty text counts as absent.
  fileprivate static func choice(
    _ value: Any?, _ name: String, _ format: KVDocument.Format
  ) throws(KVBindingFaults) -> Self? {
    guard let value else { return nil }
    let known = allCases.map(\.rawValue)
    guard let text = value as? String else {
      let names = known.map { "\"\($0)\"" }.joined(separator: ", ")
      throw .type(DocumentValue.article(of: value, in: format), name, "one of \(names)")
    }
    if text.isEmpty { return nil }
    if let choice = Self(rawValue: text) { return choice }
    let subject = "\"\(name)\" is \"\(DefinitionReader.short(text))\""
    throw KVBindingFaults(.unknown(text, .invalidValue, subject, "values", known, entry: name))
  }
}

extension KVInitialSync: DefinitionValue {}

extension KVUpdateTrigger: DefinitionValue {}

extension KVBindingDirection: DefinitionValue {
  static func read(_ value: Any?, _ name: String, _ format: KVDocument.Format) throws(KVBindingFaults) -> Self? {
    guard let value, (value as? String)?.isEmpty != true else {
      let values = format == .json ? "\"oneWay\", \"twoWay\", \"once\" or \"toSource\"" : numbers
      throw KVBindingFaults(KVBindingFault(.missingEntry, "\"\(name)\" is missing: it is \(values).", entry: name))
    }
    if format == .json { return try choice(value, name, format) }
    guard let number = DefinitionReader.integer(value) else {
      throw .type(DocumentValue.article(of: value, in: format), name, "an integer: \(numbers)")
    }
    if let direction = allCases.first(where: { $0.number == number }) { return direction }
    let message = "\"\(name)\" is \(number), which is not a direction: it is \(numbers)."
    throw KVBindingFaults(KVBindingFault(.invalidValue, message, entry: name))
  }

  func written(_ format: KVDocument.Format) -> KVBindingScalar? {
    format == .json ? KVBindingScalar(stringLiteral: rawValue) : KVBindingScalar(integerLiteral: number)
  }

  private static let numbers = "0 (two-way), 1 (source to target), 2 (once) or 3 (target to source)"

  /// The number for the case in property lists.
  ///
  /// Bindings for iOS has the first two.
  private var number: Int {
    switch self {
    case .twoWay: 0
    case .oneWay: 1
    case .once: 2
    case .toSource: 3
    }
  }
}
