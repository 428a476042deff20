import KVBinding
import KVCore

/// How an operation of ``ArrangedContent`` changes its arrangement.
///
/// The operation has computed everything. The caller applies the change, notifies, and does so before the next operation,
/// in the steps that ``steps(_:)`` returns:
///
/// - `none`: there is nothing to apply or to notify of;
/// - `replacement`: ``ArrangedContent/apply(_:)``, and one replacement at ``inserted``;
/// - `indexes`: ``ArrangedContent/remove(_:)`` and one removal at ``removed`` unless that is empty, then
///   ``ArrangedContent/insert(_:)`` and one insertion at ``inserted`` unless that is empty;
/// - `whole`: ``ArrangedContent/apply(_:)``, and one setting with the arrays before and after.
package struct ArrangementChange<Element> {
  package let kind: ArrangementKind
  /// The change by slots: those that are removed are not known.
  let slots: IndexedEdit<Int>
  /// The elements at ``inserted``; empty for a change of a whole state.
  let insertedElements: [Element]
  /// The slots that left the content, which are released with the change.
  let releasedSlots: [Int]
  /// Sets the whole state.
  let commit: (() -> Void)?

  /// The ascending indexes of what is removed or replaced, in the arrangement before the change.
  package var removed: [Int] { slots.removedIndexes }
  /// The ascending indexes of what is inserted or replaces, in the arrangement after the whole change.
  package var inserted: [Int] { slots.addedIndexes }
  /// The change as one edit; nil for a change of a whole state.
  var edit: IndexedEdit<Int>? { commit == nil ? slots : nil }
  /// The slots at ``inserted``.
  var insertedSlots: [Int] { slots.added ?? [] }

  init(
    _ kind: ArrangementKind, _ slots: IndexedEdit<Int> = IndexedEdit(.insertion, at: [], added: []),
    _ insertedElements: [Element] = [], releasing releasedSlots: [Int] = [], commit: (() -> Void)? = nil
  ) {
    self.kind = kind
    self.slots = slots
    self.insertedElements = insertedElements
    self.releasedSlots = releasedSlots
    self.commit = commit
  }

  /// Returns the steps of the change, the first one first.
  ///
  /// - Parameter make: Makes the step of a kind, at its indexes, which are nil for a setting: applies it by
  ///   ``ArrangedContent/apply(_:of:)``, and notifies.
  func steps(_ make: @escaping (_ kind: KVChangeKind, _ indexes: [Int]?) -> Void) -> [() -> Void] {
    switch kind {
    case .none: []
    case .replacement: [{ make(.replacement, inserted) }]
    case .whole: [{ make(.setting, nil) }]
    case .indexes where inserted.isEmpty: [{ make(.removal, removed) }]
    case .indexes where removed.isEmpty: [{ make(.insertion, inserted) }]
    case .indexes: [{ make(.removal, removed) }, { make(.insertion, inserted) }]
    }
  }
}
