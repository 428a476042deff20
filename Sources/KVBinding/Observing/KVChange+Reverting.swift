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
  /// - Complexity: As that of the change.
  public func revert() throws(KVError) { try make(from: new, hasNew, to: old, hasOld, isReverse: true) }

  /// Makes the change again, as redoing does (KVO.24).
  ///
  /// - Throws: ``KVError``: the errors of ``revert()``.
  /// - Complexity: As that of the change.
  public func apply() throws(KVError) { try make(from: old, hasOld, to: new, hasNew, isReverse: false) }

  private func make(
    from old: Any?, _ hasOld: Bool, to new: Any?, _ hasNew: Bool, isReverse: Bool
  ) throws(KVError) {
    guard let object = object as? any KeyValueCoding & AnyObject, !isPrior, !isInitial else {
      throw failure(isReverse, "it is \(isPrior ? "announced only" : "no change"). Keep the records after changes.")
    }
    let made = isReverse ? kind.reversed : kind
    guard made == .removal || hasNew, !made.removes || hasOld || indexes != nil else {
      throw failure(isReverse, "it lacks a value. Observe with the options .old and .new.")
    }
    if let changed {
      guard let present = BindingEndpoint(object, keyPath).nearestObject, present === changed.object else {
        throw failure(
          isReverse, "another object has its last key than changed. Observe the objects on the key path themselves.")
      }
    }
    guard made != .setting else { return try Self.set(new, at: keyPath, of: object) }
    // The record of an insertion that found nil has a known old value.
    if kind == .insertion, isReverse, hasNew {
      let present = try object.value(forKeyPath: keyPath)
      if DynamicCollection.count(of: present) == DynamicCollection.count(of: old) {
        return try object.setValue(nil, forKeyPath: keyPath)
      }
    }
    let added = made.adds ? DynamicCollection.list(new) : []
    if let indexes { return try object.mutableArray(forKeyPath: keyPath).edit(made, at: indexes, with: added) }
    let removed = DynamicCollection.list(old)
    let set = try object.mutableSet(forKeyPath: keyPath)
    if !made.removes { return try set.formUnion(added) }
    if !made.adds { return try set.subtract(removed) }
    let remaining = try set.elements().subtracting(removed.compactMap { $0 as? AnyHashable })
    try set.set(remaining.map(\.base) + added)
  }

  /// Sets a value at the end of a path: by the functions of the table if the key has no setter.
  package static func set(_ value: Any?, at path: KVKeyPath, of object: AnyObject) throws(KVError) {
    do throws(KVError) { try ObjectAccess.set(boxed: value, path, of: object) } catch {
      guard error.code == .notSettable, let value, DynamicCollection.canBeMapped(value),
        let object = object as? any KeyValueCoding & AnyObject
      else { throw error }
      do throws(KVError) { try object.mutableArray(forKeyPath: path).set(DynamicCollection.list(value)) } catch let
        failure
      {
        if failure.code != .unsupported { throw failure }
        try object.mutableSet(forKeyPath: path).set(DynamicCollection.list(value))
      }
    }
  }

  private func failure(_ isReverse: Bool, _ reason: String) -> KVError {
    KVError(
      .unsupported, "the record of \"\(keyPath)\" cannot be \(isReverse ? "reverted" : "applied"): \(reason)",
      keyPath: keyPath.description, rootType: "\(type(of: object))")
  }
}
