import KVBinding
import KVCore

extension KVArrayController {
  /// Selects an object only; nothing, if it is not arranged (CTR.27).
  ///
  /// - Parameter object: The object: an identical one, or else an equal one.
  /// - Returns: Whether the selection has changed.
  /// - Throws: ``KVError``: the error of a commit (CTR.43). Nothing has changed then.
  /// - Complexity: O(*n*).
  @discardableResult
  public final func select(_ object: Element) throws(KVError) -> Bool { try select(contentsOf: [object]) }

  /// Selects objects only (CTR.26–27).
  ///
  /// - Parameter objects: The objects; those that are not arranged are ignored.
  /// - Returns: Whether the selection has changed.
  /// - Throws: As ``select(_:)``.
  @discardableResult
  public final func select(contentsOf objects: [Element]) throws(KVError) -> Bool {
    try select { indexes(of: objects) }
  }

  /// Adds an object to the selection (CTR.27).
  ///
  /// - Parameter object: The object; ignored if it is selected, or not arranged.
  /// - Returns: Whether the selection has changed.
  /// - Throws: As ``select(_:)``.
  @discardableResult
  public final func addToSelection(_ object: Element) throws(KVError) -> Bool {
    try addToSelection(contentsOf: [object])
  }

  /// Adds objects to the selection (CTR.27).
  ///
  /// - Parameter objects: The objects; those that are selected, or not arranged, are ignored.
  /// - Returns: Whether the selection has changed.
  /// - Throws: As ``select(_:)``.
  @discardableResult
  public final func addToSelection(contentsOf objects: [Element]) throws(KVError) -> Bool {
    try select {
      let (selected, arranged) = (ObjectFinder(selectedObjects), ObjectFinder(arrangement.elements))
      // An object is selected if it is itself selected; if it is not arranged, an equal one stands for it.
      let others = objects.filter { arranged.hasObject($0) ? !selected.hasObject($0) : !selected.contains($0) }
      let added = indexes(of: others)
      return added.isEmpty ? nil : current.selection.indexes + added
    }
  }

  /// Removes an object from the selection (CTR.27).
  ///
  /// - Parameter object: The object; if it is not selected itself, all selected objects that are equal.
  /// - Returns: Whether the selection has changed.
  /// - Throws: As ``select(_:)``.
  @discardableResult
  public final func removeFromSelection(_ object: Element) throws(KVError) -> Bool {
    try removeFromSelection(contentsOf: [object])
  }

  /// Removes objects from the selection (CTR.27).
  ///
  /// - Parameter objects: The objects; for one that is not selected itself, all selected objects that are equal.
  /// - Returns: Whether the selection has changed.
  /// - Throws: As ``select(_:)``.
  @discardableResult
  public final func removeFromSelection(contentsOf objects: [Element]) throws(KVError) -> Bool {
    try select {
      let (selected, arranged) = (ObjectFinder(selectedObjects), arrangement.elements)
      let removed = ObjectFinder(objects) { selected.hasObject($0) }
      let rest = current.selection.indexes.filter { !removed.contains(arranged[$0]) }
      return rest.count == current.selection.indexes.count ? nil : rest
    }
  }

  /// Selects the object after the first selected one, or the first one without a selection (CTR.31).
  ///
  /// - Throws: As ``select(_:)``.
  public final func selectNext() throws(KVError) {
    completeDelivery()
    guard current.selection.next(count: arrangement.elements.count) != nil else { return }
    _ = try select { current.selection.next(count: arrangement.elements.count).map { [$0] } }
  }

  /// Selects the object before the first selected one (CTR.31).
  ///
  /// - Throws: As ``select(_:)``.
  public final func selectPrevious() throws(KVError) {
    completeDelivery()
    guard current.selection.previous != nil else { return }
    _ = try select { current.selection.previous.map { [$0] } }
  }

  /// Whether an update that changes the arrangement selects an object if the selection would be empty (CTR.30).
  ///
  /// Turning it on acts immediately.
  public final var avoidsEmptySelection: Bool {
    get { visible.avoidsEmptySelection }
    set {
      perform {
        var selection = current.selection
        if newValue { selection.avoidEmpty(count: arrangement.elements.count) }
        var update = selectionUpdate(selection)
        update.changes.insert(KeyChange(Keys.avoidsEmptySelection), at: 0)
        let apply = update.apply
        update.apply = { [self] in
          apply()
          current.avoidsEmptySelection = newValue
          current.version += 1
        }
        return update
      }
    }
  }

  /// Whether the same objects remain selected when the content is assigned or rearranged; if not, the same indexes do
  /// (CTR.28).
  public final var preservesSelection: Bool {
    get { visible.preservesSelection }
    set { set(Keys.preservesSelection) { $0.preservesSelection = newValue } }
  }

  /// Whether elements that are added or inserted become the selection (CTR.29).
  public final var selectsInsertedObjects: Bool {
    get { visible.selectsInsertedObjects }
    set { set(Keys.selectsInsertedObjects) { $0.selectsInsertedObjects = newValue } }
  }

  /// Whether adding and inserting through the controller first clear the filter (CTR.22).
  public final var clearsFilterPredicateOnInsertion: Bool {
    get { visible.clearsFilterPredicateOnInsertion }
    set { set(Keys.clearsFilterPredicateOnInsertion) { $0.clearsFilterPredicateOnInsertion = newValue } }
  }

  private func set(_ key: KVKey, _ change: @escaping (inout ArrayState) -> Void) {
    perform {
      KeyUpdate(changes: [KeyChange(key)]) { [self] in
        change(&current)
        current.version += 1
      }
    }
  }

  // MARK: Changing

  /// Selects the indexes that a closure returns, after edits have been committed; nil leaves the selection as it is.
  private func select(_ indexes: () -> [Int]?) throws(KVError) -> Bool {
    completeDelivery()
    try commitEditing()
    let former = current.selection
    selectNow(indexes)
    return current.selection != former
  }

  func selectNow(_ indexes: () -> [Int]?) {
    perform {
      guard let indexes = indexes() else { return nil }
      let new = ArraySelection(indexes, count: arrangement.elements.count)
      // A selection of nothing forgets where edits of the same update have emptied it (CTR.30).
      return new == current.selection && !current.selection.isVacated ? nil : selectionUpdate(new)
    }
  }

  /// Selects as an assignment does, which reports the error of a commit (CTR.27).
  func selectReporting(_ key: String, _ indexes: () -> [Int]) {
    if commitsEditing(beforeSetting: key) { selectNow(indexes) }
  }

  private func selectionUpdate(_ new: ArraySelection) -> KeyUpdate {
    let former = current.selection
    let arranged = arrangement.elements
    var update = KeyUpdate { [self] in
      current.selection = new
      current.version += 1
    }
    let isSame =
      former == new || isSame(arranged[at: former.indexes], arranged[at: new.indexes])
    addSelectionChanges(&update.changes, from: (former, arranged.count), to: (new, arranged.count), isSame: isSame)
    if !isUpdating { addMappedKeys(to: &update) }
    return update
  }
}
