/// A live view of an unordered to-many property, through which it is edited (COL.1).
///
/// Edits go through the owner's set accessors where its table gives some, or set a changed set (COL.2). Only what is
/// really added or removed is edited and told; an edit that changes nothing tells nobody (TOM.2).
public struct KVMutableSet {
  let property: ToManyProperty

  /// The elements as they are now.
  ///
  /// - Throws: ``KVError``: as reading the path does, and `unsupported` if no set is there, or no hashable elements.
  public func elements() throws(KVError) -> Set<AnyHashable> {
    try hashable(try property.elements(wanted: "set").compactMap { $0 })
  }

  /// Whether an element is in the set.
  ///
  /// - Throws: As ``elements()``.
  public func contains(_ element: Any) throws(KVError) -> Bool {
    guard let element = element as? AnyHashable else { return false }
    return try elements().contains(element)
  }

  /// Adds an element, if it is not there.
  ///
  /// - Throws: As ``formUnion(_:)``.
  public func add(_ element: Any) throws(KVError) { try formUnion([element]) }

  /// Removes an element, if it is there.
  ///
  /// - Throws: As ``formUnion(_:)``.
  public func remove(_ element: Any) throws(KVError) { try subtract([element]) }

  /// Removes all elements.
  ///
  /// - Throws: As ``formUnion(_:)``.
  public func removeAll() throws(KVError) { try formIntersection([]) }

  /// Adds the elements that are not there; told as an insertion.
  ///
  /// - Throws: ``KVError``: `notSettable`, `typeMismatch`, and as ``elements()``; nothing has changed then.
  public func formUnion(_ others: [Any]) throws(KVError) {
    let current = try elements()
    try change(.insertion, from: current, removing: [], adding: try fitting(others).subtracting(current))
  }

  /// Removes the elements that are there; told as a removal.
  ///
  /// - Throws: As ``formUnion(_:)``.
  public func subtract(_ others: [Any]) throws(KVError) {
    let current = try elements()
    try change(.removal, from: current, removing: try hashable(others).intersection(current), adding: [])
  }

  /// Removes the elements that are not among others; told as a removal.
  ///
  /// - Throws: As ``formUnion(_:)``.
  public func formIntersection(_ others: [Any]) throws(KVError) {
    let current = try elements()
    try change(.removal, from: current, removing: current.subtracting(try hashable(others)), adding: [])
  }

  /// Makes the elements those of another collection; told as a replacement.
  ///
  /// - Throws: As ``formUnion(_:)``.
  public func set(_ others: [Any]) throws(KVError) {
    let current = try elements()
    let wanted = try fitting(others)
    try change(
      .replacement, from: current, removing: current.subtracting(wanted), adding: wanted.subtracting(current))
  }

  private func change(
    _ kind: KVChangeNotice.Kind, from current: Set<AnyHashable>, removing: Set<AnyHashable>, adding: Set<AnyHashable>
  ) throws(KVError) {
    if removing.isEmpty, adding.isEmpty { return }
    let (old, new) = (removing.map(\.base), adding.map(\.base))
    try property.located { () throws(KVError) in
      let place = try property.place()
      var edit: ToManyProperty.Edit?
      if let accessors = place.accessor?.declaration.unordered {
        edit = { owner throws(KVError) in
          if !old.isEmpty { try accessors.remove(owner, old) }
          if !new.isEmpty { try accessors.add(owner, new) }
        }
      }
      try property.change(
        place, kind, indexes: nil, old: kind == .insertion ? nil : old, new: kind == .removal ? nil : new,
        edit: edit,
        changed: { current.subtracting(removing).union(adding).map(\.base) })
    }
  }

  /// Returns elements as the set would hold them.
  private func fitting(_ elements: [Any]) throws(KVError) -> Set<AnyHashable> {
    try property.located { () throws(KVError) in
      try hashable(try property.fitting(elements, try property.place()))
    }
  }

  private func hashable(_ elements: [Any]) throws(KVError) -> Set<AnyHashable> {
    var result: Set<AnyHashable> = []
    for element in elements {
      guard let element = element as? AnyHashable else {
        throw KVError(.unsupported, "\(describe(element)) is not Hashable, which members of a set must be.")
      }
      result.insert(element)
    }
    return result
  }
}
