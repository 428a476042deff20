/// A live view of an unordered to-many property, for reading and editing it (COL.1).
///
/// Edits go through the owner's set accessors if its table declares them, or set a changed set (COL.2). An edit applies
/// to the elements that it really adds or removes, and observers are notified of these only. They are not notified of
/// an edit without effect (TOM.2).
public struct KVMutableSet {
  let property: ToManyProperty

  /// Returns the current elements; `AnyHashable(AnyHashable?.none)` represents nil.
  ///
  /// - Returns: The elements; empty if the property is nil.
  /// - Throws: ``KVError``: the errors of reading the key path, and `unsupported` if the property is not a set.
  /// - Complexity: O(*n*).
  public func elements() throws(KVError) -> Set<AnyHashable> {
    try property.withResolved { resolved throws(KVError) in
      try hashable(resolved.collection?.elements ?? [], as: SetMember.hashable)
    }
  }

  /// Returns whether the set contains an element.
  ///
  /// - Parameter element: The element, which is not converted.
  /// - Returns: Whether the set contains the element; `false` if the element is not hashable.
  /// - Throws: As ``elements()``.
  /// - Complexity: O(1), besides reading the property; O(*n*) if the element is nil, NaN or of another type than the
  ///   set's.
  public func contains(_ element: Any) throws(KVError) -> Bool {
    try property.withResolved { resolved throws(KVError) in
      guard let member = SetMember.findable(element) else { return false }
      if let found = resolved.unordered?.found([member]) { return !found.isEmpty }
      return try members(resolved).contains(member)
    }
  }

  /// Adds an element unless the set contains it.
  ///
  /// - Parameter element: The element, which is converted by the rules of CO.
  /// - Throws: As ``formUnion(_:)``.
  /// - Complexity: As ``formUnion(_:)``.
  public func add(_ element: Any) throws(KVError) { try formUnion([element]) }

  /// Removes an element if the set contains it.
  ///
  /// - Parameter element: The element, which is not converted.
  /// - Throws: As ``subtract(_:)``.
  /// - Complexity: As ``formUnion(_:)``.
  public func remove(_ element: Any) throws(KVError) { try subtract([element]) }

  /// Removes all elements.
  ///
  /// - Throws: As ``subtract(_:)``.
  /// - Complexity: O(*n* + *m*): all members are hashed. The set is copied, or the table's functions are called.
  public func removeAll() throws(KVError) { try formIntersection([]) }

  /// Removes the elements that satisfy a predicate, in one operation (Apple's `filterUsingPredicate:` keeps them).
  ///
  /// - Parameter shouldBeRemoved: Returns whether an element is to be removed. It is called once per element, before the
  ///   first one is removed.
  /// - Throws: As ``subtract(_:)``.
  /// - Complexity: O(*n* + *m*): all members are hashed. The set is copied, or the table's functions are called.
  public func removeAll(where shouldBeRemoved: (Any?) -> Bool) throws(KVError) {
    try property.withResolved { resolved throws(KVError) in
      let going = try hashable((resolved.collection?.elements ?? []).filter(shouldBeRemoved))
      try change(resolved, .removal) { _, _ in going }
    }
  }

  /// Adds the elements that the set does not contain; observers are notified of an insertion (TOM.2).
  ///
  /// - Parameter others: The elements, which are converted by the rules of CO. Repeated elements count once.
  /// - Throws: ``KVError``: `notSettable`; `typeMismatch`, `numberOutOfRange` or `nilValue` if an element cannot be
  ///   converted; `unsupported` if an element is not hashable; the errors of ``elements()``. The set is unchanged then
  ///   (KVC.14).
  /// - Complexity: O(*m*) and a copy of the set, or instead of that the table's functions; O(*n* + *m*) if an element
  ///   is nil, NaN or of another type than the set's. The property is read once.
  public func formUnion(_ others: [Any]) throws(KVError) {
    try property.withResolved { resolved throws(KVError) in
      if try edit(resolved, .insertion, others) { return }
      let fitted = try property.fitting(others, resolved)
      guard let coming = resolved.unordered?.absent(fitted) else {
        return try change(resolved, .insertion, adding: fitted) { _, _ in [] }
      }
      try make(resolved, .insertion, old: [], new: coming) { resolved.unordered?.changed(removing: [], adding: fitted) }
    }
  }

  /// Removes the elements that the set contains; observers are notified of a removal (TOM.2).
  ///
  /// - Parameter others: The elements, which are not converted. Repeated elements count once.
  /// - Throws: ``KVError``: `notSettable`; `unsupported` if an element is not hashable; the errors of ``elements()``.
  ///   The set is unchanged then (KVC.14).
  /// - Complexity: As ``formUnion(_:)``.
  public func subtract(_ others: [Any]) throws(KVError) {
    try property.withResolved { resolved throws(KVError) in
      if try edit(resolved, .removal, others) { return }
      let others = try hashable(others)
      guard let going = resolved.unordered?.found(others) else {
        return try change(resolved, .removal) { current, _ in others.intersection(current) }
      }
      try make(resolved, .removal, old: going, new: []) { resolved.unordered?.changed(removing: others, adding: nil) }
    }
  }

  /// Removes the elements that are not among the given ones; observers are notified of a removal (TOM.2).
  ///
  /// - Parameter others: The elements to keep, which are not converted. Repeated elements count once.
  /// - Throws: As ``subtract(_:)``.
  /// - Complexity: O(*n* + *m*): all members are hashed. The set is copied, or the table's functions are called.
  public func formIntersection(_ others: [Any]) throws(KVError) {
    let others = try property.located { () throws(KVError) in try hashable(others) }
    try property.withResolved { resolved throws(KVError) in
      try change(resolved, .removal) { current, _ in current.subtracting(others) }
    }
  }

  /// Replaces the elements of the set; observers are notified of a replacement (TOM.2).
  ///
  /// - Parameter others: The new elements, which are converted by the rules of CO. Repeated elements count once.
  /// - Throws: As ``formUnion(_:)``.
  /// - Complexity: O(*n* + *m*): all members are hashed. The set is copied, or the table's functions are called.
  public func set(_ others: [Any]) throws(KVError) {
    try property.withResolved { resolved throws(KVError) in
      try change(resolved, .replacement, adding: try property.fitting(others, resolved)) { $0.subtracting($1) }
    }
  }

  /// Adds or removes one member of the element type; false for others, and if the table has functions.
  private func edit(
    _ resolved: ToManyProperty.ResolvedProperty, _ kind: KVChangeKind, _ members: [Any]
  ) throws(KVError) -> Bool {
    guard members.count == 1, resolved.accessor?.declaration.unordered == nil,
      let edited = resolved.unordered?.edited(by: members[0], isRemoval: kind == .removal)
    else { return false }
    if case .changed(let changed, let member) = edited {
      let (old, new) = kind == .removal ? ([member], []) : ([], [member])
      try make(resolved, kind, old: old, new: new) { changed }
    }
    return true
  }

  /// Adds converted members, and removes the members that a function selects from the current and the added ones.
  private func change(
    _ resolved: ToManyProperty.ResolvedProperty, _ kind: KVChangeKind,
    adding fitted: (any CollectionValue)? = nil,
    removing: (_ current: Set<AnyHashable>, _ added: Set<AnyHashable>) -> Set<AnyHashable>
  ) throws(KVError) {
    let current = try members(resolved)
    let wanted = try hashable(fitted?.elements ?? [])
    let (going, coming) = (removing(current, wanted), wanted.subtracting(current))
    let old = (resolved.collection?.elements ?? []).filter { SetMember.findable($0).map(going.contains) ?? false }.map(
      asAny)
    try make(resolved, kind, old: old, new: SetMember.values(coming)) {
      // Only a property of type `Any` can get members of another type; it gets a set of any values.
      resolved.unordered?.changed(removing: going, adding: fitted)
        ?? Set(current.subtracting(going).union(coming).map(SetMember.stored))
    }
  }

  /// Makes a change of the members, unless there are none.
  private func make(
    _ resolved: ToManyProperty.ResolvedProperty, _ kind: KVChangeKind, old: [Any], new: [Any],
    changed: @escaping () -> Any?
  ) throws(KVError) {
    if old.isEmpty, new.isEmpty { return }
    var edit: ToManyProperty.Edit?
    if let accessors = resolved.accessor?.declaration.unordered {
      edit = { owner throws(KVError) in
        if !old.isEmpty { try accessors.remove(owner, old, []) }
        if !new.isEmpty { try accessors.insert(owner, new, []) }
      }
    }
    let change = ToManyProperty.Change(
      kind: kind, old: { kind == .insertion ? nil : old }, new: { kind == .removal ? nil : new }, edit: edit,
      changed: { asAny(changed()) })
    try property.make(change, at: resolved)
  }

  /// Returns the members, findable.
  private func members(_ resolved: ToManyProperty.ResolvedProperty) throws(KVError) -> Set<AnyHashable> {
    try hashable(resolved.collection?.elements ?? [])
  }

  private func hashable(
    _ elements: [Any?], as member: (Any?) -> AnyHashable? = SetMember.findable
  ) throws(KVError) -> Set<AnyHashable> {
    var result: Set<AnyHashable> = []
    result.reserveCapacity(elements.count)
    for element in elements {
      guard let member = member(element) else {
        throw KVError(.unsupported, "\(describe(asAny(element))) is not Hashable, which members of a set must be.")
      }
      result.insert(member)
    }
    return result
  }
}

extension KVMutableSet: Sequence {
  /// Returns an iterator over the current elements, for which the property is read once; nil for a nil element.
  ///
  /// A view of a key traps with the sentence of the error if there is no set; one of a path is empty then (COL.3).
  ///
  /// - Complexity: O(*n*). Each step is O(1) and does not read the property.
  public func makeIterator() -> AnyIterator<Any?> {
    AnyIterator((property.reading { resolved in resolved.collection?.elements ?? [] } ?? []).makeIterator())
  }

  /// The number of elements.
  ///
  /// A view of a key traps with the sentence of the error if there is no set; one of a path is empty then (COL.3).
  ///
  /// - Complexity: O(1), besides reading the property once.
  public var count: Int { property.reading(\.count) ?? 0 }
}
