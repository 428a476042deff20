import KVBinding
import KVCore

extension KVArrayController {
  /// The content: the elements that the controller arranges, in the order of its source (CTR.13).
  ///
  /// Assigning arranges it anew. Edits that are not committed are committed first; if that fails, the error is reported
  /// and nothing changes (EDT.4).
  ///
  /// - Complexity: O(1); assigning as ``rearrangeObjects()``.
  public final var content: [Element] {
    get { model.presentedContent }
    set { if commitsEditing(beforeSetting: "content") { assign(newValue) } }
  }

  func assign(_ content: [Element]) {
    update {
      make { model.assignment(content, selectsAll: selectsAllOfContent) }
      observeElements()
    }
  }

  // MARK: Adding

  /// Creates an object and appends it to the content; see ``add(_:)``.
  ///
  /// - Throws: ``KVError``: `unsupported` if ``KVController/canAdd`` is false, or if the controller cannot create
  ///   objects; the error of a commit. Nothing has changed then.
  public final func add() throws(KVError) {
    completeDelivery()
    try check(canAdd, "add an object")
    try add(contentsOf: [try created(by: newObject)])
  }

  /// Appends an object to the content, and selects it (CTR.20, CTR.29).
  ///
  /// - Parameter object: The object.
  /// - Throws: ``KVError``: `unsupported` if ``KVController/canAdd`` is false. Nothing has changed then.
  public final func add(_ object: Element) throws(KVError) { try add(contentsOf: [object]) }

  /// Appends objects to the content, and selects them (CTR.20, CTR.29).
  ///
  /// - Parameter objects: The objects.
  /// - Throws: As ``add(_:)``.
  public final func add(contentsOf objects: [Element]) throws(KVError) {
    completeDelivery()
    try check(canAdd, "add objects")
    if objects.isEmpty { return }
    try commitEditing()
    try clearingFilter { () throws(KVError) in
      try make { () throws(KVError) in
        model.insertion(of: objects, at: try contentIndexes(adding: objects), selection: model.effectOfInsertion)
      }
    }
  }

  /// Creates an object and inserts it after the last selected object, or at the end (CTR.20).
  ///
  /// - Throws: As ``add()``; `invalidValue` if the filter hides the object.
  public final func insert() throws(KVError) {
    completeDelivery()
    try check(canInsert, "insert an object")
    let object = try created(by: newObject)
    try commitEditing()
    try clearingFilter { () throws(KVError) in
      let index = model.state.selection.indexes.last.map { $0 + 1 } ?? model.arrangement.elements.count
      try insertNow([object], at: [index])
    }
  }

  /// Inserts an object at an index of ``arrangedObjects``, and selects it (CTR.21).
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - index: The index; under automatic rearrangement the object gets its sorted index instead. If the filter is
  ///     cleared, it is an index of the arrangement without filter (CTR.22).
  /// - Throws: ``KVError``: `unsupported` if ``KVController/canInsert`` is false; `indexOutOfRange`; `invalidValue`
  ///   if the filter hides the object. Nothing has changed then.
  public final func insert(_ object: Element, at index: Int) throws(KVError) {
    try insert(contentsOf: [object], at: [index])
  }

  /// Inserts objects at indexes of ``arrangedObjects``, and selects them (CTR.21).
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - indexes: The ascending index of each after the call.
  /// - Throws: As ``insert(_:at:)``; `unsupported` if there is not one index for each object.
  public final func insert(contentsOf objects: [Element], at indexes: some Sequence<Int>) throws(KVError) {
    let indexes = Array(indexes)
    // Indexes of the arrangement without filter are not those of what the caller finds.
    let isOfVisible = (isHalfDelivered || isEditing) && !model.presentedState.clearsFilter
    let seen = isOfVisible ? arrangedObjects : nil
    completeDelivery()
    try check(canInsert, "insert objects")
    guard indexes.count == objects.count else {
      throw KVError(
        .unsupported, "there are \(objects.count) objects for \(indexes.count) indexes; give one index for each object."
      )
    }
    if objects.isEmpty { return }
    // What is refused is refused before the filter is cleared.
    let count = seen?.count ?? (model.state.clearsFilter ? model.content.count : model.arrangement.elements.count)
    for (position, index) in indexes.enumerated() {
      let isAscending = position == 0 || indexes[position - 1] < index
      guard isAscending, index >= 0, index - position <= count else {
        throw outOfRange(index, count, isAscending ? "" : " The indexes must ascend.")
      }
    }
    try commitEditing()
    try clearingFilter { () throws(KVError) in try insertNow(objects, at: indexes, in: seen) }
  }

  /// Inserts objects at the indexes of a former arrangement, or of the present one.
  private func insertNow(_ objects: [Element], at arranged: [Int], in seen: [Element]? = nil) throws(KVError) {
    try make { () throws(KVError) in
      let (objects, arranged) = ArrayModel.insertion(
        of: objects, at: arranged, in: seen, to: model.arrangement.elements)
      if let position = try model.arrangement.shows(objects).firstIndex(of: false) {
        throw KVError(
          .invalidValue,
          """
          the filter "\(model.state.filterPredicate.map { "\($0)" } ?? "")" hides \(objects[position]), so that it has no \
          index. Add it, or set clearsFilterPredicateOnInsertion.
          """, rootType: "\(type(of: self))")
      }
      return model.insertion(
        of: objects, at: try contentIndexes(inserting: objects, at: arranged), arranged: arranged,
        selection: model.effectOfInsertion)
    }
  }

  /// Makes an insertion, in one update with the clearing of the filter (CTR.22).
  private func clearingFilter<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    guard model.state.clearsFilter else { return try body() }
    try update { () throws(Failure) in
      try? setPredicate(nil, isStrict: false)
      try body()
    }
  }
}
