// The edits of a collection that was read once.
extension KVMutableArray {
  func insert(_ newElements: [Any], at indexes: [Int], in resolved: ToManyProperty.ResolvedProperty) throws(KVError) {
    try check(indexes, below: resolved.count + newElements.count, pairedWith: newElements.count)
    if newElements.isEmpty { return }
    let elements = try property.fitting(newElements, resolved)
    try property.make(.init(kind: .insertion, indexes: indexes, elements: elements), at: resolved)
  }

  func remove(at indexes: [Int], in resolved: ToManyProperty.ResolvedProperty) throws(KVError) {
    try check(indexes, below: resolved.count)
    guard !indexes.isEmpty, resolved.ordered != nil else { return }
    try property.make(.init(kind: .removal, indexes: indexes), at: resolved)
  }

  func replace(at indexes: [Int], with newElements: [Any], in resolved: ToManyProperty.ResolvedProperty) throws(KVError)
  {
    try check(indexes, below: resolved.count, pairedWith: newElements.count)
    guard !indexes.isEmpty, resolved.ordered != nil else { return }
    let elements = try property.fitting(newElements, resolved)
    try property.make(.init(kind: .replacement, indexes: indexes, elements: elements), at: resolved)
  }

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
