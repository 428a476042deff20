import KVBinding
import KVCore

// Operations on some elements.
extension ArrangedContent {
  /// Inserts elements into the content.
  ///
  /// Each is filtered. While the arrangement is automatic, or without descriptors, an element that passes is inserted in
  /// order; else at the end, or at an exact index (CTR.19, CTR.21).
  ///
  /// - Parameters:
  ///   - new: The elements.
  ///   - indexes: The content index of each after the insertion, in any order.
  ///   - arranged: The ascending arranged index of each after the insertion, as given to
  ///     ``contentIndexes(insertingAt:)``; it counts where an element is not inserted in order.
  /// - Complexity: *k* evaluations and O(*k* log *n*) comparisons, and one move of the references.
  package func insert(_ new: [Element], at indexes: [Int], arranged: [Int]? = nil) -> ArrangementChange<Element> {
    // Sorted by content index; `arranged` indexes become those in the present arrangement.
    let sorted = indexes.indexesInOrder
    let (new, indexes) = (new[at: sorted], indexes[at: sorted])
    let exact = arranged.map { arranged in sorted.map { arranged[$0] - $0 } }
    let outcome = evaluate(new, at: indexes)
    // The first values decide what others are compared with.
    if order.count == 0, !keys.isEmpty {
      keys = keys.withoutElements()
      keys.reserve(items.count)
    }
    let slots = Array(new.indices) { makeSlot(item(new[$0])) }
    content.insert(slots, at: indexes)
    for slot in slots { index(slot) }
    var shown: [Placement] = []
    for (position, slot) in slots.enumerated() {
      failures[slot] = outcome.errors[position]
      guard outcome.passes[position] else { continue }
      readKeys(of: slot)
      shown.append(Placement(slot: slot, position: exact?[position] ?? order.count))
    }
    return change(removing: [], showing: shown)
  }

  /// Returns the content indexes for elements that are inserted at exact arranged indexes: each before the element that
  /// has the index now, or at the end (CTR.21).
  ///
  /// - Parameter arranged: The ascending arranged indexes after the insertion (TOM.1).
  /// - Returns: The content index of each after the insertion; they need not ascend.
  /// - Throws: ``KVError`` (`indexOutOfRange`).
  package func contentIndexes(insertingAt arranged: [Int]) throws(KVError) -> [Int] {
    var anchors: [Int] = []
    for (position, index) in arranged.enumerated() {
      let isAscending = position == 0 || arranged[position - 1] < index
      guard isAscending, index >= 0, index - position <= order.count else {
        throw KVError(
          .indexOutOfRange,
          isAscending
            ? "index \(index) is out of range: there are \(order.count) arranged objects, and \(arranged.count) are inserted."
            : "the indexes \(arranged) do not ascend.")
      }
      anchors.append(sourceIndex(of: index - position) ?? content.count)
    }
    var result = anchors
    for (rank, position) in anchors.indexesInOrder.enumerated() { result[position] = anchors[position] + rank }
    return result
  }

  /// Returns whether elements would be shown; throws the error of one that the predicate fails on.
  package func shows(_ elements: [Element]) throws(KVError) -> [Bool] {
    let outcome = evaluate(elements, at: Array(elements.indices), isReported: false)
    if let error = outcome.errors.min(by: { $0.key < $1.key })?.value { throw error }
    return outcome.passes
  }

  /// Removes elements from the content.
  ///
  /// - Parameter indexes: The ascending content indexes.
  /// - Complexity: O(*k* log *n*), and one move of the references.
  package func remove(at indexes: [Int]) -> ArrangementChange<Element> {
    let slots = indexes.map { content[$0] }
    let removed = slots.compactMap { order.index(of: $0) }.sorted()
    for slot in slots {
      unindex(slot)
      forgetFailure(of: slot)
    }
    content.remove(at: indexes)
    return change(removing: removed, releasing: slots)
  }

  /// Replaces elements of the content.
  ///
  /// - Parameters:
  ///   - indexes: The ascending content indexes.
  ///   - new: The new elements.
  /// - Returns: A `replacement` if all elements that are replaced in the arrangement keep their indexes.
  /// - Complexity: *k* evaluations and O(*k* log *n*) comparisons, and one move of the references.
  package func replace(at indexes: [Int], with new: [Element]) -> ArrangementChange<Element> {
    let outcome = evaluate(new, at: indexes)
    var (shown, removed): ([Placement], [Int]) = ([], [])
    var old: [Int] = []
    for (position, index) in indexes.enumerated() {
      let (oldSlot, slot) = (content[index], makeSlot(item(new[position])))
      let oldIndex = order.index(of: oldSlot)
      unindex(oldSlot)
      forgetFailure(of: oldSlot)
      content.replace(at: index, with: slot)
      moveStableIndex(from: oldSlot, to: slot)
      self.index(slot)
      old.append(oldSlot)
      if let oldIndex { removed.append(oldIndex) }
      failures[slot] = outcome.errors[position]
      guard outcome.passes[position] else { continue }
      readKeys(of: slot)
      shown.append(Placement(slot: slot, position: oldIndex ?? order.count))
    }
    return change(removing: removed.sorted(), showing: shown, releasing: old)
  }

  /// Makes an edit of the content; see ``insert(_:at:arranged:)``, ``remove(at:)`` and ``replace(at:with:)``.
  ///
  /// - Parameter edit: The edit, whose added elements are known.
  func edit(_ edit: IndexedEdit<Element>) -> ArrangementChange<Element> {
    switch edit.kind {
    case .insertion: insert(edit.added ?? [], at: edit.indexes)
    case .removal: remove(at: edit.indexes)
    case .replacement, .setting: replace(at: edit.indexes, with: edit.added ?? [])
    }
  }

  /// Filters and sorts an object again whose values may have changed: moves, shows or hides it, as often as it occurs
  /// (CTR.18).
  ///
  /// Nothing changes unless the arrangement is automatic.
  ///
  /// - Returns: `none` if the object stays where it is; else a change by indexes.
  /// - Complexity: One evaluation and O(log *n*) comparisons, and one move of the references between. No key of another
  ///   element is read.
  package func elementDidChange(_ object: ObjectIdentifier) -> ArrangementChange<Element> {
    guard isAutomatic else { return ArrangementChange(.none) }
    return didChange(slots(of: object))
  }

  /// Filters and sorts an element again; see ``elementDidChange(_:)``.
  package func elementDidChange(at contentIndex: Int) -> ArrangementChange<Element> {
    guard isAutomatic else { return ArrangementChange(.none) }
    return didChange([content[contentIndex]])
  }

  private func didChange(_ slots: [Int]) -> ArrangementChange<Element> {
    guard let first = slots.first, let item = items[first] else { return ArrangementChange(.none) }
    let (passes, error) = evaluate(item, at: first)
    var (shown, removed, old): ([Placement], [Int], [Int]) = ([], [], [])
    for slot in slots.count == 1 ? slots : slots.sorted(by: content.precedes) {
      if error != nil || !failures.isEmpty { failures[slot] = error }
      switch (order.contains(slot), passes) {
      case (false, false): break
      case (true, false): if let index = order.index(of: slot) { removed.append(index) }
      case (false, true):
        readKeys(of: slot)
        shown.append(Placement(slot: slot, position: order.count))
      case (true, true):
        if keys.isEmpty { continue }
        let new = makeSlot(item)
        readKeys(of: new, replacingSlot: slot)
        if keys.compare(slot, new) == .same {
          failures[slot] = failures[new]
          release(new)
          continue
        }
        guard let contentIndex = content.index(of: slot), let index = order.index(of: slot) else { continue }
        content.replace(at: contentIndex, with: new)
        moveStableIndex(from: slot, to: new)
        reindex(slot, as: new)
        forgetFailure(of: slot)
        old.append(slot)
        removed.append(index)
        shown.append(Placement(slot: new, position: index))
      }
    }
    return change(
      removing: removed.count > 1 ? removed.sorted() : removed, showing: shown, releasing: old, isSameElement: true)
  }

  // MARK: Reading

  /// Returns which new elements pass, and the errors of those that fail, by position.
  private func evaluate(
    _ elements: [Element], at indexes: [Int], isReported: Bool = true
  ) -> (passes: [Bool], errors: [Int: KVError]) {
    guard let predicate else { return (Array(repeating: true, count: elements.count), [:]) }
    var passes = Array(repeating: false, count: elements.count)
    var errors: [Int: KVError] = [:]
    predicate.test(elements) { position, outcome in
      switch outcome {
      case .success(let value): passes[position] = value
      case .failure(let error): errors[position] = error.of(elements[position], at: indexes[position], predicate)
      }
      return true
    }
    if isReported { for error in errors.ordered(by: { $0.key }) { onFailure(error.value) } }
    return (passes, errors)
  }

  /// Returns whether an element of the content passes, or its error.
  private func evaluate(_ item: AnyObject, at slot: Int) -> (passes: Bool, error: KVError?) {
    guard let predicate else { return (true, nil) }
    switch areObjects ? predicate.test(item) : predicate.test(value: element(slot)) {
    case .success(let passes): return (passes, nil)
    case .failure(let error):
      let located = error.of(element(slot), at: content.index(of: slot) ?? 0, predicate)
      onFailure(located)
      return (false, located)
    }
  }

  /// Reads the keys of a slot.
  ///
  /// - Parameter place: The slot of the content that it replaces; nil if it is in the content.
  private func readKeys(of slot: Int, replacingSlot original: Int? = nil) {
    guard !keys.isEmpty, let item = items[slot] else { return }
    guard let error = areObjects ? keys.read(item, to: slot) : keys.read(value: element(slot), to: slot) else { return }
    let located = error.of(element(slot), at: content.index(of: original ?? slot) ?? 0)
    failures[slot] = located
    onFailure(located)
  }

  // MARK: Changing

  /// Returns the change that removes arranged indexes, and shows slots, which are given in content order.
  ///
  /// - Parameter isSameElement: Whether the values of one element have changed.
  private func change(
    removing removed: [Int], showing shown: [Placement] = [], releasing released: [Int] = [],
    isSameElement: Bool = false
  ) -> ArrangementChange<Element> {
    let (kind, slots) = change(
      removing: removed, showing: shown, isSorted: isAutomatic, isSameElement: isSameElement)
    if kind == .none {
      for slot in released { release(slot) }
      return ArrangementChange(.none)
    }
    if isSameElement, kind == .replacement {
      apply(ArrangementChange(kind, slots, releasing: released))
      return ArrangementChange(.none)
    }
    return change(kind, slots, releasing: released)
  }

  /// Returns the change with the elements that it inserts.
  func change(
    _ kind: ArrangementKind, _ slots: IndexedEdit<Int>, releasing released: [Int] = []
  ) -> ArrangementChange<Element> {
    ArrangementChange(kind, slots, Array(slots.added ?? [], element: element), releasing: released)
  }
}
