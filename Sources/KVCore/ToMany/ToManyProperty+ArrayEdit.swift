extension ToManyProperty {
  /// An edit of an array, with elements of the array's own type where it is edited in place (Docs/Decisions/0009).
  struct ArrayEdit {
    /// Insertion, removal or replacement.
    let kind: KVChangeKind
    /// The indexes, which ascend.
    let indexes: [Int]
    /// The new elements; nil for a removal.
    var elements: (any CollectionValue)?

    /// Returns whether an array of a type can be edited in place.
    func fits(_ type: Any.Type) -> Bool { elements.map { Swift.type(of: $0) == type } ?? true }

    /// Edits an array.
    ///
    /// - Returns: The removed elements, to be released after the access to the property, which their `deinit` may read.
    /// - Throws: ``KVError`` (`indexOutOfRange`) if the array has changed since the indexes were checked.
    func callAsFunction<T: OrderedValue>(_ array: inout T) throws(KVError) -> (any CollectionValue)? {
      let limit = array.elementCount + (kind == .insertion ? indexes.count : 0)
      if let last = indexes.last, last >= limit { throw Failure.indexOutOfRange(last, count: limit) }
      guard let elements else { return array.remove(at: indexes) }
      if kind == .replacement { return array.replace(at: indexes, with: elements) }
      _ = array.insert(elements, at: indexes)
      return nil
    }

    /// Returns an edited copy of an array; of any values, if the elements are of another type.
    func copy(of array: any OrderedValue) throws(KVError) -> any OrderedValue {
      if let array = array as? any ReadOnlyOrderedValue { return try copy(of: array.whole) }
      func open<T: OrderedValue>(_ array: T) throws(KVError) -> (any OrderedValue)? {
        if let elements, !(elements is T) { return nil }
        var copy = array
        _ = try self(&copy)
        return copy
      }
      if let copy = try open(array) { return copy }
      return try ArrayEdit(kind: kind, indexes: indexes, elements: elements?.elements).copy(of: array.elements)
    }

    /// Calls the function of a table line that makes the edit.
    func call(_ accessors: ToManyAccessors, _ owner: Owner) throws(KVError) {
      let elements = elements?.elements.map(asAny) ?? []
      switch kind {
      case .insertion: try accessors.insert(owner, elements, indexes)
      case .removal: try accessors.remove(owner, [], indexes)
      case .replacement, .setting:
        if let replace = accessors.replace { return try replace(owner, elements, indexes) }
        try accessors.remove(owner, [], indexes)
        try accessors.insert(owner, elements, indexes)
      }
    }
  }

  /// Makes an edit of an array.
  func make(_ edit: ArrayEdit, at resolved: ResolvedProperty) throws(KVError) {
    let accessors = resolved.accessor?.declaration.indexed
    var tableEdit: Edit?
    if let accessors { tableEdit = { owner throws(KVError) in try edit.call(accessors, owner) } }
    let change = Change(
      kind: edit.kind, indexes: edit.indexes,
      old: {
        guard edit.kind != .insertion, let array = resolved.ordered else { return nil }
        return edit.indexes.map { asAny(array.element(at: $0)) }
      },
      new: { edit.elements?.elements.map(asAny) },
      edit: tableEdit, storageEdit: accessors == nil ? edit : nil,
      changed: { () throws(KVError) in
        if let array = resolved.ordered { try edit.copy(of: array) } else { edit.elements ?? [Any]() }
      })
    try make(change, at: resolved)
  }

  /// Sets the array to new elements: by the setter, or by the functions of the table if the key has no setter.
  func setAll(_ elements: any CollectionValue, at resolved: ResolvedProperty) throws(KVError) {
    guard let accessor = resolved.accessor, !accessor.isSettable,
      let accessors = accessor.declaration.indexed
    else { return try set(elements, at: resolved) }
    let count = resolved.count
    let change = Change(
      kind: .setting,
      edit: { owner throws(KVError) in
        if count > 0 { try accessors.remove(owner, [], Array(0..<count)) }
        let new = elements.elements.map(asAny)
        if !new.isEmpty { try accessors.insert(owner, new, Array(new.indices)) }
      }, changed: { elements })
    try make(change, at: resolved)
  }

  /// Returns the edited copy of the current array, or nil if the edit does not fit its type.
  ///
  /// - Throws: ``KVError`` (`indexOutOfRange`) if the array has changed since the indexes were checked.
  func changed(by edit: ArrayEdit, at resolved: ResolvedProperty) throws(KVError) -> Any? {
    guard let value = try Reader.value(ofEntry: resolved.key, in: resolved.owner),
      let array = resolved.accessor?.value.ordered?.exactCast(value) ?? value as? any OrderedValue,
      edit.fits(type(of: array))
    else { return nil }
    return try edit.copy(of: array)
  }

  /// Returns a function that edits the stored array of an object in place; nil if that cannot be done.
  func editStorage(_ edit: ArrayEdit, at resolved: ResolvedProperty) -> (() throws(KVError) -> Void)? {
    guard resolved.info.isObject, !WriteLog.isActive || WriteLog.current == nil, let accessor = resolved.accessor,
      let type = accessor.value.ordered, edit.fits(type),
      let modify = accessor.modify
    else { return nil }
    return { () throws(KVError) in
      var calls = 0
      var outcome: Result<(any CollectionValue)?, KVError> = .success(nil)
      resolved.releaseCollection()
      let owner = object(in: resolved.owner)
      modify(owner) { address in
        calls += 1
        if calls > 1 { return }
        func open<T: OrderedValue>(_ type: T.Type) throws(KVError) -> (any CollectionValue)? {
          try edit(&address.of(type).pointee)
        }
        do throws(KVError) { outcome = .success(try open(type)) } catch { outcome = .failure(error) }
      }
      Self.checkCalls(calls, of: accessor, owner)
      _ = try outcome.get()
    }
  }
}
