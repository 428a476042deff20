import KVCore

extension KVArrayController {
  /// Selects an object only; nothing, if it is not arranged (CTR.27).
  ///
  /// - Parameter object: The object: an identical one, or else an equal one.
  /// - Returns: Whether the selection has changed.
  /// - Throws: ``KVError``: the error of a commit (CTR.43). Nothing has changed then.
  /// - Complexity: O(*n*).
  @discardableResult
  public final func select(_ object: Element) throws -> Bool { try select(contentsOf: [object]) }

  /// Selects objects only (CTR.26–27).
  ///
  /// - Parameter objects: The objects; those that are not arranged are ignored.
  /// - Returns: Whether the selection has changed.
  /// - Throws: As ``select(_:)``.
  @discardableResult
  public final func select(contentsOf objects: [Element]) throws -> Bool {
    try select { indexes(of: objects) }
  }

  /// Adds an object to the selection (CTR.27).
  ///
  /// - Parameter object: The object; ignored if it is selected, or not arranged.
  /// - Returns: Whether the selection has changed.
  /// - Throws: As ``select(_:)``.
  @discardableResult
  public final func addToSelection(_ object: Element) throws -> Bool {
    try addToSelection(contentsOf: [object])
  }

  /// Adds objects to the selection (CTR.27).
  ///
  /// - Parameter objects: The objects; those that are selected, or not arranged, are ignored.
  /// - Returns: Whether the selection has changed.
  /// - Throws: As ``select(_:)``.
  @discardableResult
  public final func addToSelection(contentsOf objects: [Element]) throws -> Bool {
    try select {
      let selected = ObjectFinder(selectedObjects)
      return current.selection.indexes + indexes(of: objects.filter { !selected.contains($0) })
    }
  }

  /// Removes an object from the selection (CTR.27).
  ///
  /// - Parameter object: The object. All selected objects that are equal are removed from the selection.
  /// - Returns: Whether the selection has changed.
  /// - Throws: As ``select(_:)``.
  @discardableResult
  public final func removeFromSelection(_ object: Element) throws -> Bool {
    try removeFromSelection(contentsOf: [object])
  }

  /// Removes objects from the selection (CTR.27).
  ///
  /// - Parameter objects: The objects. All selected objects that are equal are removed from the selection.
  /// - Returns: Whether the selection has changed.
  /// - Throws: As ``select(_:)``.
  @discardableResult
  public final func removeFromSelection(contentsOf objects: [Element]) throws -> Bool {
    try select {
      let removed = ObjectFinder(objects)
      let arranged = arrangedObjectsNow
      return current.selection.indexes.filter { !removed.contains(arranged[$0]) }
    }
  }

  /// Selects the object after the first selected one, or the first one without a selection (CTR.31).
  ///
  /// - Throws: As ``select(_:)``.
  public final func selectNext() throws {
    guard current.selection.next(count: arrangedObjectsNow.count) != nil else { return }
    _ = try select { current.selection.next(count: arrangedObjectsNow.count).map { [$0] } ?? current.selection.indexes }
  }

  /// Selects the object before the first selected one (CTR.31).
  ///
  /// - Throws: As ``select(_:)``.
  public final func selectPrevious() throws {
    guard current.selection.previous != nil else { return }
    _ = try select { current.selection.previous.map { [$0] } ?? current.selection.indexes }
  }

  /// Whether an update that changes the arrangement selects an object if the selection would be empty (CTR.30).
  ///
  /// Turning it on acts immediately.
  public final var avoidsEmptySelection: Bool {
    get { visible.avoidsEmptySelection }
    set {
      perform {
        var selection = current.selection
        if newValue { selection.avoidEmpty(count: arrangedObjectsNow.count) }
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

  // MARK: Changing

  /// Selects the indexes that a closure returns, after edits have been committed.
  private func select(_ indexes: () -> [Int]) throws -> Bool {
    try commitEditing()
    let former = current.selection
    selectNow(indexes)
    return current.selection != former
  }

  func selectNow(_ indexes: () -> [Int]) {
    perform {
      let new = ArraySelection(indexes(), count: arrangedObjectsNow.count)
      return new == current.selection ? nil : selectionUpdate(new)
    }
  }

  /// Selects as an assignment does, which reports the error of a commit (CTR.27).
  func selectReporting(_ key: String, _ indexes: () -> [Int]) {
    if commitsEditing(beforeSetting: key) { selectNow(indexes) }
  }

  private func selectionUpdate(_ new: ArraySelection) -> KeyUpdate {
    let former = current.selection
    let arranged = arrangedObjectsNow
    var update = KeyUpdate { [self] in
      current.selection = new
      current.version += 1
    }
    let isSame =
      former == new || isSame(former.indexes.map { arranged[$0] }, new.indexes.map { arranged[$0] })
    addSelectionChanges(&update.changes, from: (former, arranged.count), to: (new, arranged.count), isSame: isSame)
    if !isUpdating { addMappedKeys(to: &update) }
    return update
  }

  // MARK: Finding

  /// The arranged objects, whatever observers see.
  var arrangedObjectsNow: [Element] { customArrangement ?? arrangement.elements }

  /// Returns the first free index of each object: of an identical one, or else of an equal one (CTR.26).
  func indexes(of objects: [Element]) -> [Int] {
    if objects.isEmpty { return [] }
    let arranged = arrangedObjectsNow
    var result: [Int] = []
    var equal: [Element] = []
    // Identical objects first, in one pass.
    var wanted: [ObjectIdentifier: Int] = [:]
    for object in objects {
      if let id = ArrangedContent<Element>.identity(of: object) {
        wanted[id, default: 0] += 1
      } else {
        equal.append(object)
      }
    }
    if !wanted.isEmpty {
      for (index, object) in arranged.enumerated() {
        guard let id = ArrangedContent<Element>.identity(of: object), let count = wanted[id] else { continue }
        result.append(index)
        wanted[id] = count == 1 ? nil : count - 1
        if wanted.isEmpty { break }
      }
      equal += objects.filter { object in
        guard object is any Equatable, let id = ArrangedContent<Element>.identity(of: object),
          let count = wanted[id]
        else { return false }
        wanted[id] = count == 1 ? nil : count - 1
        return true
      }
    }
    return equal.isEmpty ? result : result + indexes(ofEqual: equal, in: arranged, except: Set(result))
  }

  private func indexes(ofEqual objects: [Element], in arranged: [Element], except taken: Set<Int>) -> [Int] {
    var result: [Int] = []
    var wanted: [AnyHashable: Int] = [:]
    var others: [Element] = []
    for object in objects {
      if let hashable = object as? AnyHashable { wanted[hashable, default: 0] += 1 } else { others.append(object) }
    }
    for (index, object) in arranged.enumerated() where !taken.contains(index) {
      if wanted.isEmpty && others.isEmpty { break }
      if let hashable = object as? AnyHashable, let count = wanted[hashable] {
        result.append(index)
        wanted[hashable] = count == 1 ? nil : count - 1
      } else if let position = others.firstIndex(where: { Equality.areEqual($0, object) }) {
        result.append(index)
        others.remove(at: position)
      }
    }
    return result
  }
}
