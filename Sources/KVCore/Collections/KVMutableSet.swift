/// A live view of an unordered to-many property, through which it is edited (COL.1).
///
/// Edits go through the owner's set accessors where its table gives some, or set a changed set (COL.2). Only what is
/// really added or removed is edited and told; an edit that changes nothing tells nobody (TOM.2).
public struct KVMutableSet {
  let property: ToManyProperty

  /// The elements as they are now; `AnyHashable(AnyHashable?.none)` stands for nil.
  ///
  /// - Throws: ``KVError``: as reading the path does, and `unsupported` if no set is there.
  /// - Complexity: O(*n*).
  public func elements() throws(KVError) -> Set<AnyHashable> {
    try property.withPlace { place throws(KVError) in try members(place) }
  }

  /// Whether an element is in the set.
  ///
  /// - Parameter element: The element.
  /// - Throws: As ``elements()``.
  /// - Complexity: O(*n*).
  public func contains(_ element: Any) throws(KVError) -> Bool {
    let elements = try elements()
    return SetMember.hashable(element).map(elements.contains) ?? false
  }

  /// Adds an element, if it is not there.
  ///
  /// - Parameter element: The element, which is made to fit by the rules of CO.
  /// - Throws: As ``formUnion(_:)``.
  /// - Complexity: As ``formUnion(_:)``.
  public func add(_ element: Any) throws(KVError) { try formUnion([element]) }

  /// Removes an element, if it is there.
  ///
  /// - Parameter element: The element.
  /// - Throws: As ``formUnion(_:)``.
  /// - Complexity: As ``formUnion(_:)``.
  public func remove(_ element: Any) throws(KVError) { try subtract([element]) }

  /// Removes all elements.
  ///
  /// - Throws: As ``formUnion(_:)``.
  /// - Complexity: As ``formUnion(_:)``.
  public func removeAll() throws(KVError) { try formIntersection([]) }

  /// Adds the elements that are not there; told as an insertion.
  ///
  /// - Parameter others: Elements, which are made to fit by the rules of CO; one that occurs twice counts once.
  /// - Throws: ``KVError``: `notSettable`, `typeMismatch`, and as ``elements()``; nothing has changed then.
  /// - Complexity: O(*n* + *m*), and what the table's functions cost. The property is read once.
  public func formUnion(_ others: [Any]) throws(KVError) {
    try property.withPlace { place throws(KVError) in
      try change(place, .insertion, adding: try property.fitting(others, place)) { _, _ in [] }
    }
  }

  /// Removes the elements that are there; told as a removal.
  ///
  /// - Parameter others: Elements, which are made to fit by the rules of CO; one that occurs twice counts once.
  /// - Throws: As ``formUnion(_:)``.
  /// - Complexity: As ``formUnion(_:)``.
  public func subtract(_ others: [Any]) throws(KVError) {
    let others = try property.located { () throws(KVError) in try hashable(others) }
    try property.withPlace { place throws(KVError) in
      try change(place, .removal) { current, _ in others.intersection(current) }
    }
  }

  /// Removes the elements that are not among others; told as a removal.
  ///
  /// - Parameter others: Elements, which are made to fit by the rules of CO; one that occurs twice counts once.
  /// - Throws: As ``formUnion(_:)``.
  /// - Complexity: As ``formUnion(_:)``.
  public func formIntersection(_ others: [Any]) throws(KVError) {
    let others = try property.located { () throws(KVError) in try hashable(others) }
    try property.withPlace { place throws(KVError) in
      try change(place, .removal) { current, _ in current.subtracting(others) }
    }
  }

  /// Makes the elements those of another collection; told as a replacement.
  ///
  /// - Parameter others: Elements, which are made to fit by the rules of CO; one that occurs twice counts once.
  /// - Throws: As ``formUnion(_:)``.
  /// - Complexity: As ``formUnion(_:)``.
  public func set(_ others: [Any]) throws(KVError) {
    try property.withPlace { place throws(KVError) in
      try change(place, .replacement, adding: try property.fitting(others, place)) { $0.subtracting($1) }
    }
  }

  /// Adds members that fit, and removes those that a function chooses from the current and the added ones.
  private func change(
    _ place: ToManyProperty.Place, _ kind: KVChangeNotice.Kind, adding fitted: (any CollectionValue)? = nil,
    removing: (_ current: Set<AnyHashable>, _ added: Set<AnyHashable>) -> Set<AnyHashable>
  ) throws(KVError) {
    let current = try members(place)
    let wanted = try hashable(fitted?.elements ?? [])
    let (going, coming) = (removing(current, wanted), wanted.subtracting(current))
    if going.isEmpty, coming.isEmpty { return }
    let (old, new) = (SetMember.values(going), SetMember.values(coming))
    var edit: ToManyProperty.Edit?
    if let accessors = place.accessor?.declaration.unordered {
      edit = { owner throws(KVError) in
        if !old.isEmpty { try accessors.remove(owner, old) }
        if !new.isEmpty { try accessors.add(owner, new) }
      }
    }
    let change = ToManyProperty.Change(
      kind: kind, old: { kind == .insertion ? nil : old }, new: { kind == .removal ? nil : new }, edit: edit,
      changed: {
        // A set of anything is what is left where a property of type `Any` gets members of another type.
        place.unordered?.changed(removing: going, adding: fitted) ?? current.subtracting(going).union(coming)
      })
    try property.make(change, at: place)
  }

  private func members(_ place: ToManyProperty.Place) throws(KVError) -> Set<AnyHashable> {
    try hashable(place.collection?.elements ?? [])
  }

  private func hashable(_ elements: [Any?]) throws(KVError) -> Set<AnyHashable> {
    var result: Set<AnyHashable> = []
    result.reserveCapacity(elements.count)
    for element in elements {
      guard let member = SetMember.hashable(element) else {
        throw KVError(.unsupported, "\(describe(boxed(element))) is not Hashable, which members of a set must be.")
      }
      result.insert(member)
    }
    return result
  }
}
