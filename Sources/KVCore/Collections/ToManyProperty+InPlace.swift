extension ToManyProperty {
  /// An in-place edit of a stored array, with elements of the array's own type (Docs/Decisions/0009).
  enum InPlace {
    case insert(any CollectionValue, at: [Int])
    case remove(at: [Int])
    case replace(at: [Int], with: any CollectionValue)

    /// Returns whether an array of a type can be edited in place.
    func fits(_ type: Any.Type) -> Bool {
      switch self {
      case .insert(let elements, _), .replace(_, let elements): Swift.type(of: elements) == type
      case .remove: true
      }
    }

    /// Edits an array.
    ///
    /// - Returns: The removed elements, to be released after the access to the property, which their `deinit` may read.
    /// - Throws: ``KVError`` (`indexOutOfRange`) if the array has changed since the indexes were checked.
    func callAsFunction<T: OrderedValue>(_ array: inout T) throws(KVError) -> (any CollectionValue)? {
      switch self {
      case .insert(let elements, let indexes):
        try check(indexes, below: array.elementCount + indexes.count)
        _ = array.insert(elements, at: indexes)
        return nil
      case .remove(let indexes):
        try check(indexes, below: array.elementCount)
        return array.remove(at: indexes)
      case .replace(let indexes, let elements):
        try check(indexes, below: array.elementCount)
        return array.replace(at: indexes, with: elements)
      }
    }

    /// Throws if the last index is out of range; the indexes ascend.
    private func check(_ indexes: [Int], below limit: Int) throws(KVError) {
      if let last = indexes.last, last >= limit { throw Failure.indexOutOfRange(last, count: limit) }
    }
  }

  /// Returns the edited copy of the current array, or `nil` if the edit does not fit its type.
  ///
  /// - Throws: ``KVError`` (`indexOutOfRange`) if the array has changed since the indexes were checked.
  func changed(by edit: InPlace, at resolved: ResolvedProperty) throws(KVError) -> Any? {
    guard let value = try Reader.value(ofKey: resolved.key, in: resolved.owner),
      let array = resolved.accessor?.value.ordered?.exactCast(value) ?? value as? any OrderedValue,
      edit.fits(Swift.type(of: array))
    else { return nil }
    func open<T: OrderedValue>(_ array: T) throws(KVError) -> Any {
      var array = array
      _ = try edit(&array)
      return array
    }
    return try open(array)
  }

  /// The outcome of an edit in place.
  private final class EditOutcome {
    var removed: (any CollectionValue)?
    var error: KVError?
    var calls = 0
  }

  /// The stored array to edit, and the registrar to notify.
  struct EditTarget {
    let owner: AnyObject
    let accessor: Accessor
    let registrar: _KVRegistrar?
    /// The key, or `nil` if no observers have to be notified.
    let observedKey: KVKey?
  }

  /// Makes a change by editing the stored array in place.
  ///
  /// - Returns: Whether the array can be edited in place. If not, nothing has changed and no observer was notified.
  func make(
    _ change: Change, in target: EditTarget, by edit: InPlace, at resolved: ResolvedProperty
  ) throws(KVError) -> Bool {
    let accessor = target.accessor
    guard let type = accessor.value.ordered, edit.fits(type), let modify = accessor.modify else { return false }
    let outcome = EditOutcome()
    let apply = { () throws(KVError) in
      resolved.releaseCollection()
      modify(target.owner) { address in
        outcome.calls += 1
        if outcome.calls > 1 { return }
        func open<T: OrderedValue>(_ type: T.Type) throws(KVError) {
          outcome.removed = try edit(&address.assumingMemoryBound(to: type).pointee)
        }
        do throws(KVError) { try open(type) } catch { outcome.error = error }
      }
      precondition(
        outcome.calls == 1,
        "the function of .inPlace of \"\(resolved.key)\" of \(resolved.info.name) must call its argument once, not \(outcome.calls) times"
      )
      if let error = outcome.error { throw error }
    }
    if let registrar = target.registrar {
      if let key = target.observedKey {
        try notify(change, of: target.owner, key, registrar, .setter, apply)
      } else {
        try registrar.suppressing(accessor.key, .setter, apply)
      }
    } else {
      try apply()
    }
    withExtendedLifetime(outcome) {}
    return true
  }
}
