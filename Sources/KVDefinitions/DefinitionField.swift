import KVBinding
import KVCore
import KVDocuments

/// A field of a binding definition: its names in files, its properties, and the check of its value.
///
/// ``all`` lists the fields. Files of both forms, coders, drafts, definitions and editable definitions are read and
/// written with this list. No other code names every field.
final class DefinitionField: Sendable {
  static let key = text("key", \.key, \.key, \.key)
  static let pathToSource = path("pathToSource", \.pathToSource, \.pathToSource, \.pathToSource)
  static let pathToTarget = path("pathToTarget", \.pathToTarget, \.pathToTarget, \.pathToTarget)
  static let sourceKeyPath = path("sourceKeyPath", of: "source", \.sourceKeyPath, \.sourceKeyPath, \.sourceKeyPath)
  static let targetKeyPath = path("targetKeyPath", of: "target", \.targetKeyPath, \.targetKeyPath, \.targetKeyPath)
  static let transformerName = text(
    "transformerName", \.transformerName, \.transformerName, \.transformerName,
    propertyListName: "ValueTransformerName")
  static let direction = value("direction", isRequired: true, \.direction, \.direction, \.direction)
  static let initialSync = value("initialSync", \.initialSync, \.initialSync, \.initialSync)
  static let trigger = value("trigger", \.trigger, \.trigger, \.trigger)
  static let validates = value("validates", \.validates, \.validates, \.validates)
  static let skipsEqual = value("skipsEqual", \.skipsEqual, \.skipsEqual, \.skipsEqual)
  static let nullPlaceholder = value("nullPlaceholder", \.nullPlaceholder, \.nullPlaceholder, \.nullPlaceholder)
  static let fallback = value("fallback", \.fallback, \.fallback, \.fallback)
  static let noSelection = value("noSelection", \.noSelection, \.noSelection, \.noSelection)
  static let multipleValues = value("multipleValues", \.multipleValues, \.multipleValues, \.multipleValues)
  static let notApplicable = value("notApplicable", \.notApplicable, \.notApplicable, \.notApplicable)
  static let allowsEditingMultipleValues = value(
    "allowsEditingMultipleValues", \.allowsEditingMultipleValues, \.allowsEditingMultipleValues,
    \.allowsEditingMultipleValues)

  /// The fields, in the order in which faults are reported.
  static let all = [
    key, pathToSource, pathToTarget, sourceKeyPath, targetKeyPath, transformerName, direction, initialSync, trigger,
    validates, skipsEqual, nullPlaceholder, fallback, noSelection, multipleValues, notApplicable,
    allowsEditingMultipleValues,
  ]

  /// The name in JSON, which is the key of an editable definition, too.
  let name: String
  /// The name in property lists, which is that of Bindings for iOS for its fields.
  private let propertyListName: String

  /// Copies the field of a definition to a draft.
  let load: @Sendable (KVBindingDefinition, inout BindingDraft) -> Void
  /// Copies the field of a draft to a definition.
  ///
  /// The name is that of the field in faults.
  let store: @Sendable (BindingDraft, String, inout KVBindingDefinition) throws(KVBindingFaults) -> Void
  /// Copies the field of an editable definition to a draft, if files can contain its value.
  let collect: @Sendable (KVEditableBindingDefinition, inout BindingDraft) throws(KVBindingFaults) -> Void
  /// Sets the field of an editable definition to that of a draft, unless they are equal.
  let edit: @Sendable (BindingDraft, KVEditableBindingDefinition) -> Void
  /// Declares the key of editable definitions.
  let declare: @Sendable (KVObjectKeys<KVEditableBindingDefinition>) -> Void
  /// Sets the field of a draft to the value of a document, if there is one.
  let read: @Sendable (Any?, KVDocument.Format, inout BindingDraft) throws(KVBindingFaults) -> Void
  /// Returns the value of the field of a draft in documents; nil for the default value.
  let written: @Sendable (BindingDraft, KVDocument.Format) -> KVBindingScalar?

  private init<Value: DefinitionValue>(
    _ name: String, propertyListName: String? = nil, isRequired: Bool = false, _ draftPath: Draft<Value>,
    _ editablePath: Editable<Value.Edited>, load: @escaping @Sendable (KVBindingDefinition) -> Value,
    store: @escaping @Sendable (Value, String, inout KVBindingDefinition) throws(KVBindingFaults) -> Void
  ) {
    let propertyListName = propertyListName ?? name.prefix(1).uppercased() + name.dropFirst()
    let standard = BindingDraft()[keyPath: draftPath]
    self.name = name
    self.propertyListName = propertyListName
    self.load = { $1[keyPath: draftPath] = load($0) }
    self.store = { (draft, name, definition) throws(KVBindingFaults) in
      try store(draft[keyPath: draftPath], name, &definition)
    }
    collect = { (editable, draft) throws(KVBindingFaults) in
      draft[keyPath: draftPath] = try Value(edited: editable[keyPath: editablePath], name)
    }
    edit = { draft, editable in
      let value = draft[keyPath: draftPath]
      let isEqual = (try? Value(edited: editable[keyPath: editablePath], name)).map { $0 == value } ?? false
      if !isEqual { editable[keyPath: editablePath] = value.edited }
    }
    declare = { key in key(name, editablePath) }
    read = { (value, format, draft) throws(KVBindingFaults) in
      let name = format == .json ? name : propertyListName
      if let value = try Value.read(value, name, format) { draft[keyPath: draftPath] = value }
    }
    written = { draft, format in
      let value = draft[keyPath: draftPath]
      return isRequired || value != standard ? value.written(format) : nil
    }
  }

  func name(in format: KVDocument.Format) -> String { format == .json ? name : propertyListName }
}

extension BindingCures {
  /// The cures of a definition in a format, whose options are entries.
  static func entries(of format: KVDocument.Format) -> BindingCures {
    BindingCures { option in
      DefinitionField.all.first { $0.name == option }?.name(in: format) ?? option
    }
  }
}

// MARK: Kinds of fields

extension DefinitionField {
  private typealias Draft<Value> = WritableKeyPath<BindingDraft, Value> & Sendable
  private typealias Definition<Value> = WritableKeyPath<KVBindingDefinition, Value> & Sendable
  private typealias Editable<Value> = ReferenceWritableKeyPath<KVEditableBindingDefinition, Value> & Sendable

  /// A field that is the same in definitions and in drafts.
  private static func value<Value: DefinitionValue>(
    _ name: String, isRequired: Bool = false, _ definition: Definition<Value>, _ draft: Draft<Value>,
    _ editable: Editable<Value.Edited>
  ) -> DefinitionField {
    DefinitionField(
      name, isRequired: isRequired, draft, editable, load: { $0[keyPath: definition] },
      store: { $2[keyPath: definition] = $0 })
  }

  /// A text that may be absent.
  ///
  /// An empty text is absent.
  private static func text(
    _ name: String, _ definition: Definition<String?>, _ draft: Draft<String>, _ editable: Editable<String>,
    propertyListName: String? = nil
  ) -> DefinitionField {
    DefinitionField(
      name, propertyListName: propertyListName, draft, editable, load: { $0[keyPath: definition] ?? "" },
      store: { $2[keyPath: definition] = $0 })
  }

  /// A path to an object; an empty one leads to the owner.
  private static func path(
    _ name: String, _ definition: Definition<KVKeyPath?>, _ draft: Draft<String>, _ editable: Editable<String>
  ) -> DefinitionField {
    DefinitionField(
      name, draft, editable, load: { $0[keyPath: definition]?.description ?? "" },
      store: { (text, name, target) throws(KVBindingFaults) in
        target[keyPath: definition] = text.isEmpty ? nil : try parsed(text, name)
      })
  }

  /// A path to a value, which every definition has.
  private static func path(
    _ name: String, of object: String, _ definition: Definition<KVKeyPath>, _ draft: Draft<String>,
    _ editable: Editable<String>
  ) -> DefinitionField {
    DefinitionField(
      name, isRequired: true, draft, editable, load: { $0[keyPath: definition].description },
      store: { (text, name, target) throws(KVBindingFaults) in
        if text.isEmpty {
          let message = "\"\(name)\" is missing: give the path from the \(object) to the value that is bound."
          throw KVBindingFaults(KVBindingFault(.missingEntry, message, entry: name))
        }
        target[keyPath: definition] = try parsed(text, name)
      })
  }

  private static func parsed(_ text: String, _ name: String) throws(KVBindingFaults) -> KVKeyPath {
    do throws(KVError) { return try KVKeyPath(text) } catch {
      throw KVBindingFaults(
        KVBindingFault(.invalidKeyPath, "\"\(name)\": \(error.message)", entry: name, underlying: error))
    }
  }
}

// MARK: Names in files

extension KVDocument.Format {
  /// The names of the fields, sorted.
  var fieldNames: [String] { DefinitionField.all.map { $0.name(in: self) }.sorted() }
  /// The entry of a document that contains the definitions.
  var definitionsName: String { self == .json ? "bindings" : "ILBindings" }
  /// The entry of a document for the version that wrote it.
  var versionName: String { self == .json ? "version" : "Version" }
}
