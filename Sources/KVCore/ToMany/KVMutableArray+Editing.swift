// The edits of a collection that was read once.
extension KVMutableArray {
  func element(at index: Int, in resolved: ToManyProperty.ResolvedProperty) throws(KVError) -> Any? {
    _ = try checked([index], below: resolved.count)
    return resolved.ordered?.element(at: index)
  }

  func insert(
    _ newElements: [Any], at indexes: some Sequence<Int>, in resolved: ToManyProperty.ResolvedProperty
  ) throws(KVError) {
    let indexes = try checked(indexes, below: resolved.count + newElements.count, pairedWith: newElements.count)
    if newElements.isEmpty { return }
    let elements = try property.fitting(newElements, resolved)
    try property.make(.init(kind: .insertion, indexes: indexes, elements: elements), at: resolved)
  }

  func remove(at indexes: some Sequence<Int>, in resolved: ToManyProperty.ResolvedProperty) throws(KVError) {
    let indexes = try checked(indexes, below: resolved.count)
    guard !indexes.isEmpty, resolved.ordered != nil else { return }
    try property.make(.init(kind: .removal, indexes: indexes), at: resolved)
  }

  func replace(
    at indexes: some Sequence<Int>, with newElements: [Any], in resolved: ToManyProperty.ResolvedProperty
  ) throws(KVError) {
    let indexes = try checked(indexes, below: resolved.count, pairedWith: newElements.count)
    guard !indexes.isEmpty, resolved.ordered != nil else { return }
    let elements = try property.fitting(newElements, resolved)
    try property.make(.init(kind: .replacement, indexes: indexes, elements: elements), at: resolved)
  }

  /// Returns the indexes.
  ///
  /// It reads no more indexes than can be valid, since a range may have more than fit in memory.
  ///
  /// - Throws: ``KVError`` if the indexes do not ascend, are out of range, or differ in number from the elements.
  func checked(
    _ indexes: some Sequence<Int>, below limit: Int, pairedWith count: Int? = nil
  ) throws(KVError) -> [Int] {
    var result: [Int] = []
    for index in indexes {
      if result.count == count { throw mismatch(count ?? 0, "more") }
      guard index >= 0, index < limit else { throw Failure.indexOutOfRange(index, count: limit) }
      if let previous = result.last, index <= previous {
        throw KVError(.unsupported, "indexes must ascend, and \(index) stands after \(previous); sort them.")
      }
      result.append(index)
    }
    if let count, result.count != count { throw mismatch(count, "\(result.count)") }
    return result
  }

  private func mismatch(_ count: Int, _ indexes: String) -> KVError {
    KVError(.unsupported, "there are \(count) elements for \(indexes) indexes; give one index for each element.")
  }
}
