import KVCore

extension KVController.Keys {
  static let arrangedObjects = KVKey("arrangedObjects")
  static let sortDescriptors = KVKey("sortDescriptors")
  static let filterPredicate = KVKey("filterPredicate")
  static let automaticallyRearrangesObjects = KVKey("automaticallyRearrangesObjects")
  static let avoidsEmptySelection = KVKey("avoidsEmptySelection")
  static let preservesSelection = KVKey("preservesSelection")
  static let selectsInsertedObjects = KVKey("selectsInsertedObjects")
  static let clearsFilterPredicateOnInsertion = KVKey("clearsFilterPredicateOnInsertion")
  static let selectionIndexes = KVKey("selectionIndexes")
  static let selectionIndex = KVKey("selectionIndex")
  static let canSelectNext = KVKey("canSelectNext")
  static let canSelectPrevious = KVKey("canSelectPrevious")
}

extension KVArrayController {
  /// What the keys of the controller show.
  struct ArrayState {
    var content: [Element] = []
    /// The arranged objects; nil for those of the arrangement, so that they are edited in place.
    var arranged: [Element]?
    var selection = ArraySelection()
    var sortDescriptors: [KVSortDescriptor] = []
    var filterPredicate: KVPredicate?
    var isAutomatic = false
    var avoidsEmptySelection = true
    var preservesSelection = true
    var selectsInsertedObjects = true
    var clearsFilterPredicateOnInsertion = true
    /// Counts the changes.
    var version = 0
  }

  /// What a call of `update(_:)` has changed by index.
  struct Composite {
    var content = IndexEdits()
    var arranged = IndexEdits()
    /// Whether the arrangement has changed, so that an empty selection is avoided (CTR.30).
    var hasRearranged = false
    /// Whether an override of `arrange(_:)` has made the arrangement, so that it is not known by index.
    var isOverridden = false
    /// The observed paths through arrays of which an element has changed.
    var changedMappedKeys: Set<KVKey> = []
  }

  // MARK: Keys

  /// The objects that pass the filter, sorted (CTR.17).
  ///
  /// - Complexity: O(1).
  public final var arrangedObjects: [Element] { shown?.arranged ?? customArrangement ?? arrangement.elements }

  /// The selected indexes of ``arrangedObjects``, ascending (CTR.25).
  ///
  /// Assigning ignores indexes that are out of range. Edits that are not committed are committed first; if that fails,
  /// the error is reported and nothing is selected (CTR.27).
  public final var selectionIndexes: [Int] {
    get { visible.selection.indexes }
    set { selectReporting("selectionIndexes", followingIndexes(newValue)) }
  }

  /// The first selected index; nil if nothing is selected (CTR.25).
  public final var selectionIndex: Int? {
    get { visible.selection.first }
    set { selectReporting("selectionIndex", followingIndexes(newValue.map { [$0] } ?? [])) }
  }

  /// The selected objects, in arranged order (CTR.26).
  ///
  /// Assigning selects the first free index of each object, of identical objects before equal ones, and ignores objects
  /// that are not arranged. Otherwise it is as ``selectionIndexes``.
  ///
  /// - Complexity: O(*s*) for *s* selected objects; assigning O(*n*).
  public final var selectedObjects: [Element] {
    get {
      let arranged = arrangedObjects
      return visible.selection.indexes.map { arranged[$0] }
    }
    set { selectReporting("selectedObjects") { indexes(of: newValue) } }
  }

  /// Whether ``selectNext()`` has an effect (CTR.31).
  public final var canSelectNext: Bool { visible.selection.next(count: arrangedObjects.count) != nil }
  /// Whether ``selectPrevious()`` has an effect (CTR.31).
  public final var canSelectPrevious: Bool { visible.selection.previous != nil }

  /// The error of the first element that the filter or a descriptor fails on; nil if none does (CTR.24).
  public final var arrangementError: KVError? { arrangement.error }

  var visible: ArrayState { shown ?? current }

  func reportFailure(_ error: KVError) {
    KVDiagnostics.report(.error, .faultyValue, "arrangedObjects", self, nil) { "\(error)" }
  }

  // MARK: Updates

  func isObserved(_ key: KVKey) -> Bool {
    isUpdating || ObserverRegistrar.existing(of: self)?.mayObserve(key) ?? false
      || mappedKeys.contains { $0.key?.collection == key }
  }

  /// Adds the changes of the keys that depend on the selection and on the number of arranged objects (CTR.9).
  ///
  /// - Parameters:
  ///   - old: The former selection, and the former number of arranged objects.
  ///   - new: Both after the update.
  ///   - isSame: Whether the selected objects are the same.
  func addSelectionChanges(
    _ changes: inout [KeyChange], from old: (selection: ArraySelection, count: Int),
    to new: (selection: ArraySelection, count: Int), isSame: Bool
  ) {
    func add(_ key: KVKey) { if isObserved(key) { changes.append(KeyChange(key)) } }
    if !isSame || old.selection != new.selection {
      add(Keys.selectionIndexes)
      add(Keys.selectionIndex)
    }
    if !isSame {
      add(Keys.selectedObjects)
      add(Keys.selection)
    }
    if canAdd, old.selection.isEmpty != new.selection.isEmpty { add(Keys.canRemove) }
    if (old.selection.next(count: old.count) == nil) != (new.selection.next(count: new.count) == nil) {
      add(Keys.canSelectNext)
    }
    if (old.selection.previous == nil) != (new.selection.previous == nil) { add(Keys.canSelectPrevious) }
  }

  func isSame(_ left: [Element], _ right: [Element]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { Self.isSame($0, $1) }
  }

  /// Returns whether objects are identical, or values equal (CO.7).
  static func isSame(_ left: Element, _ right: Element) -> Bool {
    if let id = ArrangedContent<Element>.identity(of: left) { return id == ArrangedContent.identity(of: right) }
    return Equality.areEqual(left, right)
  }
}
