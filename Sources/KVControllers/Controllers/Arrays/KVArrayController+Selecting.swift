import KVBinding
import KVCore

extension KVArrayController {
  /// Selects an object only; nothing, if it is not arranged (CTR.27).
  ///
  /// - Parameter object: The object: an identical one, or else an equal one.
  /// - Returns: Whether the selection has changed.
  /// - Throws: ``KVError``: the error of a commit (EDT.4). Nothing has changed then.
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
    try select { model.indexes(of: objects) }
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
      let (selected, arranged) = (ObjectFinder(selectedObjects), ObjectFinder(model.arrangement.elements))
      // An object is selected if it is itself selected; if it is not arranged, an equal one stands for it.
      let others = objects.filter { arranged.hasObject($0) ? !selected.hasObject($0) : !selected.contains($0) }
      let added = model.indexes(of: others)
      return added.isEmpty ? nil : model.state.selection.indexes + added
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
      let (selected, arranged) = (ObjectFinder(selectedObjects), model.arrangement.elements)
      let removed = ObjectFinder(objects) { selected.hasObject($0) }
      let remaining = model.state.selection.indexes.filter { !removed.contains(arranged[$0]) }
      return remaining.count == model.state.selection.indexes.count ? nil : remaining
    }
  }

  /// Selects the object after the first selected one, or the first one without a selection (CTR.31).
  ///
  /// - Throws: As ``select(_:)``.
  public final func selectNext() throws(KVError) {
    completeDelivery()
    guard model.state.selection.next(count: model.arrangement.elements.count) != nil else { return }
    _ = try select { model.state.selection.next(count: model.arrangement.elements.count).map { [$0] } }
  }

  /// Selects the object before the first selected one (CTR.31).
  ///
  /// - Throws: As ``select(_:)``.
  public final func selectPrevious() throws(KVError) {
    completeDelivery()
    guard model.state.selection.previous != nil else { return }
    _ = try select { model.state.selection.previous.map { [$0] } }
  }

  /// Whether an update that changes the arrangement selects an object if the selection would be empty (CTR.30).
  ///
  /// Turning it on acts immediately.
  public final var avoidsEmptySelection: Bool {
    get { model.presentedState.avoidsEmptySelection }
    set { make { model.avoidance(newValue) } }
  }

  /// Whether the same objects remain selected when the content is assigned or rearranged; if not, the same indexes do
  /// (CTR.28).
  public final var preservesSelection: Bool {
    get { model.presentedState.preservesSelection }
    set { make { model.setting(Keys.preservesSelection) { $0.preservesSelection = newValue } } }
  }

  /// Whether elements that are added or inserted become the selection (CTR.29).
  public final var selectsInsertedObjects: Bool {
    get { model.presentedState.selectsInsertedObjects }
    set { make { model.setting(Keys.selectsInsertedObjects) { $0.selectsInsertedObjects = newValue } } }
  }

  /// Whether adding and inserting through the controller first clear the filter (CTR.22).
  public final var clearsFilterPredicateOnInsertion: Bool {
    get { model.presentedState.clearsFilterPredicateOnInsertion }
    set {
      make { model.setting(Keys.clearsFilterPredicateOnInsertion) { $0.clearsFilterPredicateOnInsertion = newValue } }
    }
  }

  // MARK: Changing

  /// Selects the indexes that a closure returns, after edits have been committed; nil leaves the selection as it is.
  private func select(_ indexes: () -> [Int]?) throws(KVError) -> Bool {
    completeDelivery()
    try commitEditing()
    let previous = model.state.selection
    selectNow(indexes)
    return model.state.selection != previous
  }

  func selectNow(_ indexes: () -> [Int]?) { make { indexes().flatMap { model.selection($0) } } }
}
