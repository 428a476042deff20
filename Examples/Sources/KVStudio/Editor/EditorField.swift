import Foundation
import KVBinding
import KVDefinitions
import KVDocuments

/// A field of a definition, as a text.
enum EditorField: String, CaseIterable {
  case key, pathToSource, sourceKeyPath, direction, pathToTarget, targetKeyPath, transformerName, nullPlaceholder,
    fallback, initialSync, trigger, validates, skipsEqual

  /// Returns the text of a field; a placeholder as a scalar of JSON.
  func text(of definition: KVEditableBindingDefinition) -> String {
    switch self {
    case .direction: definition.direction.rawValue
    case .initialSync: definition.initialSync.rawValue
    case .trigger: definition.trigger.rawValue
    case .validates: "\(definition.validates)"
    case .skipsEqual: "\(definition.skipsEqual)"
    case .nullPlaceholder: Self.json(definition.nullPlaceholder)
    case .fallback: Self.json(definition.fallback)
    default: (try? definition.value(forKey: rawValue, as: String.self)) ?? ""
    }
  }

  /// Sets a field by a text, unless it has it already.
  ///
  /// - Throws: `KVError` if the text is none of those that the field can have.
  func set(_ text: String, of definition: KVEditableBindingDefinition) throws {
    guard text != self.text(of: definition) else { return }
    switch self {
    case .nullPlaceholder, .fallback: try definition.setValue(Self.scalar(text), forKey: rawValue)
    case .validates, .skipsEqual:
      guard let value = Bool(text) else { throw KVError(.invalidValue, "\"\(rawValue)\" is true or false.") }
      try definition.setValue(value, forKey: rawValue)
    default: try definition.setValue(text, forKey: rawValue)
    }
  }

  private static func json(_ value: Any?) -> String {
    guard let value, let data = try? KVDocument(value).data() else { return "" }
    return String(decoding: data, as: UTF8.self)
  }

  /// Returns the value of a text: a scalar of JSON, or else the text itself; nil if it is empty.
  private static func scalar(_ text: String) -> Any? {
    if text.isEmpty { return nil }
    guard let root = try? KVDocument(data: Data(text.utf8), format: .json).root else { return text }
    return root is [Any?] || root is [String: Any] ? text : root
  }
}
