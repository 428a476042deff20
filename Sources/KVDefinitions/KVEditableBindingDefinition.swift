import KVBinding
import KVCore

/// A definition that is being edited: each field is a key that is read, set, observed and bound by name.
///
/// ```swift
/// let editable = KVEditableBindingDefinition(definition)
/// try nameField.bind("text", to: "key", of: editable, options: .twoWay)
/// try errorLabel.bind("text", to: "summary", of: editable)
/// let definition = try editable.definition()
/// ```
///
/// Texts may be empty or malformed: ``faults`` lists what is missing, after each edit. Fields that are not texts
/// accept the raw values of their enums by key: `setValue("oneWay", forKey: "direction")`.
public final class KVEditableBindingDefinition: KVObject, Plumbing {
  /// The name by which a set finds the binding; empty if it has none.
  @KVProperty public var key = ""
  /// The path from the owner to the source; empty for the owner itself.
  @KVProperty public var pathToSource = ""
  /// The path from the owner to the target; empty for the owner itself.
  @KVProperty public var pathToTarget = ""
  /// The path from the source to its value.
  @KVProperty public var sourceKeyPath = ""
  /// The path from the target to its value.
  @KVProperty public var targetKeyPath = ""
  /// The direction in which changes are propagated.
  @KVProperty public var direction = KVBindingDirection.twoWay
  /// The name of the transformer; empty if there is none.
  @KVProperty public var transformerName = ""
  /// The endpoint whose value is propagated when the binding is made.
  @KVProperty public var initialSync = KVInitialSync.automatic
  /// The value of the target for a nil of the source: a text, a number or a Boolean.
  @KVProperty public var nullPlaceholder: Any?
  /// The value of the target while the path of the source cannot be resolved: a text, a number or a Boolean.
  @KVProperty public var fallback: Any?
  /// The value of the target while nothing is selected: a text, a number or a Boolean.
  @KVProperty public var noSelection: Any?
  /// The value of the target while the selected objects have different values: a text, a number or a Boolean.
  @KVProperty public var multipleValues: Any?
  /// The value of the target while a selected object does not have the key: a text, a number or a Boolean.
  @KVProperty public var notApplicable: Any?
  /// Whether a change of the target is written to several selected objects.
  @KVProperty public var allowsEditingMultipleValues = true
  /// Whether the receiver's validator is called.
  @KVProperty public var validates = false
  /// Whether equal values are not set.
  @KVProperty public var skipsEqual = true
  /// When a change of the target is propagated to the source.
  @KVProperty public var trigger = KVUpdateTrigger.onChange

  /// The keys of all fields, none of them to-many.
  ///
  /// An editor observes these.
  package static let allObservableKeys = DefinitionField.all.map(\.name)

  /// The fields, and the keys `faults` and `summary`, which depend on all of them.
  public override class var keyTable: KVTable {
    super.keyTable.extended(for: KVEditableBindingDefinition.self) { key in
      for field in DefinitionField.all { field.declare(key) }
      let faults = key("faults", \.faults)
      let summary = key("summary", \.summary)
      for name in allObservableKeys {
        faults.affected(by: name)
        summary.affected(by: name)
      }
    }
  }

  /// Creates a blank definition.
  public override init() {}

  /// Creates an editable copy of a definition.
  ///
  /// - Parameter definition: The definition.
  public convenience init(_ definition: KVBindingDefinition) { self.init(BindingDraft(definition)) }

  /// Creates an editable copy of a draft.
  package init(_ draft: BindingDraft) {
    super.init()
    self.draft = draft
  }

  /// All fields as a value; setting it sets those fields that differ.
  package var draft: BindingDraft {
    get { collect(index: nil).draft }
    set {
      for field in DefinitionField.all { field.edit(newValue, self) }
    }
  }

  /// The faults: missing and malformed fields, unknown transformers, and forward-only transformers in bindings that
  /// propagate values to the source.
  ///
  /// Observable.
  public var faults: [KVBindingFault] { faults(index: nil) }

  /// Returns the faults as those of the definition at an index.
  func faults(index: Int?) -> [KVBindingFault] {
    let (draft, faults) = collect(index: index)
    return draft.faults(index: index) + faults
  }

  /// The sentences of ``faults``, one a line; empty if there are none.
  ///
  /// Observable.
  public var summary: String { faults.map(\.message).joined(separator: "\n") }

  /// Returns the definition.
  ///
  /// - Returns: The definition.
  /// - Throws: ``KVBindingFaults``: all missing and malformed paths, and placeholders that files cannot contain.
  public func definition() throws(KVBindingFaults) -> KVBindingDefinition {
    let (draft, unwritable) = collect(index: nil)
    let (definition, faults) = draft.check()
    guard let definition, unwritable.isEmpty else { throw KVBindingFaults(faults + unwritable) }
    return definition
  }

  /// Whether some field has a value that files cannot contain.
  var hasUnwritableValues: Bool { !collect(index: nil).faults.isEmpty }

  /// Returns the fields that files can contain, and the faults of the others.
  private func collect(index: Int?) -> (draft: BindingDraft, faults: [KVBindingFault]) {
    var draft = BindingDraft()
    var faults: [KVBindingFault] = []
    for field in DefinitionField.all {
      do throws(KVBindingFaults) { try field.collect(self, &draft) } catch {
        faults += error.of(index: index, key: key.isEmpty ? nil : key)
      }
    }
    return (draft, faults)
  }
}
