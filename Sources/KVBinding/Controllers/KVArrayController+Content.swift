import KVCore

extension KVArrayController {
  /// The content: the elements that the controller arranges, in the order of its source (CTR.13).
  ///
  /// Assigning arranges it anew. Edits that are not committed are committed first; if that fails, the error is reported
  /// and nothing changes (CTR.43).
  ///
  /// - Complexity: O(1); assigning as ``rearrangeObjects()``.
  public final var content: [Element] {
    get { visible.content }
    set { if commitsEditing(beforeSetting: "content") { assign(newValue) } }
  }

  /// The content as it is set by key, and by its binding.
  var keyedContent: [Element] {
    get { visible.content }
    set {
      // What the model does cannot be prevented. An edit is committed to the object for which it was made (BND.13).
      if contentBinding?.core?.run.isSetting(.target) == true { assign(newValue) } else { content = newValue }
    }
  }

  private func assign(_ content: [Element]) {
    update {
      perform {
        let selected = selectedObjects
        let change = arrangement.assign(content)
        return KeyUpdate(changes: [KeyChange(Keys.content), KeyChange(Keys.arrangedObjects)]) { [self] in
          let old = current.content
          current.content = content
          current.version += 1
          composite.hasRearranged = true
          arrangement.apply(change)
          _ = arrangeByOverride()
          let arranged = arrangedObjectsNow
          let all = selectsAllOfContent ? Array(arranged.indices) : nil
          let indexes = all ?? (preservesSelection ? indexes(of: selected) : current.selection.indexes)
          current.selection.follow(assigned: indexes, count: arranged.count)
          withExtendedLifetime(old) {}
        }
      }
      observeElements()
    }
  }

  // MARK: Adding

  /// Creates an object and appends it to the content; see ``add(_:)``.
  ///
  /// - Throws: ``KVError``: `unsupported` if ``canAdd`` is false, or if the controller cannot create objects; the error
  ///   of a commit. Nothing has changed then.
  public final func add() throws {
    try check(canAdd, "add an object")
    try add(contentsOf: [try newObject()])
  }

  /// Appends an object to the content, and selects it (CTR.20, CTR.29).
  ///
  /// - Parameter object: The object.
  /// - Throws: ``KVError``: `unsupported` if ``canAdd`` is false. Nothing has changed then.
  public final func add(_ object: Element) throws { try add(contentsOf: [object]) }

  /// Appends objects to the content, and selects them (CTR.20, CTR.29).
  ///
  /// - Parameter objects: The objects.
  /// - Throws: As ``add(_:)``.
  public final func add(contentsOf objects: [Element]) throws {
    try check(canAdd, "add objects")
    if objects.isEmpty { return }
    try commitEditing()
    clearingFilter {
      performEdit {
        let count = current.content.count
        let indexes = Array(count..<(count + objects.count))
        return update(
          for: ContentEdit(kind: .insertion, indexes: indexes, elements: objects),
          arrangement.insert(objects, at: indexes), selection: insertionEffect)
      }
    }
  }

  /// Creates an object and inserts it after the last selected object, or at the end (CTR.20).
  ///
  /// - Throws: As ``add()``; `invalidValue` if the filter hides the object.
  public final func insert() throws {
    try check(canInsert, "insert an object")
    let object = try newObject()
    try commitEditing()
    try clearingFilter {
      let index = current.selection.indexes.last.map { $0 + 1 } ?? arrangedObjectsNow.count
      try insertNow([object], at: [index])
    }
  }

  /// Inserts an object at an index of ``arrangedObjects``, and selects it (CTR.21).
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - index: The index; under automatic rearrangement the object gets its sorted index instead. If the filter is
  ///     cleared, it is an index of the arrangement without filter (CTR.22).
  /// - Throws: ``KVError``: `unsupported` if ``canInsert`` is false; `indexOutOfRange`; `invalidValue` if the filter
  ///   hides the object. Nothing has changed then.
  public final func insert(_ object: Element, at index: Int) throws {
    try insert(contentsOf: [object], at: [index])
  }

  /// Inserts objects at indexes of ``arrangedObjects``, and selects them (CTR.21).
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - indexes: The ascending index of each after the call.
  /// - Throws: As ``insert(_:at:)``; `unsupported` if there is not one index for each object.
  public final func insert(contentsOf objects: [Element], at indexes: some Sequence<Int>) throws {
    try check(canInsert, "insert objects")
    let indexes = Array(indexes)
    guard indexes.count == objects.count else {
      throw KVError(
        .unsupported, "there are \(objects.count) objects for \(indexes.count) indexes; give one index for each object."
      )
    }
    if objects.isEmpty { return }
    // What is refused is refused before the filter is cleared.
    let count = clearsFilter ? current.content.count : arrangedObjectsNow.count
    for (position, index) in indexes.enumerated() {
      let isAscending = position == 0 || indexes[position - 1] < index
      guard isAscending, index >= 0, index - position <= count else {
        throw outOfRange(index, count, isAscending ? "" : " The indexes must ascend.")
      }
    }
    try commitEditing()
    try clearingFilter { try insertNow(objects, at: indexes) }
  }

  private func insertNow(_ objects: [Element], at arranged: [Int]) throws(KVError) {
    try performEdit { () throws(KVError) in
      if let position = try arrangement.shows(objects).firstIndex(of: false) {
        throw KVError(
          .invalidValue,
          """
          the filter "\(current.filterPredicate.map { "\($0)" } ?? "")" hides \(objects[position]), so that it has no \
          index. Add it, or set clearsFilterPredicateOnInsertion.
          """, rootType: "\(type(of: self))")
      }
      let indexes = try contentIndexes(insertingAt: arranged)
      let order = indexes.indices.sorted { indexes[$0] < indexes[$1] }
      let edit = ContentEdit(
        kind: .insertion, indexes: order.map { indexes[$0] }, elements: order.map { objects[$0] })
      return update(
        for: edit, arrangement.insert(objects, at: indexes, arranged: customArrangement == nil ? arranged : nil),
        selection: insertionEffect)
    }
  }

  private var insertionEffect: SelectionEffect { selectsInsertedObjects ? .becomesInserted : .follows }

  private var clearsFilter: Bool { clearsFilterPredicateOnInsertion && current.filterPredicate != nil }

  /// Makes an insertion, in one update with the clearing of the filter (CTR.22).
  private func clearingFilter<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    guard clearsFilter else { return try body() }
    try update { () throws(Failure) in
      try? setPredicate(nil, isStrict: false)
      try body()
    }
  }

  // MARK: Removing

  /// Removes the selected objects from the content (CTR.23).
  ///
  /// - Throws: ``KVError``: `unsupported` if ``canRemove`` is false; the error of a commit. Nothing has changed then.
  public final func remove() throws {
    try check(canRemove, "remove the selected objects")
    try commitEditing()
    removeNow { current.selection.indexes.compactMap { contentIndex(of: $0) }.sorted() }
  }

  /// Removes the objects at indexes of ``arrangedObjects`` from the content (CTR.23).
  ///
  /// - Parameter indexes: The indexes, in any order.
  /// - Throws: ``KVError``: `unsupported` if ``isEditable`` is false; `indexOutOfRange`; the error of a commit. Nothing
  ///   has changed then.
  /// - Complexity: O(*k* log *n*), and one move of the references.
  public final func remove(at indexes: some Sequence<Int>) throws {
    try check(canAdd, "remove objects")
    let indexes = Array(Set(indexes)).sorted()
    let count = arrangedObjectsNow.count
    if let index = indexes.first(where: { $0 < 0 || $0 >= count }) { throw outOfRange(index, count) }
    if indexes.isEmpty { return }
    // A commit may move the objects, and the content stays as it is.
    let former = isEditing ? indexes.compactMap { contentIndex(of: $0) } : nil
    try commitEditing()
    removeNow {
      let indexes = former?.filter { $0 < current.content.count } ?? indexes.compactMap { contentIndex(of: $0) }
      return indexes.sorted()
    }
  }

  /// Removes all objects from the content that are equal to one, whether they are arranged or not (CTR.23).
  ///
  /// - Parameter object: The object. If there is none that is equal, nothing happens.
  /// - Throws: ``KVError``: `unsupported` if ``isEditable`` is false; the error of a commit. Nothing has changed then.
  /// - Complexity: O(*n*).
  public final func remove(_ object: Element) throws { try remove(contentsOf: [object]) }

  /// Removes all objects from the content that are equal to one of several (CTR.23).
  ///
  /// - Parameter objects: The objects.
  /// - Throws: As ``remove(_:)``.
  /// - Complexity: O(*n*) for objects without an equality of their own and for hashable values.
  public final func remove(contentsOf objects: [Element]) throws {
    try check(canAdd, "remove objects")
    let finder = ObjectFinder(objects)
    guard current.content.contains(where: finder.contains) else { return }
    try commitEditing()
    removeNow { current.content.indices.filter { finder.contains(current.content[$0]) } }
  }

  private func removeNow(_ indexes: () -> [Int]) {
    performEdit {
      let indexes = indexes()
      if indexes.isEmpty { return nil }
      return update(for: ContentEdit(kind: .removal, indexes: indexes), arrangement.remove(at: indexes))
    }
  }

  // MARK: Edits by the model

  // The indexes were checked before. A handler that ran in between may have changed the content again: what does not
  // exist any more is left out.

  func modelDidInsert(_ elements: [Element], at indexes: [Int]) {
    performEdit {
      let last = current.content.count
      let valid = indexes.enumerated().map { min($1, last + $0) }
      return update(
        for: ContentEdit(kind: .insertion, indexes: valid, elements: elements),
        arrangement.insert(elements, at: valid))
    }
  }

  func modelDidRemove(at indexes: [Int]) { removeNow { indexes.filter { $0 < current.content.count } } }

  func modelDidReplace(at indexes: [Int], with elements: [Element]) {
    performEdit {
      let valid = indexes.filter { $0 < current.content.count }
      if valid.isEmpty { return nil }
      let elements = Array(elements.prefix(valid.count))
      return update(
        for: ContentEdit(kind: .replacement, indexes: valid, elements: elements),
        arrangement.replace(at: valid, with: elements))
    }
  }

  /// Replaces selected values in the content by changed ones, which stay selected where they stay arranged (CTR.36).
  func replaceSelectedObjects(by objects: [Element]) {
    performEdit {
      let pairs = zip(current.selection.indexes, objects).compactMap { index, object in
        contentIndex(of: index).map { ($0, object) }
      }.sorted { $0.0 < $1.0 }
      if pairs.isEmpty { return nil }
      let (indexes, objects) = (pairs.map(\.0), pairs.map(\.1))
      return update(
        for: ContentEdit(kind: .replacement, indexes: indexes, elements: objects),
        arrangement.replace(at: indexes, with: objects), selection: .keepsReplaced)
    }
  }

  // MARK: Errors

  private func check(_ isAllowed: Bool, _ action: String) throws(KVError) {
    let marker = contentBinding?.marker
    if isAllowed, marker == nil { return }
    let reason =
      !isEditable
      ? "isEditable is false"
      : isContentReadOnly
        ? "its content is bound one-way"
        : marker.map { "the path of its content yields the marker \($0)" } ?? "nothing is selected"
    throw KVError(.unsupported, "\(type(of: self)) cannot \(action): \(reason).", rootType: "\(type(of: self))")
  }

  private func outOfRange(_ index: Int, _ count: Int, _ hint: String = "") -> KVError {
    KVError(
      .indexOutOfRange, "the index \(index) is out of range: there are \(count) arranged objects.\(hint)",
      rootType: "\(type(of: self))")
  }
}
