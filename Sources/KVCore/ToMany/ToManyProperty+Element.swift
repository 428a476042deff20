extension ToManyProperty {
  /// Inserts, removes or replaces one element of a stored array where it is stored, and notifies.
  ///
  /// It needs a line of a table that leads to the stored array, an element of the array's own type, and no observer that
  /// runs before the change. In all other cases, and for an index out of range, the edit is made by `make(_:at:)`.
  ///
  /// - Parameters:
  ///   - kind: Insertion, removal or replacement.
  ///   - position: The index of the element; nil for the last one, or that of an element to append.
  ///   - new: The new element; nil for a removal.
  /// - Returns: Whether the edit was made, and the old element.
  func editElement(
    _ kind: KVChangeKind, at position: Int? = nil, with new: Any? = nil
  ) throws(KVError) -> (isMade: Bool, old: Any?) {
    guard form == .array, !WriteLog.isActive, let (owner, unmanaged) = path.leaf(of: root) else { return (false, nil) }
    let accessor = unmanaged.object
    let line = accessor.declaration
    guard let type = accessor.value.ordered, let modify = accessor.modify, line.indexed == nil, line.counted == nil,
      new.map({ type.isElement($0) }) ?? true
    else { return (false, nil) }
    let registrar = accessor.isManual ? nil : accessor.registrar(of: owner)
    let isObserved = registrar?.mayObserve(line.key) ?? false
    if isObserved, registrar?.needsWillChange(line.key) ?? false { return (false, nil) }
    let limit = type.read(by: accessor, of: owner).elementCount + (kind == .insertion ? 1 : 0)
    let index = position ?? limit - 1
    guard index >= 0, index < limit else { return (false, nil) }

    let edit = { () throws(KVError) -> Any? in
      var calls = 0
      var result: (isValid: Bool, removed: Any?) = (false, nil)
      modify(owner) { address in
        calls += 1
        if calls > 1 { return }
        func open<T: OrderedValue>(_ type: T.Type) -> (isValid: Bool, removed: Any?) {
          address.of(type).pointee.edit(at: index, removing: kind != .insertion, inserting: new)
        }
        result = open(type)
      }
      Self.checkCalls(calls, of: accessor, owner)
      if !result.isValid { throw Failure.indexOutOfRange(index, count: limit) }
      return result.removed.flatMap(unwrappingOptionals)
    }
    return try located { () throws(KVError) in
      guard isObserved, let registrar else { return (true, try edit()) }
      let old = try registrar.suppressing(line.key, .setter, edit)
      _KVChangeNotice.with(
        line.key, of: owner, kind, at: [index], from: kind == .insertion ? [] : [asAny(old)],
        to: new.map { [asAny(unwrappingOptionals($0))] } ?? [], hasOld: kind != .insertion, hasNew: kind != .removal
      ) { registrar.didChange($0, since: nil) }
      return (true, old)
    }
  }

  /// Traps if the function of a line that edits a stored array has not called its argument once.
  static func checkCalls(_ calls: Int, of accessor: Accessor, _ owner: AnyObject) {
    precondition(
      calls == 1,
      "the function of .inPlace of \"\(accessor.key)\" of \(typeName(type(of: owner))) must call its argument once, not \(calls) times"
    )
  }
}
