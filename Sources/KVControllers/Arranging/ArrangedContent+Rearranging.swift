import KVBinding
import KVCore
import KVQuery

// Operations on all elements.
extension ArrangedContent {
  /// Replaces the content, and arranges it (CTR.17).
  ///
  /// Elements that fail are hidden or sorted last, and reported to ``onFailure`` (SRT.9).
  ///
  /// - Returns: A change that is always `whole`.
  /// - Complexity: O(*n* log *n*) comparisons, *n* evaluations, each sort key read once.
  package func assign(_ new: [Element]) -> ArrangementChange<Element> {
    let slots = Array(new.indices)
    var content = SlotSequence()
    content.reserve(new.count)
    content.assign(slots)
    let sorting = sorting(new, slots, keys.withoutElements(), predicate)
    report(sorting)
    return ArrangementChange(
      .whole,
      commit: { [self] in
        let old = (items, keys)
        moveStableIndexes(from: items, to: new)
        (items, self.content, freeSlots) = (Array(new.indices) { item(new[$0]) }, content, [])
        order = SlotSequence()
        order.reserve(new.count)
        set(sorting, descriptors, predicate)
        indexObjects()
        withExtendedLifetime(old) {}
      })
  }

  /// Assigns descriptors, and rearranges; see ``set(_:_:isStrict:)``.
  package func setDescriptors(
    _ descriptors: [KVSortDescriptor], isStrict: Bool = true
  ) throws(KVError) -> ArrangementChange<Element> {
    try set(descriptors, predicate, isStrict: isStrict)
  }

  /// Assigns descriptors and predicate, and rearranges (CTR.17).
  ///
  /// - Parameter isStrict: Whether an element that fails throws; else it comes last or is hidden, and is reported.
  /// - Returns: A change that is always `whole`.
  /// - Throws: ``KVError`` with the index of the first element that a new descriptor or predicate fails on, and
  ///   `unsupported` for an unknown comparison; nothing has changed then (SRT.9).
  /// - Complexity: As ``assign(_:)``.
  package func set(
    _ descriptors: [KVSortDescriptor], _ predicate: KVPredicate?, isStrict: Bool = true
  ) throws(KVError) -> ArrangementChange<Element> {
    let sorting = sorting(contentElements, contentSlots, try SortKeyStore(descriptors, isGrouped: isGrouped), predicate)
    if isStrict {
      if predicate != self.predicate, let error = sorting.predicateError { throw error }
      if let error = sorting.descriptorError ?? sorting.keys.failure { throw error }
    }
    report(sorting)
    return whole(sorting, descriptors, predicate)
  }

  /// Assigns a predicate, and rearranges (CTR.17).
  ///
  /// - Parameter isStrict: Whether an element that the predicate fails on throws; else it is hidden, and is reported.
  /// - Returns: A change by indexes, unless no shown element stays, or the order has changed.
  /// - Throws: ``KVError`` with the index of the first element that fails; nothing has changed then (SRT.9).
  /// - Complexity: As ``assign(_:)``.
  package func setPredicate(
    _ predicate: KVPredicate?, isStrict: Bool = true
  ) throws(KVError) -> ArrangementChange<Element> {
    let sorting = sorting(contentElements, contentSlots, keys.withoutElements(), predicate)
    if isStrict, let error = sorting.predicateError { throw error }
    report(sorting)
    return difference(sorting, descriptors, predicate)
  }

  /// Reads the values of all elements again, and arranges them.
  ///
  /// - Returns: A change that is `whole` if the order has changed, else by indexes or `none`.
  /// - Complexity: As ``assign(_:)``.
  package func rearrange() -> ArrangementChange<Element> {
    let sorting = sorting(contentElements, contentSlots, keys.withoutElements(), predicate)
    report(sorting)
    return difference(sorting, descriptors, predicate)
  }

  private var contentSlots: [Int] { content.slots.map { Int($0) } }

  /// A new order, with the keys that it was made by.
  private struct Sorting {
    let keys: SortKeyStore
    var slots: [Int] = []
    /// The errors of elements, by slot and in content order.
    var failures: [(slot: Int, error: KVError)] = []
    /// The first error of the predicate.
    var predicateError: KVError?
    /// The error of the first element that a descriptor fails on.
    var descriptorError: KVError?
  }

  /// Filters and sorts elements, which are given in content order, with their slots.
  private func sorting(
    _ elements: [Element], _ slots: [Int], _ keys: SortKeyStore, _ predicate: KVPredicate?
  ) -> Sorting {
    var sorting = Sorting(keys: keys)
    keys.reserve((slots.max() ?? -1) + 1)
    var errors: [Int: KVError] = [:]
    var (shown, visibleSlots) = (elements, slots)
    var positions = Array(elements.indices)
    if let predicate {
      positions = passing(predicate, elements) { errors[$0] = $1 }
      sorting.predicateError = errors.min { $0.key < $1.key }?.value
      (shown, visibleSlots) = (elements[at: positions], slots[at: positions])
    }
    if !keys.isEmpty {
      var keyErrors: [Int: KVError] = [:]
      keys.read(shown, to: visibleSlots) { index, error in
        let position = positions[index]
        keyErrors[position] = keyErrors[position] ?? error.of(elements[position], at: position)
      }
      sorting.descriptorError = keyErrors.min { $0.key < $1.key }?.value
      errors.merge(keyErrors) { old, _ in old }
    }
    sorting.failures = errors.ordered { $0.key }.map { (slots[$0.key], $0.value) }
    sorting.slots = keys.sorted(visibleSlots)
    return sorting
  }

  /// Returns the indexes of the elements that pass; calls a function with the indexes and errors of those that fail.
  func passing(_ predicate: KVPredicate, _ elements: [Element], onFailure: (Int, KVError) -> Void) -> [Int] {
    var result: [Int] = []
    predicate.test(elements) { index, outcome in
      switch outcome {
      case .success(let passes): if passes { result.append(index) }
      case .failure(let error): onFailure(index, error.of(elements[index], at: index, predicate))
      }
      return true
    }
    return result
  }

  private func report(_ sorting: Sorting) { for failure in sorting.failures { onFailure(failure.error) } }

  private func set(_ sorting: Sorting) {
    keys = sorting.keys
    keys.reserve(items.count)
    failures = Dictionary(uniqueKeysWithValues: sorting.failures.map { ($0.slot, $0.error) })
  }

  private func set(_ sorting: Sorting, _ descriptors: [KVSortDescriptor], _ predicate: KVPredicate?) {
    (self.descriptors, self.predicate) = (descriptors, predicate)
    set(sorting)
    order.assign(sorting.slots)
    let old = elements
    elements = Array(sorting.slots, element: element)
    withExtendedLifetime(old) {}
  }

  private func whole(
    _ sorting: Sorting, _ descriptors: [KVSortDescriptor], _ predicate: KVPredicate?
  ) -> ArrangementChange<Element> {
    ArrangementChange(.whole, commit: { [self] in set(sorting, descriptors, predicate) })
  }

  /// Returns the change to a new order of the same content.
  private func difference(
    _ sorting: Sorting, _ descriptors: [KVSortDescriptor], _ predicate: KVPredicate?
  ) -> ArrangementChange<Element> {
    let isShown = sorting.slots.reduce(into: Array(repeating: false, count: items.count)) { $0[$1] = true }
    let removed = order.slots.indices.filter { !isShown[order[$0]] }
    let inserted = sorting.slots.indices.filter { !order.contains(sorting.slots[$0]) }
    let kept = order.slots.lazy.map { Int($0) }.filter { isShown[$0] }
    let isInOrder = kept.elementsEqual(sorting.slots.lazy.filter { [self] in order.contains($0) })
    let isWhole = !isInOrder || removed.count == order.count && !removed.isEmpty && !inserted.isEmpty
    if isWhole || isGrouped { return whole(sorting, descriptors, predicate) }
    (self.descriptors, self.predicate) = (descriptors, predicate)
    set(sorting)
    if removed.isEmpty && inserted.isEmpty { return ArrangementChange(.none) }
    let slots = inserted.map { sorting.slots[$0] }
    return change(.indexes, IndexedEdit(removing: removed, adding: inserted, slots))
  }
}
