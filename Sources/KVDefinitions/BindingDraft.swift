import KVBinding
import KVCore
import KVDocuments

/// An unfinished definition: each field is a text that may be empty or malformed.
///
/// Files are read into drafts, and written from drafts, so that an editor can open and save unfinished definitions.
/// ``definition()`` converts a draft to a definition, ``init(_:)`` converts it back.
package struct BindingDraft: Sendable, Hashable {
  /// The name by which a set finds the binding; empty if it has none.
  package var key = ""
  /// The path from the owner to the source; empty for the owner itself.
  package var pathToSource = ""
  /// The path from the owner to the target; empty for the owner itself.
  package var pathToTarget = ""
  /// The path from the source to its value.
  package var sourceKeyPath = ""
  /// The path from the target to its value.
  package var targetKeyPath = ""
  /// The direction in which changes are propagated; `twoWay` by default, as in Bindings for iOS.
  package var direction = KVBindingDirection.twoWay
  /// The name of the transformer; empty if there is none.
  package var transformerName = ""
  /// The endpoint whose value is propagated when the binding is made.
  package var initialSync = KVInitialSync.automatic
  /// The value of the target for a nil of the source.
  package var nullPlaceholder: KVBindingScalar?
  /// The value of the target while the path of the source cannot be resolved.
  package var fallback: KVBindingScalar?
  /// The value of the target while nothing is selected.
  package var noSelection: KVBindingScalar?
  /// The value of the target while the selected objects have different values.
  package var multipleValues: KVBindingScalar?
  /// The value of the target while a selected object does not have the key.
  package var notApplicable: KVBindingScalar?
  /// Whether a change of the target is written to several selected objects.
  package var allowsEditingMultipleValues = true
  /// Whether the receiver's validator is called.
  package var validates = false
  /// Whether equal values are not set.
  package var skipsEqual = true
  /// When a change of the target is propagated to the source.
  package var trigger = KVUpdateTrigger.onChange

  /// Creates a blank draft.
  package init() {}

  /// Creates a draft of a definition.
  ///
  /// - Parameter definition: The definition.
  package init(_ definition: KVBindingDefinition) {
    for field in DefinitionField.all { field.load(definition, &self) }
  }

  /// The faults: missing and malformed fields, unknown transformers, and forward-only transformers in bindings that
  /// propagate values to the source.
  package var faults: [KVBindingFault] { faults(index: nil) }

  /// Returns the faults as those of the definition at an index.
  func faults(index: Int?) -> [KVBindingFault] {
    let goesBackward = direction.goesBackward || initialSync == .fromTarget
    let transformerFault = DefinitionChecks.transformerFault(
      transformerName, goesBackward: goesBackward, index: index, key: name)
    return check(index: index).faults + (transformerFault.map { [$0] } ?? [])
  }

  /// Returns the definition, whose transformer need not be registered yet, or the faults of the draft.
  func check(
    index: Int? = nil, format: KVDocument.Format = .json
  ) -> (definition: KVBindingDefinition?, faults: [KVBindingFault]) {
    var definition = KVBindingDefinition("self", to: "self")
    var faults: [KVBindingFault] = []
    for field in DefinitionField.all {
      do throws(KVBindingFaults) { try field.store(self, field.name(in: format), &definition) } catch {
        faults += error.of(index: index, key: name)
      }
    }
    return (faults.isEmpty ? definition : nil, faults)
  }

  private var name: String? { key.isEmpty ? nil : key }
}
