import KVBinding
import KVCore

extension KVArrayController {
  /// The objects that pass the filter, sorted (CTR.17).
  ///
  /// - Complexity: O(1).
  public final var arrangedObjects: [Element] { model.presentedElements }

  /// The selected indexes of ``arrangedObjects``, ascending (CTR.25).
  ///
  /// Assigning ignores indexes that are out of range. Edits that are not committed are committed first; if that fails,
  /// the error is reported and nothing is selected (CTR.27).
  public final var selectionIndexes: [Int] {
    get { model.presentedSelection.indexes }
    set {
      let indexes = followingIndexes(newValue)
      if commitsEditing(beforeSetting: "selectionIndexes") { selectNow(indexes) }
    }
  }

  /// The first selected index; nil if nothing is selected (CTR.25).
  public final var selectionIndex: Int? {
    get { model.presentedSelection.first }
    set {
      let indexes = followingIndexes(newValue.map { [$0] } ?? [])
      if commitsEditing(beforeSetting: "selectionIndex") { selectNow(indexes) }
    }
  }

  /// The selected objects, in arranged order (CTR.26).
  ///
  /// Assigning selects the first free index of each object, of identical objects before equal ones, and ignores objects
  /// that are not arranged. Otherwise it is as ``selectionIndexes``.
  ///
  /// - Complexity: O(*s*) for *s* selected objects; assigning O(*n*).
  public final var selectedObjects: [Element] {
    get { model.presentedSelectedElements }
    set { if commitsEditing(beforeSetting: "selectedObjects") { selectNow { model.indexes(of: newValue) } } }
  }

  /// Whether ``selectNext()`` has an effect (CTR.31).
  public final var canSelectNext: Bool { model.presentedSelection.next(count: arrangedObjects.count) != nil }
  /// Whether ``selectPrevious()`` has an effect (CTR.31).
  public final var canSelectPrevious: Bool { model.presentedSelection.previous != nil }

  /// The error of the first element that the filter or a descriptor fails on; nil if none does (CTR.24).
  ///
  /// It is a key, which can be observed and bound.
  public final var arrangementError: KVError? { model.presentedState.arrangementError }
}
