import KVCore

extension KVObserver {
  /// Observes a to-many key path with one handler per kind of change (TOM.4).
  ///
  /// A kind without its own handler calls `change` with nil as the old and the whole collection as the new value. By
  /// default no handler is called for setting an equal collection. A change without elements never calls one.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - path: The key path of the collection, or its text.
  ///   - options: The times of the calls. With ``KVObservingOptions/initial``, `change` is called once before the method
  ///     returns, with the collection as old and new value. With ``KVObservingOptions/distinct``, setting an equal
  ///     collection and replacing elements by equal ones is ignored. With ``KVObservingOptions/coalesced``, changes
  ///     within `KVCoalescing.coalesce` are merged: several changes of one kind that has a handler stay one change of
  ///     that kind. Old and new values are always included.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - change: A closure that receives the observer, the old and the new collection when the collection is set as a
  ///     whole.
  ///   - insertion: A closure that receives the observer, the inserted elements and their indexes; nil for sets.
  ///   - removal: A closure that receives the observer, the removed elements and their indexes; nil for sets.
  ///   - replacement: A closure that receives the observer, the old elements, the new elements and their indexes; nil
  ///     for sets.
  /// - Returns: A token that can cancel or pause the observation. It may be discarded.
  /// - Throws: ``KVError``: the errors of `observe(_:options:handler:)` of the object.
  @discardableResult
  public func observeRelationship(
    _ object: some KVObservable, _ path: some KVKeyPathConvertible,
    options: KVObservingOptions = [.initial, .distinct], file: StaticString = #fileID, line: UInt = #line,
    change: @escaping (Self, Any?, Any?) -> Void,
    insertion: ((Self, [Any], [Int]?) -> Void)? = nil, removal: ((Self, [Any], [Int]?) -> Void)? = nil,
    replacement: ((Self, [Any], [Any], [Int]?) -> Void)? = nil
  ) throws(KVError) -> KVObservation {
    var reportedAsSetting = PartialKinds.all
    if insertion != nil { reportedAsSetting.remove(.insertion) }
    if removal != nil { reportedAsSetting.remove(.removal) }
    if replacement != nil { reportedAsSetting.remove(.replacement) }
    let sink = Sink.owner { (owner: Self, record) in
      let old = DynamicCollection.list(record.old)
      let new = DynamicCollection.list(record.new)
      switch record.kind {
      case .setting: change(owner, record.isInitial ? record.new : record.old, record.new)
      case .insertion where insertion != nil: insertion?(owner, new, record.indexes)
      case .removal where removal != nil: removal?(owner, old, record.indexes)
      case .replacement where replacement != nil: replacement?(owner, old, new, record.indexes)
      case .insertion, .removal, .replacement:
        // Such a kind arrives as a setting without an old value, unless the change began before the observation.
        change(owner, nil, (try? Reader(record.keyPath).value(of: record.object)) ?? nil)
      }
    }
    let registration = Registration(
      try path.keyPath(), options.union([.old, .new]), Site(file, line), owner: self,
      reportedAsSetting: reportedAsSetting,
      includesOldCollection: false, sink)
    try registration.begin(at: object)
    return KVObservation(registration, cancelsOnDeinit: false)
  }
}
