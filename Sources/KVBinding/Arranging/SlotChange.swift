/// An ``ArrangementChange`` by slots.
struct SlotChange {
  let kind: ArrangementKind
  var removed: [Int] = []
  var inserted: [Int] = []
  /// The slots at ``inserted``.
  var insertedSlots: [Int] = []
  /// The slots that left the content, which are released with the change.
  var releasedSlots: [Int] = []
}
