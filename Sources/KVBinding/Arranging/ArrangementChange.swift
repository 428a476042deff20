/// How an operation of ``ArrangedContent`` changes its arrangement.
///
/// The operation has computed everything. The caller applies the change, notifies, and does so before the next operation:
///
/// - `none`: there is nothing to apply or to notify of;
/// - `replacement`: ``ArrangedContent/apply(_:)``, and one replacement at ``inserted``;
/// - `indexes`: ``ArrangedContent/remove(_:)`` and one removal at ``removed`` unless that is empty, then
///   ``ArrangedContent/insert(_:)`` and one insertion at ``inserted`` unless that is empty;
/// - `whole`: ``ArrangedContent/apply(_:)``, and one setting with the arrays before and after.
package struct ArrangementChange<Element> {
  let slots: SlotChange
  /// The elements at ``inserted``; empty for a change of a whole state.
  let insertedElements: [Element]
  /// Sets the whole state.
  let commit: (() -> Void)?

  package var kind: ArrangementKind { slots.kind }
  /// The ascending indexes of what is removed or replaced, in the arrangement before the change.
  package var removed: [Int] { slots.removed }
  /// The ascending indexes of what is inserted or replaces, in the arrangement after the whole change.
  package var inserted: [Int] { slots.inserted }

  init(_ slots: SlotChange, _ insertedElements: [Element] = [], commit: (() -> Void)? = nil) {
    self.slots = slots
    self.insertedElements = insertedElements
    self.commit = commit
  }

  init(_ kind: ArrangementKind, commit: (() -> Void)? = nil) { self.init(SlotChange(kind: kind), commit: commit) }
}
