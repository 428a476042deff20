import KVBinding
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
  static let arrangementError = KVKey("arrangementError")
}

extension KVArrayController {
  /// What a call of `update(_:)` has changed by index.
  struct Composite {
    /// The edits of the content, composed into runs; see `Array.compose(_:)`.
    private(set) var content: [IndexedEdit<Never>] = []
    /// Whether the model has made some of these edits, so that it has to be told if they are undone.
    var isEditedByModel = false
    /// The edits of the arrangement, composed into runs.
    private(set) var arranged: [IndexedEdit<Never>] = []
    /// The number of elements that the compositions of either have gone through, for tests.
    private(set) var steps = (content: 0, arranged: 0)
    /// Whether the arrangement has changed, so that an empty selection is avoided (CTR.30).
    var hasRearranged = false
    /// The observed paths through arrays of which an element has changed.
    var changedMappedKeys: Set<KVKey> = []

    mutating func editContent(_ edit: IndexedEdit<Never>) { steps.content += content.compose(edit) }
    mutating func editArranged(_ edit: IndexedEdit<Never>) { steps.arranged += arranged.compose(edit) }
  }

  // MARK: Keys

  /// The objects that pass the filter, sorted (CTR.17).
  ///
  /// - Complexity: O(1).
  public final var arrangedObjects: [Element] { shown?.arranged ?? arrangement.elements }

  /// The selected indexes of ``arrangedObjects``, ascending (CTR.25).
  ///
  /// Assigning ignores indexes that are out of range. Edits that are not committed are committed first; if that fails,
  /// the error is reported and nothing is selected (CTR.27).
  public final var selectionIndexes: [Int] {
    get { visibleSelection.indexes }
    set { selectReporting("selectionIndexes", followingIndexes(newValue)) }
  }

  /// The first selected index; nil if nothing is selected (CTR.25).
  public final var selectionIndex: Int? {
    get { visibleSelection.first }
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
      return arranged[at: visibleSelection.indexes]
    }
    set { selectReporting("selectedObjects") { indexes(of: newValue) } }
  }

  /// Whether ``selectNext()`` has an effect (CTR.31).
  public final var canSelectNext: Bool { visibleSelection.next(count: arrangedObjects.count) != nil }
  /// Whether ``selectPrevious()`` has an effect (CTR.31).
  public final var canSelectPrevious: Bool { visibleSelection.previous != nil }

  /// The error of the first element that the filter or a descriptor fails on; nil if none does (CTR.24).
  ///
  /// It is a key, which can be observed and bound.
  public final var arrangementError: KVError? { visible.arrangementError }

  var visible: ArrayState { shown?.state ?? current }
  var visibleContent: [Element] { shown?.content ?? currentContent }
  var visibleSelection: ArraySelection { shown?.state.selection ?? current.selection }

  /// Returns the change to the error that the arrangement has now; nil if the controller shows it already.
  ///
  /// A change by index has its errors before it is applied.
  func changeOfError(_ update: KeyUpdate?) -> KeyUpdate? {
    let (shown, error) = (current.arrangementError, arrangement.error)
    if Self.isSame(shown, error) { return update }
    var update = update ?? KeyUpdate {}
    if isObserved(Keys.arrangementError) { update.changes.append(KeyChange(Keys.arrangementError)) }
    let apply = update.apply
    update.apply = { [self] in
      current.arrangementError = error
      current.version += 1
      apply()
    }
    return update
  }

  /// Returns whether two errors say the same.
  static func isSame(_ left: KVError?, _ right: KVError?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.description == right.description
  }

  func reportFailure(_ error: KVError) {
    KVDiagnostics.report(.error, .faultyValue, "arrangedObjects", self, nil) { "\(error)" }
  }

  // MARK: Updates

  func isSame(_ left: [Element], _ right: [Element]) -> Bool {
    left.count == right.count && left.indices.allSatisfy { Self.isSame(left[$0], right[$0]) }
  }

  /// Returns whether objects are identical, or values equal (CO.7).
  static func isSame(_ left: Element, _ right: Element) -> Bool {
    if let id = ArrangedContent<Element>.identity(of: left) { return id == ArrangedContent.identity(of: right) }
    return Equality.areEqual(left, right)
  }
}
