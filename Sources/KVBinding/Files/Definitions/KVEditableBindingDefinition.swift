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
/// Texts may be empty, or no key paths as yet: ``faults`` says what is missing, after each edit. Fields that are not
/// texts take the raw values of their enums by key: `setValue("oneWay", forKey: "direction")`.
public final class KVEditableBindingDefinition: KVObject {
  /// The name by which a set finds the binding; empty for none.
  @KVProperty public var key = ""
  /// The path from the owner to the source; empty for the owner itself.
  @KVProperty public var pathToSource = ""
  /// The path from the owner to the target; empty for the owner itself.
  @KVProperty public var pathToTarget = ""
  /// The path from the source to its value.
  @KVProperty public var sourceKeyPath = ""
  /// The path from the target to its value.
  @KVProperty public var targetKeyPath = ""
  /// Which end follows which.
  @KVProperty public var direction = KVBindingDirection.twoWay
  /// The name of the transformer; empty for none.
  @KVProperty public var transformerName = ""
  /// Which end takes the other's value at the beginning.
  @KVProperty public var initialSync = KVInitialSync.automatic
  /// What the target gets for a nil of the source: a text, a number or a truth value.
  @KVProperty public var nullPlaceholder: Any?
  /// What the target gets while the source's path leads nowhere: a text, a number or a truth value.
  @KVProperty public var fallback: Any?
  /// Whether the receiver's validator is asked.
  @KVProperty public var validates = false
  /// Whether equal values are not set.
  @KVProperty public var skipsEqual = true
  /// When a change of the target goes to the source.
  @KVProperty public var trigger = KVUpdateTrigger.onChange

  /// The keys of all fields, none of them to-many: what an editor observes.
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

  /// Makes a blank definition.
  public override init() {}

  /// Makes an editable copy of a definition.
  ///
  /// - Parameter definition: The definition.
  public convenience init(_ definition: KVBindingDefinition) { self.init(KVBindingDraft(definition)) }

  /// Makes an editable copy of a draft.
  package init(_ draft: KVBindingDraft) {
    super.init()
    self.draft = draft
  }

  /// All fields as a value; setting it sets those fields that differ.
  package var draft: KVBindingDraft {
    get {
      var draft = KVBindingDraft()
      // What files cannot hold is a fault of its own.
      for field in DefinitionField.all { try? field.collect(self, &draft) }
      return draft
    }
    set {
      for field in DefinitionField.all { field.edit(newValue, self) }
    }
  }

  /// What is missing or malformed, and transformers that nobody knows or that cannot go back; observable.
  public var faults: [KVBindingFault] { faults(index: nil) }

  /// Returns the faults as those of the definition at an index.
  func faults(index: Int?) -> [KVBindingFault] { draft.faults(index: index) + scalarFaults(index: index) }

  /// The sentences of ``faults``, one a line, observable; empty if all is well.
  public var summary: String { faults.map(\.message).joined(separator: "\n") }

  /// Returns the definition.
  ///
  /// - Returns: The definition.
  /// - Throws: ``KVBindingFaults``: every path that is missing or malformed, and every placeholder that files cannot
  ///   hold.
  public func definition() throws(KVBindingFaults) -> KVBindingDefinition {
    let (definition, faults) = draft.check()
    let scalarFaults = scalarFaults(index: nil)
    guard let definition, scalarFaults.isEmpty else { throw KVBindingFaults(faults + scalarFaults) }
    return definition
  }

  /// What is wrong with the values that may be of any type.
  private func scalarFaults(index: Int?) -> [KVBindingFault] {
    var draft = KVBindingDraft()
    var faults: [KVBindingFault] = []
    for field in DefinitionField.all {
      do throws(KVBindingFaults) { try field.collect(self, &draft) } catch {
        faults += error.of(index: index, key: key.isEmpty ? nil : key)
      }
    }
    return faults
  }
}
