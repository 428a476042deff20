import KVBinding
import KVCore

/// The combined changes of the edits of one update (CTR.6).
struct UpdateSummary {
  /// The edits of the content, composed into runs; see `Array.compose(_:)`.
  private(set) var content: [IndexedEdit<Never>] = []
  /// Whether the model that the content is bound to has made some of these edits, so that it is notified if they are undone.
  private(set) var isEditedByModel = false
  /// The edits of the arrangement, composed into runs.
  private(set) var arranged: [IndexedEdit<Never>] = []
  /// The number of elements that the compositions of either have gone through, for tests.
  private(set) var steps = (content: 0, arranged: 0)
  /// Whether the arrangement has changed, so that an empty selection is avoided (CTR.30).
  var isRearranged = false
  /// The observed paths through arrays of which an element has changed.
  var changedMappedKeys: Set<InternedKey> = []

  mutating func add<Element>(_ edit: IndexedEdit<Element>, isByModel: Bool) {
    if isByModel { isEditedByModel = true }
    steps.content += content.compose(IndexedEdit(removing: edit.removedIndexes, adding: edit.addedIndexes))
  }

  mutating func add<Element>(_ change: ArrangementChange<Element>) {
    if change.kind == .none { return }
    isRearranged = true
    steps.arranged += arranged.compose(IndexedEdit(removing: change.removed, adding: change.inserted))
  }
}
