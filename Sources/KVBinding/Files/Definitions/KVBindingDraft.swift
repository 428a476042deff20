import KVCore

/// A definition as an editor has it: every field is a text that may be empty, or wrong as yet.
///
/// Files are read into drafts first, and drafts are what is written; so an editor can open and save what is not
/// finished. ``definition()`` is the way from a draft to a definition, ``init(_:)`` the way back.
package struct KVBindingDraft: Sendable, Hashable {
  /// The name by which a set finds the binding; empty for none.
  package var key = ""
  /// The path from the owner to the source; empty for the owner itself.
  package var pathToSource = ""
  /// The path from the owner to the target; empty for the owner itself.
  package var pathToTarget = ""
  /// The path from the source to its value.
  package var sourceKeyPath = ""
  /// The path from the target to its value.
  package var targetKeyPath = ""
  /// Which end follows which; both, as in the original, where nothing is said.
  package var direction = KVBindingDirection.twoWay
  /// The name of the transformer; empty for none.
  package var transformerName = ""
  /// Which end takes the other's value at the beginning.
  package var initialSync = KVInitialSync.automatic
  /// What the target gets for a nil of the source.
  package var nullPlaceholder: KVBindingScalar?
  /// What the target gets while the source's path leads nowhere.
  package var fallback: KVBindingScalar?
  /// Whether the receiver's validator is asked.
  package var validates = false
  /// Whether equal values are not set.
  package var skipsEqual = true
  /// When a change of the target goes to the source.
  package var trigger = KVUpdateTrigger.onChange

  /// Makes a blank draft.
  package init() {}

  /// Makes a draft of a definition.
  ///
  /// - Parameter definition: The definition.
  package init(_ definition: KVBindingDefinition) {
    for field in DefinitionField.all { field.load(definition, &self) }
  }

  /// What is missing or malformed, and transformers that nobody knows or that only work forward where values go back.
  package var faults: [KVBindingFault] { faults(index: nil) }

  /// Returns the faults as those of the definition at an index.
  func faults(index: Int?) -> [KVBindingFault] {
    let goesBackward = direction.goesBackward || initialSync == .fromTarget
    let transformerFault = DefinitionChecks.transformerFault(
      transformerName, goesBackward: goesBackward, index: index, key: name)
    return check(index: index).faults + (transformerFault.map { [$0] } ?? [])
  }

  /// Returns the definition.
  ///
  /// - Returns: The definition. Its transformer need not be known as yet.
  /// - Throws: ``KVBindingFaults``: every path that is missing or malformed.
  package func definition() throws(KVBindingFaults) -> KVBindingDefinition {
    let (definition, faults) = check()
    guard let definition else { throw KVBindingFaults(faults) }
    return definition
  }

  /// Returns the definition, or everything that keeps the draft from being one.
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
