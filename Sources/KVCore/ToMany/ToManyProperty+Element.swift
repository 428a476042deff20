extension ToManyProperty {
  /// Inserts, removes or replaces one element of a stored array where it is stored, and notifies.
  ///
  /// It needs a line of a table that leads to the stored array, an element of the array's own type, and no observer that
  /// runs before the change. In all other cases, and for an index out of range, the edit is made by `make(_:at:)`.
  ///
  /// - Parameters:
  ///   - kind: Insertion, removal or replacement.
  ///   - position: The index of the element; nil for the last one, or that of an element to append.
  ///   - element: The new element, or nil for a removal; afterwards the old one, or nil. It stays as it is if the edit is
  ///     not made.
  /// - Returns: Whether the edit was made.
  func editElement(
    _ kind: KVChangeKind, at position: Int? = nil, exchanging element: inout Any?
  ) throws(KVError) -> Bool {
    try withAddress(of: &element) { box throws(KVError) in try editElement(kind, at: position, box) }
  }

  private func editElement(
    _ kind: KVChangeKind, at position: Int?, _ box: AddressOf<Any?>
  ) throws(KVError) -> Bool {
    guard form == .array, !WriteLog.isActive, let (owner, accessor) = path.leaf(of: root) else { return false }
    return try accessor.tryBorrow { accessor throws(KVError) in
      try editElement(kind, at: position, box, accessor, owner)
    }
  }

  private func editElement(
    _ kind: KVChangeKind, at position: Int?, _ box: AddressOf<Any?>, _ accessor: Accessor, _ owner: AnyObject
  ) throws(KVError) -> Bool {
    let line = accessor.declaration
    guard let type = accessor.value.ordered, let modify = accessor.modify, line.indexed == nil, line.counted == nil,
      type.exchanges(box.boxedType)
    else { return false }
    let registrar = accessor.isManual ? nil : accessor.registrar(of: owner)
    let isObserved = registrar?.mayObserve(line.key) ?? false
    if isObserved, registrar?.needsWillChange(line.key) ?? false { return false }
    let limit = type.elementCount(by: accessor, of: owner) + (kind == .insertion ? 1 : 0)
    let index = position ?? limit - 1
    guard index >= 0, index < limit else { return false }

    func edit() throws(KVError) {
      var calls = 0
      var isValid = false
      modify(owner) { address in
        calls += 1
        if calls > 1 { return }
        func open<T: OrderedValue>(_ type: T.Type) -> Bool {
          address.of(type).pointee.exchange(at: index, removing: kind != .insertion, box)
        }
        isValid = open(type)
      }
      Self.checkCalls(calls, of: accessor, owner)
      if !isValid { throw Failure.indexOutOfRange(index, count: limit) }
    }
    try located { () throws(KVError) in
      guard isObserved, let registrar else { return try edit() }
      let new = Self.list(box)
      try registrar.suppressing(line.key, .setter, edit)
      _KVChangeNotice.with(
        line.key, of: owner, kind, at: [index], from: Self.list(box), to: new,
        hasOld: kind != .insertion, hasNew: kind != .removal
      ) { registrar.didChange($0, since: nil) }
    }
    return true
  }

  /// Returns the element in a box, in an array; an empty one for nil.
  private static func list(_ box: AddressOf<Any?>) -> [Any] {
    guard let element = box.pointee else { return [] }
    return [asAny(unwrappingOptionals(element))]
  }

  /// Traps if the function of a line that edits a stored array has not called its argument once.
  static func checkCalls(_ calls: Int, of accessor: Accessor, _ owner: AnyObject) {
    precondition(
      calls == 1,
      "the function of .inPlace of \"\(accessor.key)\" of \(typeName(type(of: owner))) must call its argument once, not \(calls) times"
    )
  }
}
