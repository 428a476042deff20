import KVCore

// Manual changes (KVO.16), of keys without automatic notification and of values that change without their object.
// Brackets of one key nest; brackets of different keys may overlap. Setters within a bracket notify of their changes as
// well.

extension KVObservable {
  /// Begins a manual change of a key; ``didChangeValue(forKey:)`` must follow (KVO.16).
  ///
  /// - Parameter key: The key, or an alias of it. A key without observers costs next to nothing.
  @available(*, noasync, message: "use withChange(forKey:), since an await may continue on another thread")
  public func willChangeValue(forKey key: String) { ManualKey(key, of: self).begin() }

  /// Ends a manual change of a key, and notifies its observers.
  ///
  /// Without a preceding ``willChangeValue(forKey:)`` nothing is delivered and a warning is reported (KVO.16).
  ///
  /// - Parameter key: The key, or an alias of it.
  @available(*, noasync, message: "use withChange(forKey:), since an await may continue on another thread")
  public func didChangeValue(forKey key: String) { ManualKey(key, of: self).end() }

  /// Makes a manual change of a key, which also ends if the body throws (KVO.16).
  ///
  /// - Parameters:
  ///   - key: The key, or an alias of it.
  ///   - body: A closure that makes the change.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body. Observers are notified nevertheless.
  public func withChange<Result, Failure: Error>(
    forKey key: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Observers that are registered within the body receive later changes only.
    let isObserved = ObserverRegistrar.existing(of: self) != nil
    let open = OpenChange.ofOthers()
    defer { extendLifetime(open) }
    if isObserved { willChangeValue(forKey: key) }
    defer { if isObserved { didChangeValue(forKey: key) } }
    return try body()
  }

  /// Begins a manual change of elements of an array; ``didChange(_:at:forKey:)`` must follow (TOM.1).
  ///
  /// - Parameters:
  ///   - kind: The kind of the change: insertion, removal or replacement.
  ///   - indexes: The indexes of the elements: after an insertion, before a removal.
  ///   - key: The key of the array.
  @available(*, noasync, message: "use withChange(_:at:forKey:), since an await may continue on another thread")
  public func willChange(_ kind: KVChange.Kind, at indexes: some Sequence<Int>, forKey key: String) {
    ManualKey(key, of: self).begin(kind, at: Set(indexes).sorted())
  }

  /// Ends a manual change of elements of an array, and notifies the observers of its key.
  ///
  /// - Parameters:
  ///   - kind: The kind that the change began with.
  ///   - indexes: The indexes that the change began with.
  ///   - key: The key of the array.
  @available(*, noasync, message: "use withChange(_:at:forKey:), since an await may continue on another thread")
  public func didChange(_ kind: KVChange.Kind, at indexes: some Sequence<Int>, forKey key: String) {
    ManualKey(key, of: self).end(kind, at: Set(indexes).sorted())
  }

  /// Begins a manual change of members of a set; ``didChange(_:members:forKey:)`` must follow (TOM.2).
  ///
  /// - Parameters:
  ///   - kind: The kind of the change: insertion or removal.
  ///   - members: The members that are added or removed. Observers are notified of those that really are.
  ///   - key: The key of the set.
  @available(*, noasync, message: "use withChange(_:members:forKey:), since an await may continue on another thread")
  public func willChange(_ kind: KVChange.Kind, members: some Sequence, forKey key: String) {
    ManualKey(key, of: self).begin(kind, members: Array(members))
  }

  /// Ends a manual change of members of a set, and notifies the observers of its key.
  ///
  /// - Parameters:
  ///   - kind: The kind that the change began with.
  ///   - members: The members that the change began with.
  ///   - key: The key of the set.
  @available(*, noasync, message: "use withChange(_:members:forKey:), since an await may continue on another thread")
  public func didChange(_ kind: KVChange.Kind, members: some Sequence, forKey key: String) {
    ManualKey(key, of: self).end(kind, members: Array(members))
  }

  /// Makes a manual change of elements of an array, which also ends if the body throws (TOM.1).
  ///
  /// ```swift
  /// model.withChange(.insertion, at: [0], forKey: "items") { store.insert(item, at: 0) }
  /// ```
  ///
  /// - Parameters:
  ///   - kind: The kind of the change: insertion, removal or replacement.
  ///   - indexes: The indexes of the elements: after an insertion, before a removal.
  ///   - key: The key of the array.
  ///   - body: A closure that makes the change.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body. Observers are notified nevertheless.
  public func withChange<Result, Failure: Error>(
    _ kind: KVChange.Kind, at indexes: some Sequence<Int>, forKey key: String,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard ObserverRegistrar.existing(of: self) != nil else { return try body() }
    let open = OpenChange.ofOthers()
    defer { extendLifetime(open) }
    let (indexes, manual) = (Set(indexes).sorted(), ManualKey(key, of: self))
    manual.begin(kind, at: indexes)
    defer { manual.end(kind, at: indexes) }
    return try body()
  }

  /// Makes a manual change of members of a set, which also ends if the body throws (TOM.2).
  ///
  /// - Parameters:
  ///   - kind: The kind of the change: insertion or removal.
  ///   - members: The members that are added or removed. Observers are notified of those that really are.
  ///   - key: The key of the set.
  ///   - body: A closure that makes the change.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body. Observers are notified nevertheless.
  public func withChange<Result, Failure: Error>(
    _ kind: KVChange.Kind, members: some Sequence, forKey key: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard ObserverRegistrar.existing(of: self) != nil else { return try body() }
    let open = OpenChange.ofOthers()
    defer { extendLifetime(open) }
    let members = Array(members)
    willChange(kind, members: members, forKey: key)
    defer { didChange(kind, members: members, forKey: key) }
    return try body()
  }
}
