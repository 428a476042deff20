import KVBinding
import KVCore
import KVQuery

/// A content, and those of its elements that pass a predicate, in the order of descriptors: what ``KVArrangement`` and the
/// array controller have in common (SRT.9, SRT.12, CTR.17–21).
///
/// ```swift
/// let songs = ArrangedContent<Song>()
/// songs.isAutomatic = true
/// songs.apply(songs.assign(library.songs))
/// let change = songs.insert([song], at: [0])       // computes everything, and changes nothing that observers see
/// ```
///
/// It observes and notifies nothing. Each operation takes an edit of the content, reads and compares what it needs, and
/// returns an ``ArrangementChange``. The caller applies it, in the two steps that it notifies of, before it calls the next
/// operation. Indexes are *content indexes* or *arranged indexes*.
///
/// Each element has a slot, which does not change while the element keeps its values. Two ``SlotSequence``s are the content
/// and the arrangement, so that each index is found from the other one. The sort keys are kept by slot. An element whose
/// values change gets another slot: the old slot keeps its old keys, and its place in the order, until it is removed.
package final class ArrangedContent<Element>: ArrangedSlots {
  /// The arranged elements.
  package internal(set) var elements: [Element] = []
  package internal(set) var descriptors: [KVSortDescriptor] = []
  package internal(set) var predicate: KVPredicate?
  /// Whether new and changed elements are sorted (CTR.18).
  ///
  /// The caller calls ``rearrange()`` after setting it to `true`.
  package var isAutomatic = false {
    didSet { if isAutomatic != oldValue, !findsObjects { indexObjects() } }
  }
  /// Whether ``contentIndexes(of:)`` has been called, so that the slots of objects are kept.
  package var findsObjects = false {
    didSet { if findsObjects != oldValue, !isAutomatic { indexObjects() } }
  }

  /// Whether the elements are of a class.
  let areObjects = Element.self is AnyClass
  /// The slots of each object of the content, while the arrangement is automatic or finds objects.
  var slotsOfObjects = SlotTable()
  /// Called with the error of each element that fails, and its content index (SRT.9).
  package var onFailure: (KVError) -> Void = { _ in }

  package override init() { super.init() }

  // MARK: Reading

  /// The number of elements of the content.
  package var count: Int { content.count }
  /// The number of comparisons of two elements since the last change of the descriptors, without those of whole sorts.
  package var comparisons: Int { keys.comparisons }

  /// The element at a content index.
  package func contentElement(at index: Int) -> Element {
    element(content[index])
  }

  /// The elements of the content.
  ///
  /// - Complexity: O(*n*).
  package var contentElements: [Element] { Array(0..<count, element: contentElement) }

  /// The error of the first element, by content index, that the predicate or a descriptor fails on; nil if none does
  /// (SRT.9).
  ///
  /// - Complexity: O(*n*) in the number of failing elements.
  package var error: KVError? {
    failures.min { content.precedes($0.key, $1.key) }?.value ?? keys.failure
  }

  /// Returns the content index of an arranged index (SRT.10).
  ///
  /// - Complexity: O(log *n*).
  package func sourceIndex(of arrangedIndex: Int) -> Int? {
    arrangedIndex >= 0 && arrangedIndex < order.count ? content.index(of: order[arrangedIndex]) : nil
  }

  /// Returns the arranged index of a content index; nil if the element is hidden (SRT.10).
  ///
  /// - Complexity: O(log *n*).
  package func index(ofSource contentIndex: Int) -> Int? {
    contentIndex >= 0 && contentIndex < content.count ? order.index(of: content[contentIndex]) : nil
  }

  /// Returns the content indexes of an object, ascending.
  ///
  /// - Complexity: O(log *n*) for each; O(*n*) for the first call after ``findsObjects`` was false.
  package func contentIndexes(of object: ObjectIdentifier) -> [Int] {
    findsObjects = true
    return slots(of: object).compactMap { content.index(of: $0) }.sorted()
  }

  /// The key paths that the order and the filter depend on: what is observed on each element (CTR.18).
  package var keyPaths: Set<KVKeyPath> { Self.keyPaths(descriptors, predicate) }

  package static func keyPaths(_ descriptors: [KVSortDescriptor], _ predicate: KVPredicate?) -> Set<KVKeyPath> {
    var paths = predicate?.keyPaths ?? []
    for descriptor in descriptors { descriptor.keyPath.add(to: &paths) }
    return paths.subtracting(["self"])
  }

  /// Whether ``rearrange()`` is to be called: the values that others could not be compared with are gone (SRT.9).
  package var isStale: Bool { keys.isStale(order.slots) }

  /// Returns whether the first descriptor does not tell two arranged elements apart.
  func isSameGroup(_ left: Int, _ right: Int) -> Bool { keys.areAlike(order[left], order[right]) }

  /// Returns the value of the first descriptor of an arranged element, and what is compared of it.
  func groupKey(at index: Int) -> (value: Any?, compared: Any?) { keys.firstValue(of: order[index]) }

  // MARK: Applying

  /// Applies the step of a kind that a change has; see ``ArrangementChange/steps(_:)``.
  func apply(_ kind: KVChangeKind, of change: ArrangementChange<Element>) {
    switch kind {
    case .removal: remove(change)
    case .insertion:
      if change.removed.isEmpty { remove(change) }
      insert(change)
    case .replacement, .setting: apply(change)
    }
  }

  /// Applies a change that is not made by indexes.
  package func apply(_ change: ArrangementChange<Element>) {
    if let commit = change.commit { return commit() }
    if change.kind == .replacement {
      for (index, slot) in zip(change.inserted, change.insertedSlots) {
        order.replace(at: index, with: slot)
        let old = elements[index]
        elements[index] = element(slot)
        withExtendedLifetime(old) {}
      }
      return release(change)
    }
    remove(change)
    insert(change)
  }

  /// Removes what a change by indexes removes.
  package func remove(_ change: ArrangementChange<Element>) {
    let removed = change.removed
    if removed.count == 1 {
      let slot = order[removed[0]]
      order.remove(at: removed)
      let old = elements.remove(at: removed[0])
      order.release(slot)
      release(change)
      return withExtendedLifetime(old) {}
    }
    let slots = removed.map { order[$0] }
    let old = elements[at: removed]
    order.remove(at: removed)
    elements.remove(at: removed)
    for slot in slots { order.release(slot) }
    release(change)
    withExtendedLifetime(old) {}
  }

  /// Inserts what a change by indexes inserts, after ``remove(_:)``.
  package func insert(_ change: ArrangementChange<Element>) {
    order.insert(change.insertedSlots, at: change.inserted)
    elements.insert(change.insertedElements, at: change.inserted)
  }

  private func release(_ change: ArrangementChange<Element>) {
    for slot in change.releasedSlots { release(slot) }
  }
}
