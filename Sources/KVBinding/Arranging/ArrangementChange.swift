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
  package enum Kind {
    case none, replacement, indexes, whole
  }

  package let kind: Kind
  /// The ascending indexes of what is removed or replaced, in the arrangement before the change.
  package let removed: [Int]
  /// The ascending indexes of what is inserted or replaces, in the arrangement after the whole change.
  package let inserted: [Int]
  /// The elements at ``inserted``; empty for a change of a whole state.
  let insertedElements: [Element]
  /// The slots at ``inserted``.
  let insertedSlots: [Int]
  /// The slots that left the content, which are released with the change.
  let releasedSlots: [Int]
  /// Sets the whole state.
  let commit: (() -> Void)?

  init(
    _ kind: Kind, removed: [Int] = [], inserted: [Int] = [], elements: [Element] = [], slots: [Int] = [],
    releasing releasedSlots: [Int] = [], commit: (() -> Void)? = nil
  ) {
    self.kind = kind
    self.removed = removed
    self.inserted = inserted
    insertedElements = elements
    insertedSlots = slots
    self.releasedSlots = releasedSlots
    self.commit = commit
  }
}
