import KVCore

extension KVChange {
  /// Makes the reverse of the change, as undoing does (KVO.24).
  ///
  /// A setting sets the old value at the end of the key path as it leads now. Inserted elements are removed, removed
  /// elements are inserted at their indexes, and replaced elements are put back. Observers are notified as of any change.
  ///
  /// Changes that are reverted in the reverse of their order restore what was before them.
  ///
  /// - Throws: ``KVError``: `unsupported` if the record is an initial or a prior one, or was observed without
  ///   ``KVObservingOptions/old`` and ``KVObservingOptions/new``; the errors of setting a value and of collection views,
  ///   such as `indexOutOfRange` if the collection has changed since.
  /// - Complexity: That of the change.
  public func revert() throws(KVError) { try make(from: new, hasNew, to: old, hasOld, isReverse: true) }

  /// Makes the change again, as redoing does (KVO.24).
  ///
  /// - Throws: ``KVError``: the errors of ``revert()``.
  /// - Complexity: That of the change.
  public func apply() throws(KVError) { try make(from: old, hasOld, to: new, hasNew, isReverse: false) }

  private func make(
    from old: Any?, _ hasOld: Bool, to new: Any?, _ hasNew: Bool, isReverse: Bool
  ) throws(KVError) {
    guard let object = object as? any KeyValueCoding & AnyObject, !isPrior, !isInitial else {
      throw failure(isReverse, "it is \(isPrior ? "announced only" : "no change"). Keep the records after changes.")
    }
    let comes = kind == .setting || kind == .replacement || (kind == .insertion) != isReverse
    let goes = kind == .replacement || (kind == .removal) != isReverse && kind != .setting
    guard !comes || hasNew, !goes || hasOld || indexes != nil else {
      throw failure(isReverse, "it lacks a value. Observe with the options .old and .new.")
    }
    if let changed {
      guard let present = BindingEndpoint(object, keyPath).nearestObject, present === changed.object else {
        throw failure(
          isReverse, "another object has its last key than changed. Observe the objects on the key path themselves.")
      }
    }
    guard kind != .setting else { return try Self.set(new, at: keyPath, of: object) }
    // The record of an insertion that found nil has a known old value.
    if kind == .insertion, isReverse, hasNew {
      let present = try object.value(forKeyPath: keyPath)
      if Elements.count(of: present) == Elements.count(of: old) { return try object.setValue(nil, forKeyPath: keyPath) }
    }
    let come = comes ? Elements.list(new) : []
    guard let indexes else {
      let gone = Elements.list(old)
      let set = try object.mutableSet(forKeyPath: keyPath)
      if !goes { return try set.formUnion(come) }
      if !comes { return try set.subtract(gone) }
      let rest = try set.elements().subtracting(gone.compactMap { $0 as? AnyHashable })
      return try set.set(rest.map(\.base) + come)
    }
    let array = try object.mutableArray(forKeyPath: keyPath)
    if indexes.count == 1, !comes || come.count == 1 {
      // One element is edited where it is stored.
      if !goes { return try array.insert(come[0], at: indexes[0]) }
      return comes ? try array.replace(at: indexes[0], with: come[0]) : try array.remove(at: indexes[0])
    }
    if !goes { return try array.insert(come, at: indexes) }
    if !comes { return try array.remove(at: indexes) }
    try array.replace(at: indexes, with: come)
  }

  /// Sets a value at the end of a path: by the functions of the table if the key has no setter.
  static func set(_ value: Any?, at path: KVKeyPath, of object: AnyObject) throws(KVError) {
    do throws(KVError) { try ObjectAccess.set(boxed: value, path, of: object) } catch {
      guard error.code == .notSettable, let value, Elements.canBeMapped(value),
        let object = object as? any KeyValueCoding & AnyObject
      else { throw error }
      do throws(KVError) { try object.mutableArray(forKeyPath: path).set(Elements.list(value)) } catch let failure {
        if failure.code != .unsupported { throw failure }
        try object.mutableSet(forKeyPath: path).set(Elements.list(value))
      }
    }
  }

  private func failure(_ isReverse: Bool, _ reason: String) -> KVError {
    KVError(
      .unsupported, "the record of \"\(keyPath)\" cannot be \(isReverse ? "reverted" : "applied"): \(reason)",
      keyPath: keyPath.description, rootType: "\(type(of: object))")
  }
}
