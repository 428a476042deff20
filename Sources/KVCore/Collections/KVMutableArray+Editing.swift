// The edits of a collection that was read once.
extension KVMutableArray {
  func insert(_ newElements: [Any], at indexes: [Int], in resolved: ToManyProperty.ResolvedProperty) throws(KVError) {
    try check(indexes, below: resolved.count + newElements.count, pairedWith: newElements.count)
    if newElements.isEmpty { return }
    try insert(fitted: try property.fitting(newElements, resolved), at: indexes, in: resolved)
  }

  /// Inserts converted elements at checked indexes.
  private func insert(
    fitted: any CollectionValue, at indexes: [Int], in resolved: ToManyProperty.ResolvedProperty
  ) throws(KVError) {
    var edit: ToManyProperty.Edit?
    if let insert = resolved.accessor?.declaration.indexed?.insert {
      edit = { owner throws(KVError) in try insert(owner, fitted.elements.map(asAny), indexes) }
    }
    let change = ToManyProperty.Change(
      kind: .insertion, indexes: indexes, new: { fitted.elements.map(asAny) }, edit: edit,
      inPlace: edit == nil ? .insert(fitted, at: indexes) : nil,
      changed: {
        guard let array = resolved.ordered else { return fitted }
        return array.inserting(fitted, at: indexes) ?? mixed(array).inserting(mixed(fitted), at: indexes) ?? array
      })
    try property.make(change, at: resolved)
  }

  func remove(at indexes: [Int], in resolved: ToManyProperty.ResolvedProperty) throws(KVError) {
    try check(indexes, below: resolved.count)
    guard !indexes.isEmpty, resolved.ordered != nil else { return }
    var edit: ToManyProperty.Edit?
    if let remove = resolved.accessor?.declaration.indexed?.remove {
      edit = { owner throws(KVError) in remove(owner, indexes) }
    }
    let change = ToManyProperty.Change(
      kind: .removal, indexes: indexes, old: { elements(at: indexes, of: resolved) }, edit: edit,
      inPlace: edit == nil ? .remove(at: indexes) : nil,
      changed: { resolved.ordered?.removing(at: indexes) ?? [Any]() })
    try property.make(change, at: resolved)
  }

  func replace(at indexes: [Int], with newElements: [Any], in resolved: ToManyProperty.ResolvedProperty) throws(KVError)
  {
    try check(indexes, below: resolved.count, pairedWith: newElements.count)
    guard !indexes.isEmpty, resolved.ordered != nil else { return }
    let fitted = try property.fitting(newElements, resolved)
    var edit: ToManyProperty.Edit?
    if let accessors = resolved.accessor?.declaration.indexed {
      edit = { owner throws(KVError) in
        let elements = fitted.elements.map(asAny)
        if let replace = accessors.replace { return try replace(owner, indexes, elements) }
        accessors.remove(owner, indexes)
        try accessors.insert(owner, elements, indexes)
      }
    }
    let change = ToManyProperty.Change(
      kind: .replacement, indexes: indexes, old: { elements(at: indexes, of: resolved) },
      new: { fitted.elements.map(asAny) }, edit: edit,
      inPlace: edit == nil ? .replace(at: indexes, with: fitted) : nil,
      changed: {
        guard let array = resolved.ordered else { return fitted }
        return array.replacing(at: indexes, with: fitted)
          ?? mixed(array).replacing(at: indexes, with: mixed(fitted)) ?? array
      })
    try property.make(change, at: resolved)
  }

  private func elements(at indexes: [Int], of resolved: ToManyProperty.ResolvedProperty) -> [Any]? {
    resolved.ordered.map { array in indexes.map { asAny(array.element(at: $0)) } }
  }

  /// Returns the elements as an array of any values, for a property of type `Any` that gets elements of another type.
  private func mixed(_ collection: any CollectionValue) -> [Any?] { collection.elements }

  /// Throws if the indexes do not ascend, are out of range, or differ in number from the elements.
  func check(_ indexes: [Int], below limit: Int, pairedWith count: Int? = nil) throws(KVError) {
    if let count, count != indexes.count {
      throw KVError(
        .unsupported, "there are \(count) elements for \(indexes.count) indexes; give one index for each element.")
    }
    var previous = -1
    for index in indexes {
      guard index >= 0, index < limit else { throw Failure.indexOutOfRange(index, count: limit) }
      guard index > previous else {
        throw KVError(.unsupported, "indexes must ascend, and \(index) stands after \(previous); sort them.")
      }
      previous = index
    }
  }
}
