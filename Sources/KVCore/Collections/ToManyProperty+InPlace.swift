extension ToManyProperty {
  /// An edit of an array where it is stored, by elements of the array's own type (Docs/Decisions/0009).
  enum InPlace {
    case insert(any CollectionValue, at: [Int])
    case remove(at: [Int])
    case replace(at: [Int], with: any CollectionValue)

    /// Whether an array of a type can be edited so.
    func fits(_ type: Any.Type) -> Bool {
      switch self {
      case .insert(let elements, _), .replace(_, let elements): Swift.type(of: elements) == type
      case .remove: true
      }
    }

    /// Edits an array.
    ///
    /// - Returns: The elements that go, which are to die when the access to the property is over: their `deinit` may
    ///   read it.
    /// - Throws: ``KVError`` if the array is not what it was any more when the indexes were checked.
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

    /// Indexes ascend, so that the last one tells.
    private func check(_ indexes: [Int], below limit: Int) throws(KVError) {
      if let last = indexes.last, last >= limit { throw Failure.indexOutOfRange(last, count: limit) }
    }
  }

  /// Returns what an edit makes of the array that stands at a place now; nil where it does not fit.
  ///
  /// - Throws: ``KVError`` if the array is not what it was any more when the indexes were checked.
  func changed(by edit: InPlace, at place: Place) throws(KVError) -> Any? {
    guard let value = try Reader.value(ofKey: place.key, in: place.owner),
      let array = place.accessor?.value.ordered?.exactly(value) ?? value as? any OrderedValue,
      edit.fits(Swift.type(of: array))
    else { return nil }
    func open<T: OrderedValue>(_ array: T) throws(KVError) -> Any {
      var array = array
      _ = try edit(&array)
      return array
    }
    return try open(array)
  }

  /// What became of an edit that was handed to a setter.
  private final class EditOutcome {
    var removed: (any CollectionValue)?
    var error: KVError?
    var isDone = false
  }

  /// Where an array is to be edited, and who is told.
  struct EditTarget {
    let owner: AnyObject
    let accessor: Accessor
    let registrar: KVRegistrar?
    /// The key, if anybody is to be told.
    let toldKey: KVKey?
  }

  /// Makes a change by editing the array where it is stored.
  ///
  /// - Returns: Whether that could be done; nothing has happened, nor been told, if not.
  func make(
    _ change: Change, in target: EditTarget, by edit: InPlace, at place: Place
  ) throws(KVError) -> Bool {
    let accessor = target.accessor
    guard let type = accessor.value.ordered, edit.fits(type) else { return false }
    let outcome = EditOutcome()
    let body: InPlaceEdit = { address in
      outcome.isDone = true
      func open<T: OrderedValue>(_ type: T.Type) throws(KVError) {
        outcome.removed = try edit(&address.assumingMemoryBound(to: type).pointee)
      }
      do throws(KVError) { try open(type) } catch { outcome.error = error }
    }
    let apply = { () throws(KVError) in
      place.letGo()
      accessor.edit(target.owner, by: body)
      // Else the setter would have stored the value that stands for the edit.
      guard outcome.isDone else { fatalError("\"\(place.key)\" of \(place.info.name) did not edit its value") }
      if let error = outcome.error { throw error }
    }
    let way: HeldWrite.Way
    switch accessor.editingWay {
    case .unknown: return false
    case .keyPath: way = .setter
    case .setter: way = .edit(body)
    }
    if let registrar = target.registrar {
      if let key = target.toldKey {
        try tell(change, of: target.owner, key, registrar, way, apply)
      } else {
        try registrar.holding(accessor.key, way, apply)
      }
    } else {
      // A setter asks the registrar for the edit.
      guard case .setter = way else { return false }
      try apply()
    }
    withExtendedLifetime(outcome) {}
    return true
  }
}
