import KVCore

extension KVObserver {
  /// Observes a to-many path: one handler for each kind of change (TOM.4).
  ///
  /// A kind without a handler of its own calls `change`, with nil as old and the whole collection as new. Setting an equal
  /// collection calls nobody, nor does a change without elements.
  ///
  /// - Parameters:
  ///   - object: What is observed.
  ///   - path: The path of the collection, or its text.
  ///   - initial: Whether `change` is called once before this returns, with the collection as old and as new.
  ///   - distinct: Whether settings of an equal collection, and replacements by equal elements, are left out.
  ///   - coalesced: Whether changes are merged inside of `KVCoalescing.coalesce`: several of one kind that has a handler into
  ///     one of the kind, others into a setting.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  ///   - change: Called with the observer, the old and the new collection where it is set as a whole.
  ///   - insertion: Called with the observer, the elements that came and their indexes; those of sets have none.
  ///   - removal: Called with the observer, the elements that went and their indexes.
  ///   - replacement: Called with the observer, the elements that went, those that came, and their indexes.
  /// - Returns: A token for ending it early or pausing it; it may be thrown away.
  /// - Throws: ``KVError``, as `observe(_:options:handler:)` of the object does.
  @discardableResult
  public func observeRelationship(
    _ object: some KVObservable, _ path: some KVKeyPathConvertible, initial: Bool = true,
    distinct: Bool = true, coalesced: Bool = false, file: StaticString = #fileID, line: UInt = #line,
    change: @escaping (Self, Any?, Any?) -> Void,
    insertion: ((Self, [Any], [Int]?) -> Void)? = nil, removal: ((Self, [Any], [Int]?) -> Void)? = nil,
    replacement: ((Self, [Any], [Any], [Int]?) -> Void)? = nil
  ) throws(KVError) -> KVObservation {
    var options: KVObservingOptions = [.old, .new]
    if initial { options.insert(.initial) }
    if distinct { options.insert(.distinct) }
    if coalesced { options.insert(.coalesced) }
    var whole = PartialKinds.all
    if insertion != nil { whole.remove(.insertion) }
    if removal != nil { whole.remove(.removal) }
    if replacement != nil { whole.remove(.replacement) }
    let observation = OwnedObservation(
      try path.keyPath(), options, Site(file, line), owner: self, whole: whole, wantsOldOfWhole: false
    ) { owner, record in
      guard let record else { return }
      let owner = unsafeDowncast(owner, to: Self.self)
      let old = Elements.list(record.old)
      let new = Elements.list(record.new)
      switch record.kind {
      case .setting: change(owner, record.isInitial ? record.new : record.old, record.new)
      case .insertion where insertion != nil: insertion?(owner, new, record.indexes)
      case .removal where removal != nil: removal?(owner, old, record.indexes)
      case .replacement where replacement != nil: replacement?(owner, old, new, record.indexes)
      case .insertion, .removal, .replacement:
        // Such a kind is told as a setting without an old value, unless the change began before the observation.
        change(owner, nil, (try? Reader(record.keyPath).value(of: record.object)) ?? nil)
      }
    }
    try observation.begin(at: object)
    return KVObservation(observation, endsWhenDropped: false)
  }
}
